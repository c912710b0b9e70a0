// SPDX-License-Identifier: GPL-3.0-or-later
// Runs over three hosts of the lab (tests/ssh/host_lab.h) under random faults, one after another, each compared bit by
// bit with one that was left in peace: hosts_soak [MINUTES] [SECONDS BETWEEN FAULTS] [SEED]. A run that a fault has
// ended is resumed once its hosts are back. Prints what was done, and what became of the runs. Exit code 1: a wrong
// curve, a run that cannot go on, ranks that are left. Exit code 77: there can be no hosts.
#include "engine/base/clock.h"
#include "tests/bench/fault_trial.h"

#include <QCoreApplication>
#include <QFile>

#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>

using namespace trainyard;
using bench::FaultTrial;

namespace {

constexpr int kHosts = 3;
constexpr double kRunSeconds = 90;                            // of an undisturbed run, so that it meets several faults
constexpr double kPatienceSeconds = 240;                      // without a step a run is stuck
constexpr const char* kRanks = "$(pgrep -x trainyard-worke)"; // 15 letters of the name

class HostsSoak {
public:
    HostsSoak(double minutes, double between, unsigned seed) : m_minutes(minutes), m_between(between), m_random(seed) {
        if (const QString failure = m_lab.start(kHosts); !failure.isEmpty())
            throw std::runtime_error(failure.toStdString());
        on(3, "umount /root/.cache"); // which is too small for a worker
        for (const char* host : {"h1", "h2", "h3"})
            if (const QByteArray said = m_runs.add(host); !said.isEmpty()) throw std::runtime_error(said.toStdString());
    }

    int run() {
        trainUndisturbed();
        const double begin = monotonicSeconds(), end = begin + m_minutes * 60;
        while (monotonicSeconds() < end) disturbOne(end);
        return report(monotonicSeconds() - begin);
    }

private:
    struct Fault {
        const char* name;
        void (HostsSoak::*make)(FaultTrial& trial, int host);
    };
    static const std::vector<Fault>& faults();

    QString file(const char* name, int steps) const {
        const QString path = m_runs.file(
            QLatin1String(name), {"h1", "h2", "h3"}, steps,
            {{"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{256, 256}}}}}},
             {"batch", QJsonObject{{"global", 129}}},
             {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 500}, {"keep", 2}}},
             {"failure", QJsonObject{{"maxRestarts", 1000}, {"linkSeconds", 30}, {"heartbeatSeconds", 5}}}});
        if (path.isEmpty()) throw std::runtime_error("the run file cannot be written");
        return path;
    }

    void trainUndisturbed() {
        constexpr int kFew = 2000;
        FaultTrial first(m_runs, {"first", file("first", kFew)});
        const auto begun = first.reached();
        const double from = monotonicSeconds();
        first.waitForEnd();
        const double each = (monotonicSeconds() - from) / static_cast<double>(kFew - begun);
        m_steps = std::max(kFew, static_cast<int>(kRunSeconds / each));
        std::printf("%.1f ms a step, %d steps a run\n", each * 1000, m_steps);
        FaultTrial whole(m_runs, {"undisturbed", file("undisturbed", m_steps)});
        whole.waitForEnd(20 * kRunSeconds);
        const auto query = store::RunQuery::open(*store::Workspace::open(m_runs.workspace().toStdString()));
        m_undisturbed = (*query)->points(RunId(whole.run().toStdString()), "train/loss").valueOr({});
        if (m_undisturbed.size() != static_cast<std::size_t>(m_steps)) throw std::runtime_error("no undisturbed run");
    }

