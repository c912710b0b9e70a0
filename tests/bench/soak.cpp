// SPDX-License-Identifier: GPL-3.0-or-later
// Runs under random faults, one after another, each compared bit by bit with one that was left in peace:
// soak [MINUTES] [SECONDS BETWEEN FAULTS] [RANKS] [SEED]. Prints what was done to them and what became of them. Exit
// code 1: a wrong result, something left behind, fewer than half of the faults that were due, or less than 95 % of the
// time spent training.
#include "engine/base/clock.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/start/run_start.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QProcess>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

using namespace trainyard;
using test::RunLab;

namespace {

enum class Fault {
    KillRank,
    KillFirst,
    KillAll,
    Stop,
    Segv,
    Abort,
    Terminate,
    KillSupervisor,
    KillPool,
    StopRun,
    Watch
};
struct FaultName {
    Fault fault;
    const char* name;
};
constexpr FaultName kFaults[] = {
    {Fault::KillRank, "SIGKILL of a rank"},   {Fault::KillRank, "SIGKILL of a rank"},
    {Fault::KillAll, "SIGKILL of all ranks"}, {Fault::Stop, "SIGSTOP of a rank"},
    {Fault::Segv, "SIGSEGV of a rank"},       {Fault::Abort, "SIGABRT of a rank"},
    {Fault::Terminate, "SIGTERM of a rank"},  {Fault::KillSupervisor, "SIGKILL of the supervisor"},
    {Fault::KillPool, "SIGKILL of the pool"}, {Fault::KillFirst, "SIGKILL of rank 0"},
    {Fault::StopRun, "stop, then resume"},    {Fault::Watch, "a watcher comes and is killed"},
};

std::string slurp(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// Processes of this soak: each has its folder in the environment it was started with.
std::map<std::int64_t, std::string> processesOf(const std::string& folder) {
    std::map<std::int64_t, std::string> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::int64_t pid = std::stoll(name);
        if (pid == ::getpid() || !run::isAlive(pid)) continue;
        if (slurp(entry.path() / "environ").find(folder) == std::string::npos) continue;
        found[pid] = test::commandLine(pid);
    }
    return found;
}

int entriesIn(const std::string& folder) {
    int count = 0;
    std::error_code ignored;
    for (auto entry = std::filesystem::directory_iterator(folder, ignored);
         !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        ++count;
    return count;
}

constexpr double kLeastTraining = 0.95;  // of the time, whatever happens
constexpr std::int64_t kSteps = 200'000; // of a run: about a minute, so that it meets several faults

class Soak {
public:
    Soak(double minutes, double between, int ranks, unsigned seed)
        : m_minutes(minutes), m_between(between), m_ranks(ranks), m_random(seed) {}

    int run() {
        const int sharedBefore = entriesIn("/dev/shm");
        m_reference = start();
        if (m_lab.waitForEnd(m_reference, 3600).status != wire::RunStatus::Finished)
            return std::puts("the reference run failed"), 1;
        const double begin = monotonicSeconds(), end = begin + m_minutes * 60;
        m_nextFault = begin + m_between;
        while (monotonicSeconds() < end) disturbOne(end);
        const double seconds = monotonicSeconds() - begin;
        m_lab.waitUntil([&] { return left() == 0; }, 10);
        return report(seconds, entriesIn("/dev/shm") - sharedBefore);
    }

private:
    std::string start() {
        spec::RunSpec spec;
        spec.model = {"mlp", {{"hidden", std::vector<double>{256, 256}}, {"dropout", 0.1}}};
        spec.dataset = {"spirals", {}};
        spec.optimizer = {"adam", {{"lr", 0.001}}};
        spec.batch = {20, std::nullopt, 1};
        spec.epochs.reset();
        spec.steps = kSteps;
        spec.scaling.workers = m_ranks;
        spec.scaling.threadsPerWorker = 1;
        spec.checkpoint.everyEpochs = 0;
        spec.checkpoint.everySteps = 1000;
        spec.failure.maxRestarts = 10'000;
        spec.failure.heartbeatSeconds = 3;
        const auto run = run::startRun(m_lab.workspace(), spec);
        if (run) return *run;
        std::fprintf(stderr, "%s\n", run.error().text().c_str());
        std::exit(1);
    }

    // One run from start to end, resumed whenever it was interrupted or asked to end.
    void disturbOne(double end) {
        const auto run = start();
        double lastStepAt = monotonicSeconds();
        std::int64_t lastStep = -1;
        std::vector<std::string> descriptors;
        for (;;) {
            m_lab.waitUntil([] { return false; }, 0.1);
            const double now = monotonicSeconds();
            const auto row = m_lab.row(run);
            const auto step = lastStepOf(run);
            if (step != lastStep) {
                m_idle += std::max(0.0, now - lastStepAt - 0.5); // the store is written about five times a second
                lastStepAt = now;
                lastStep = step;
            }
            const bool held = store::RunLock::isHeld(row.folder);
            if (!held && row.status == wire::RunStatus::Finished) return judge(run);
            if (!held && row.status == wire::RunStatus::Failed) return failed(row);
            if (!held && row.status != wire::RunStatus::Queued) {
                (void)run::resumeRun(m_lab.workspace(), run);
                continue;
            }
            if (now < m_nextFault || now > end || row.status != wire::RunStatus::Running) continue;
            m_nextFault = now + m_between;
            compareDescriptors(descriptors, descriptorsOf(row.supervisorPid));
            if (inject(run, row)) descriptors.clear(); // another supervisor
        }
    }

    std::int64_t lastStepOf(const std::string& run) {
        const auto all = m_lab.query().summaries(run);
        if (!all) return 0;
        const auto loss =
            std::find_if(all->begin(), all->end(), [](const auto& each) { return each.series == "train/loss"; });
        return loss == all->end() ? 0 : loss->lastStep;
    }

    // Without what is open for a moment: the fewest of some looks.
    std::vector<std::string> descriptorsOf(std::int64_t pid) {
        std::vector<std::string> fewest;
        for (int look = 0; look < 10; ++look) {
            auto open = test::openOf(pid);
            if (look == 0 || open.size() < fewest.size()) fewest = std::move(open);
            m_lab.waitUntil([] { return false; }, 0.02);
        }
        return fewest;
    }

    // `first`: those at the supervisor's first fault, taken now when it is empty.
    void compareDescriptors(std::vector<std::string>& first, const std::vector<std::string>& open) {
        if (first.empty()) first = open;
        const int growth = static_cast<int>(open.size()) - static_cast<int>(first.size());
        if (growth <= m_descriptorGrowth) return;
        m_descriptorGrowth = growth;
        std::vector<std::string> more;
        std::set_difference(open.begin(), open.end(), first.begin(), first.end(), std::back_inserter(more));
        for (const auto& each : more) std::fprintf(stderr, "more than at the first fault: %s\n", each.c_str());
    }

    // True when the supervisor goes with it.
    bool inject(const std::string& run, const store::RunRow& row) {
        const auto pids = m_lab.workerPids(run);
        if (pids.size() != static_cast<std::size_t>(m_ranks)) return false;
        const auto& fault = kFaults[m_random() % std::size(kFaults)];
        const auto pid = static_cast<pid_t>(pids[m_random() % pids.size()]);
        ++m_faults[fault.name];
        switch (fault.fault) {
        case Fault::KillRank: ::kill(pid, SIGKILL); break;
        case Fault::KillFirst: ::kill(static_cast<pid_t>(pids.front()), SIGKILL); break;
        case Fault::KillAll:
            for (const auto each : pids) ::kill(static_cast<pid_t>(each), SIGKILL);
            break;
        case Fault::Stop: ::kill(pid, SIGSTOP); break;
        case Fault::Segv: ::kill(pid, SIGSEGV); break;
        case Fault::Abort: ::kill(pid, SIGABRT); break;
        case Fault::Terminate: ::kill(pid, SIGTERM); return true;
        case Fault::KillSupervisor: ::kill(static_cast<pid_t>(row.supervisorPid), SIGKILL); return true;
        case Fault::KillPool:
            for (const auto& [process, words] : processesOf(m_lab.folder()))
                if (words.find("trainyard-worker pool") != std::string::npos)
                    ::kill(static_cast<pid_t>(process), SIGKILL);
            break;
        case Fault::StopRun: return run::stopRun(m_lab.workspace(), run, wire::StopMode::SaveAndStop).ok();
        case Fault::Watch: watch(run); break;
        }
        return false;
    }

    void watch(const std::string& run) {
        QProcess watcher;
        watcher.start(QString::fromLocal8Bit(RunLab::builtPrograms() + "/trainyardctl"),
                      {"attach", QString::fromStdString(run), "--workspace",
                       QString::fromStdString(m_lab.workspace().root.string())});
        m_lab.waitUntil([] { return false; }, 1);
        watcher.kill();
        watcher.waitForFinished(5000);
    }

    void judge(const std::string& run) {
        ++m_runs;
        m_restarts += m_lab.row(run).restarts;
        const auto wrong = m_lab.difference(run, m_reference);
        const auto gaps = m_lab.contiguity(run, kSteps);
        if (wrong.empty() && gaps.empty()) return;
        ++m_wrong;
        std::fprintf(stderr, "run %s: %s %s\n", run.c_str(), wrong.c_str(), gaps.c_str());
    }

    void failed(const store::RunRow& row) {
        ++m_runs;
        ++m_failed;
        std::fprintf(stderr, "run %s failed: %s: %s\n%s\n", row.id.c_str(), row.error.where.c_str(),
                     row.error.message.c_str(), m_lab.logText(row.id).c_str());
    }

    // Without the pool and its spare ranks, which stay warm on purpose.
    int left() const {
        int count = 0;
        for (const auto& [pid, words] : processesOf(m_lab.folder()))
            if (words.find("trainyard-worker pool") == std::string::npos &&
                words.find("trainyard-worker spare") == std::string::npos)
                ++count;
        return count;
    }

    int report(double seconds, int shared) {
        int faults = 0;
        for (const auto& [name, count] : m_faults) {
            std::printf("%-36s %6d\n", name.c_str(), count);
            faults += count;
        }
        const int processes = left();
        std::printf("%-36s %6d in %.1f minutes\n", "faults", faults, seconds / 60);
        std::printf("%-36s %6d, %d failed, %d restarts\n", "runs", m_runs, m_failed, m_restarts);
        std::printf("%-36s %6d\n", "wrong results", m_wrong);
        std::printf("%-36s %6d\n", "processes left", processes);
        std::printf("%-36s %6d\n", "descriptors more in a supervisor", m_descriptorGrowth);
        std::printf("%-36s %6d\n", "names more in /dev/shm", shared);
        const double training = 1 - m_idle / seconds;
        std::printf("%-36s %6.1f %%\n", "share of time training", 100 * training);
        const bool disturbed = faults > 0 && faults >= static_cast<int>(0.5 * seconds / m_between);
        if (!disturbed) std::puts("too few faults to say anything");
        const bool clean = disturbed && m_wrong + m_failed + processes == 0 && shared <= 0 && m_descriptorGrowth <= 0;
        return clean && training >= kLeastTraining ? 0 : 1;
    }

    const double m_minutes, m_between;
    const int m_ranks;
    std::mt19937 m_random;
    RunLab m_lab;
    std::string m_reference;
    std::map<std::string, int> m_faults;
    int m_runs = 0, m_wrong = 0, m_failed = 0, m_restarts = 0, m_descriptorGrowth = 0;
    double m_idle = 0, m_nextFault = 0;
};

} // namespace

int main(int argc, char** argv) {
    const double minutes = argc > 1 ? std::atof(argv[1]) : 20, between = argc > 2 ? std::atof(argv[2]) : 20;
    const int ranks = argc > 3 ? std::atoi(argv[3]) : 2;
    if (minutes <= 0 || between <= 0 || ranks < 2) {
        std::fprintf(stderr, "soak [MINUTES > 0] [SECONDS BETWEEN FAULTS > 0] [RANKS >= 2] [SEED]\n");
        return 2;
    }
    const QByteArray programs = qgetenv("TRAINYARD_BIN");
    const unsigned seed = argc > 4 ? static_cast<unsigned>(std::atoi(argv[4])) : 1;
    auto soak = std::make_unique<Soak>(minutes, between, ranks, seed);
    if (programs.isEmpty()) return std::fprintf(stderr, "set TRAINYARD_BIN to the folder of the programs\n"), 2;
    qputenv("TRAINYARD_BIN", programs);
    return soak->run();
}