    void disturbOne(double end) {
        ++m_runsMade;
        std::string lastFault = "nothing";
        try {
            FaultTrial trial(m_runs, {"disturbed", file("disturbed", m_steps)});
            while (goesOn(trial)) {
                trial.waitUntil("a fault's turn", [&, from = monotonicSeconds()] {
                    return monotonicSeconds() - from > m_between || isOver(trial.row());
                });
                if (isOver(trial.row()) || monotonicSeconds() > end) continue;
                const Fault& fault = faults()[m_random() % faults().size()];
                lastFault = fault.name;
                const int host = 1 + static_cast<int>(m_random() % kHosts);
                std::printf("%7.1f s  step %6lld  %s (h%d)\n", monotonicSeconds() - m_begun,
                            static_cast<long long>(trial.reached()), fault.name, host);
                std::fflush(stdout);
                ++m_faults[fault.name];
                (this->*fault.make)(trial, host);
                waitForStepOrEnd(trial);
            }
            m_restarts += trial.row().restarts;
            const auto cost = trial.cost(m_undisturbed);
            m_lost += cost.lost;
            if (cost.whole && cost.equal) return;
            ++m_wrong;
            std::printf("run %s is %s and %s\n", qPrintable(trial.run()), cost.whole ? "whole" : "BROKEN",
                        cost.equal ? "equal" : "NOT EQUAL");
        } catch (const std::exception& failure) {
            ++m_failed;
            std::printf("after \"%s\": %s\n", lastFault.c_str(), failure.what());
        }
        heal();
    }

    // A supervisor that was killed leaves the row as it is.
    static bool isOver(const store::RunRow& row) {
        return !wire::isActive(row.status) || !store::RunLock::isHeld(row.folder);
    }

    // False once it has finished; resumes what a fault has ended.
    bool goesOn(FaultTrial& trial) {
        const auto row = trial.row();
        if (!isOver(row)) return true;
        if (row.status == wire::RunStatus::Finished) return false;
        if (!row.error.message.empty())
            std::printf("           %s: %s\n", wire::toString(row.status), row.error.message.c_str());
        heal();
        trial.resume();
        ++m_resumed;
        waitForStepOrEnd(trial);
        return true;
    }

    void waitForStepOrEnd(FaultTrial& trial) {
        const double from = monotonicSeconds();
        trial.waitUntil(
            "a step or the end",
            [&, reached = trial.reached()] { return trial.reached() != reached || isOver(trial.row()); },
            kPatienceSeconds);
        m_longest = std::max(m_longest, monotonicSeconds() - from);
    }

    std::string on(int host, const std::string& script) {
        const auto said = m_lab.connect(host)->script(script);
        if (!said) throw std::runtime_error("on h" + std::to_string(host) + ": " + said.error().text());
        return said->out;
    }

    void heal() {
        m_lab.joinController();
        for (int host = 1; host <= kHosts; ++host) m_lab.join(host);
    }

    // ---- faults ----------------------------------------------------------------------------------------------------
    void killRanks(FaultTrial&, int host) { on(host, std::string("kill -KILL ") + kRanks); }
    void killAllRanks(FaultTrial&, int) {
        for (int host = 1; host <= kHosts; ++host) on(host, std::string("kill -KILL ") + kRanks);
    }
    void stopRanks(FaultTrial&, int host) { on(host, std::string("kill -STOP ") + kRanks); } // never continued
    void killSshd(FaultTrial&, int host) {
        on(host, "p=$(pgrep -o -x trainyard-relay || pgrep -o -x trainyard-worke); "
                 "until grep -q '^sshd' /proc/$p/comm || [ $p -le 1 ]; do "
                 "p=$(awk '/^PPid/ { print $2 }' /proc/$p/status); done; [ $p -gt 1 ] && kill -KILL $p");
    }
    void cut(FaultTrial& trial, int host, double seconds) {
        m_lab.cut(host);
        trial.wait(seconds);
        m_lab.join(host);
    }
    void cutBriefly(FaultTrial& trial, int host) { cut(trial, host, 3); }
    void cutLonger(FaultTrial& trial, int host) { cut(trial, host, 15); }
    void powerOff(FaultTrial& trial, int host) {
        m_lab.powerOff(host);
        trial.wait(12);
        m_lab.boot(host);
    }
    void reboot(FaultTrial& trial, int host) {
        m_lab.shutDown(host);
        trial.wait(1);
        m_lab.boot(host);
    }
    void offTheNet(FaultTrial& trial, int) {
        m_lab.cutController();
        trial.wait(10);
        m_lab.joinController();
    }
    void killSupervisor(FaultTrial& trial, int) {
        ::kill(static_cast<pid_t>(trial.row().supervisorPid), SIGKILL);
        trial.waitUntil("the end of the ranks", [this] { return ranksLeft() == 0; });
    }
    void stop(FaultTrial& trial, int) { trial.command({"stop", trial.run()}); }
    void watch(FaultTrial& trial, int) {
        QProcess watcher;
        watcher.start(test::program("trainyardctl"), {"attach", trial.run(), "--workspace", m_runs.workspace()});
        trial.wait(1);
        watcher.kill();
        watcher.waitForFinished(5000);
    }

    int ranksLeft() {
        int left = 0;
        for (int host = 1; host <= kHosts; ++host)
            left += std::atoi(
                on(host, "ps -eo stat=,args= | grep -v '^Z' | grep -c '[t]rainyard-worker rank' || :").c_str());
        return left;
    }

    int report(double seconds) {
        heal();
        int faults = 0;
        for (const auto& [name, count] : m_faults) {
            std::printf("%-36s %6d\n", name.c_str(), count);
            faults += count;
        }
        for (const double until = monotonicSeconds() + 60; ranksLeft() > 0 && monotonicSeconds() < until;)
            QThread::msleep(500);
        const int left = ranksLeft();
        std::printf("%-36s %6d in %.1f minutes\n", "faults", faults, seconds / 60);
        std::printf("%-36s %6d, resumed %d times, %d restarts\n", "runs", m_runsMade, m_resumed, m_restarts);
        std::printf("%-36s %6d\n", "runs that could not go on", m_failed);
        std::printf("%-36s %6d\n", "wrong curves", m_wrong);
        std::printf("%-36s %6lld\n", "steps taken again", static_cast<long long>(m_lost));
        std::printf("%-36s %6.1f s\n", "longest wait for a step after a fault", m_longest);
        std::printf("%-36s %6d\n", "ranks left on the hosts", left);
        return m_failed + m_wrong + left == 0 && faults > 0 ? 0 : 1;
    }

    const double m_minutes, m_between, m_begun = monotonicSeconds();
    std::mt19937 m_random;
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    std::vector<wire::Point> m_undisturbed;
    std::map<std::string, int> m_faults;
    int m_steps = 0, m_runsMade = 0, m_failed = 0, m_wrong = 0, m_resumed = 0, m_restarts = 0;
    std::int64_t m_lost = 0;
    double m_longest = 0;
};

const std::vector<HostsSoak::Fault>& HostsSoak::faults() {
    static const std::vector<Fault> all{
        {"ranks of a host killed", &HostsSoak::killRanks},
        {"all ranks killed", &HostsSoak::killAllRanks},
        {"ranks of a host stopped for good", &HostsSoak::stopRanks},
        {"sshd of a rank killed", &HostsSoak::killSshd},
        {"cable cut 3 s", &HostsSoak::cutBriefly},
        {"cable cut 15 s", &HostsSoak::cutLonger},
        {"power off, booted after 12 s", &HostsSoak::powerOff},
        {"shut down, booted after 1 s", &HostsSoak::reboot},
        {"this computer off the net 10 s", &HostsSoak::offTheNet},
        {"supervisor killed", &HostsSoak::killSupervisor},
        {"stop", &HostsSoak::stop},
        {"a watcher comes and is killed", &HostsSoak::watch},
    };
    return all;
}

} // namespace

int main(int argc, char** argv) {
    if (!QFile::exists(test::program("trainyardctl"))) {
        std::puts("SKIP: TRAINYARD_BIN does not name the folder of the programs");
        return 77;
    }
    test::enterHostLab(argc, argv);
    const QCoreApplication application(argc, argv);
    const double minutes = argc > 1 ? std::atof(argv[1]) : 30, between = argc > 2 ? std::atof(argv[2]) : 15;
    const unsigned seed = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
    if (minutes <= 0 || between <= 0) {
        std::fprintf(stderr, "hosts_soak [MINUTES > 0] [SECONDS BETWEEN FAULTS > 0] [SEED]\n");
        return 2;
    }
    try {
        return HostsSoak(minutes, between, seed).run();
    } catch (const std::exception& failure) {
        std::printf("%s\n", failure.what());
        return 1;
    }
}
