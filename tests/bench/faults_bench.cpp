// SPDX-License-Identifier: GPL-3.0-or-later
// What each fault costs a run on hosts: faults_bench [WORD,WORD] [SECONDS] [--bars]. The network of the other
// benchmarks on Fashion-MNIST, one rank on each of two hosts of the lab (tests/ssh/host_lab.h), settings as they are
// unless the row says otherwise. With words, only rows that have one of them in their name. SECONDS: how long the
// computer that has started a run which lives on a host is off (60). In seconds: until the supervisor warns of the
// fault, until the next step comes after the silence that follows it, the longest pause between two steps by the clock
// of rank 0, and the command that ends the run. A run that a fault has ended is resumed once its hosts are back, and
// steps that it takes again are lost. Its curve is compared, bit for bit, with that of a run that nothing disturbs.
// With --bars the program fails where steps are lost that a rank has survived with, or the curve is not that one. Exit
// code 77: the dataset is not installed, or there can be no hosts.
#include "engine/base/clock.h"
#include "engine/base/math/sha256.h"
#include "remote/files/transfer.h"
#include "tests/bench/bars.h"
#include "tests/bench/fault_trial.h"

#include <QDir>

#include <csignal>
#include <cstdlib>
#include <set>
#include <stdexcept>

using namespace trainyard;
using bench::FaultCost;
using bench::FaultTrial;

namespace {

constexpr int kSteps = 2814;                                               // six epochs
constexpr const char* kEndRank = "kill -KILL $(pgrep -x trainyard-worke)"; // 15 letters of its name

class FaultsBench {
public:
    explicit FaultsBench(int offSeconds) : m_offSeconds(offSeconds) {
        if (const QString failure = m_lab.start(4); !failure.isEmpty()) throw std::runtime_error(failure.toStdString());
        for (const char* host : {"h1", "h2", "h4"}) // the third has a small disk
            if (const QByteArray said = m_runs.add(host); !said.isEmpty()) throw std::runtime_error(said.toStdString());
    }

    // Before the first row.
    void trainUndisturbed(int seconds);
    // Whatever a row has left.
    void heal();

    FaultCost nothing();
    FaultCost cutBriefly() { return cut(3); }
    FaultCost cutLonger() { return cut(15); }
    FaultCost powerIsOffForAMoment();
    FaultCost hostIsBootedAnew();
    FaultCost sshdOfARankIsKilled();
    FaultCost ranksAreKilled();
    FaultCost terminalIsKilled();
    FaultCost supervisorIsKilled();
    FaultCost hostIsDead();
    FaultCost hostIsDeadForElasticRun();
    FaultCost hostIsDeadAndThereIsASpare();
    FaultCost programIsGone();
    FaultCost diskIsFull();
    FaultCost offTheNetBriefly() { return offTheNet(30); }
    FaultCost offTheNetLonger() { return offTheNet(95); }
    FaultCost computerIsOff();
    FaultCost computerIsOffAndTheRunLivesElsewhere();
    FaultCost stopped();
    FaultCost stoppedBesideADeadHost() { return endedBesideADeadHost("stop"); }
    FaultCost killedBesideADeadHost() { return endedBesideADeadHost("kill"); }
    int offSeconds() const { return m_offSeconds; }

private:
    FaultTrial::Start base(const char* name, const QJsonObject& changes = {}, int steps = kSteps) const;
    FaultCost cut(int seconds);
    FaultCost offTheNet(int seconds);
    FaultCost endedBesideADeadHost(const char* command);
    FaultCost costOf(FaultTrial& trial);
    void off(int n);
    void boot(int n);
    std::string on(int n, const std::string& script);
    int ranksLeft();
    void knowTheOtherHost();

    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    const int m_offSeconds;
    double m_stepSeconds = 0;
    std::vector<wire::Point> m_undisturbed;
    std::set<int> m_off;
};

FaultTrial::Start FaultsBench::base(const char* name, const QJsonObject& changes, int steps) const {
    QJsonObject fields{
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{512, 512}}}}}},
        {"dataset", "fashion-mnist"},
        {"optimizer", QJsonObject{{"name", "sgd"}, {"lr", 0.1}}},
        {"checkpoint", QJsonObject{{"everyEpochs", 1}, {"keep", 2}}},
    };
    for (auto change = changes.begin(); change != changes.end(); ++change) fields[change.key()] = change.value();
    const QString file = m_runs.file(QLatin1String(name), {"h1", "h2"}, steps, fields);
    if (file.isEmpty()) throw std::runtime_error("the run file cannot be written");
    return {name, file};
}

std::string FaultsBench::on(int n, const std::string& script) {
    const auto said = m_lab.connect(n)->script(script);
    if (!said || !said->ok())
        throw std::runtime_error("on h" + std::to_string(n) + ": " + (said ? said->err : said.error().text()));
    return said->out;
}

int FaultsBench::ranksLeft() {
    int left = 0;
    for (const int n : {1, 2}) left += std::atoi(on(n, "ps -eo comm= | grep -cx trainyard-worke || :").c_str());
    return left;
}

void FaultsBench::off(int n) {
    m_lab.powerOff(n);
    m_off.insert(n);
}

void FaultsBench::boot(int n) {
    m_lab.boot(n);
    m_off.erase(n);
}

void FaultsBench::heal() {
    m_lab.joinController();
    for (const int n : std::set<int>(m_off)) boot(n);
    for (const int n : {1, 2}) m_lab.join(n);
    (void)m_lab.connect(1)->script("umount -l ~/.cache/trainyard/runs 2> /dev/null");
}

FaultCost FaultsBench::costOf(FaultTrial& trial) {
    trial.waitForEnd();
    return trial.cost(m_undisturbed);
}

// As many steps as the longest row takes.
void FaultsBench::trainUndisturbed(int seconds) {
    FaultTrial first(m_runs, base("first"));
    const auto begun = first.reached();
    const double from = monotonicSeconds();
    first.waitForEnd();
    m_stepSeconds = (monotonicSeconds() - from) / static_cast<double>(kSteps - begun);
    const auto steps = std::max(kSteps, static_cast<int>(seconds / m_stepSeconds));
    std::printf("%.1f ms a step; the undisturbed run has %d steps\n", m_stepSeconds * 1000, steps);
    std::fflush(stdout);
    FaultTrial longest(m_runs, base("undisturbed", {}, steps));
    longest.waitForEnd(30 + 4 * steps * m_stepSeconds);
    const auto query = store::RunQuery::open(*store::Workspace::open(m_runs.workspace().toStdString()));
    const auto points = (*query)->points(RunId(longest.run().toStdString()), "train/loss");
    if (!points || points->size() != static_cast<std::size_t>(steps)) throw std::runtime_error("no undisturbed run");
    m_undisturbed = *points;
}

FaultCost FaultsBench::nothing() {
    FaultTrial trial(m_runs, base("nothing"));
    trial.hurt([] {});
    return costOf(trial);
}

FaultCost FaultsBench::cut(int seconds) {
    FaultTrial trial(m_runs, base("cut"));
    trial.hurt([this] { m_lab.cut(2); });
    trial.wait(seconds);
    m_lab.join(2);
    return costOf(trial);
}

FaultCost FaultsBench::powerIsOffForAMoment() {
    FaultTrial trial(m_runs, base("power"));
    trial.hurt([this] { off(2); });
    trial.wait(12);
    boot(2);
    return costOf(trial);
}

FaultCost FaultsBench::hostIsBootedAnew() {
    FaultTrial trial(m_runs, base("boot"));
    trial.hurt([this] {
        m_lab.shutDown(2);
        m_off.insert(2);
    });
    trial.wait(1);
    boot(2);
    return costOf(trial);
}

FaultCost FaultsBench::sshdOfARankIsKilled() {
    FaultTrial trial(m_runs, base("sshd"));
    trial.hurt([this] {
        on(2, "p=$(pgrep -o -x trainyard-relay); "
              "until grep -q '^sshd' /proc/$p/comm; do p=$(awk '/^PPid/ { print $2 }' /proc/$p/status); done; "
              "[ $p -gt 1 ] && kill -KILL $p");
    });
    return costOf(trial);
}

FaultCost FaultsBench::ranksAreKilled() {
    constexpr int kLosses = 6;
    FaultTrial trial(m_runs, base("killed", {{"failure", QJsonObject{{"maxRestarts", 2 * kLosses}}}}));
    for (int lost = 0; lost < kLosses; ++lost) {
        trial.hurt([&] { on(1 + lost % 2, kEndRank); });
        trial.waitUntil("another rank", [&] { return trial.row().restarts > lost; });
        trial.waitForSteps(150);
        trial.recovered();
    }
    return costOf(trial);
}

FaultCost FaultsBench::terminalIsKilled() {
    auto start = base("terminal");
    start.onTerminal = true;
    FaultTrial trial(m_runs, start);
    trial.hurt([&] { trial.killTerminal(); });
    return costOf(trial);
}

FaultCost FaultsBench::supervisorIsKilled() {
    FaultTrial trial(m_runs, base("supervisor"));
    trial.hurt([&] { ::kill(static_cast<pid_t>(trial.row().supervisorPid), SIGKILL); });
    trial.waitUntil("the end of the ranks", [this] { return ranksLeft() == 0; });
    trial.resume();
    return costOf(trial);
}

// What is left of it saves, and the run fails.
FaultCost FaultsBench::hostIsDead() {
    FaultTrial trial(m_runs, base("dead"));
    trial.hurt([this] { off(2); });
    const double from = monotonicSeconds();
    trial.waitForEnd();
    std::printf("  failed after %.1f s with a checkpoint of step %lld, and it had reached %lld\n",
                monotonicSeconds() - from, static_cast<long long>(trial.newestCheckpoint()),
                static_cast<long long>(trial.reached()));
    boot(2);
    trial.resume();
    return costOf(trial);
}

FaultCost FaultsBench::hostIsDeadForElasticRun() {
    const QJsonObject scaling{
        {"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}, {"elastic", QJsonObject{{"min", 1}, {"max", 2}}}};
    const auto steps = static_cast<int>(90 / m_stepSeconds); // it is tried again after 20 s
    FaultTrial trial(m_runs, base("elastic", {{"scaling", scaling}}, steps));
    trial.hurt([this] { off(2); });
    trial.waitUntil("one rank", [&] { return trial.row().worldSize == 1; });
    trial.waitForSteps(300);
    trial.recovered();
    boot(2);
    const double from = monotonicSeconds();
    trial.waitUntil("two ranks", [&] { return trial.row().worldSize == 2; });
    std::printf("  two ranks again %.1f s after the boot\n", monotonicSeconds() - from);
    return costOf(trial);
}

FaultCost FaultsBench::hostIsDeadAndThereIsASpare() {
    FaultTrial trial(m_runs, base("spare", {{"spareHosts", QJsonArray{"h4"}}}));
    trial.hurt([this] { off(2); });
    return costOf(trial);
}

FaultCost FaultsBench::programIsGone() {
    FaultTrial trial(m_runs, base("gone"));
    trial.hurt(
        [this] { on(2, std::string("find ~/.cache/trainyard -name 'trainyard-*' -type f -delete; ") + kEndRank); });
    return costOf(trial);
}

// Of the host of rank 0, with room for one checkpoint and a half.
FaultCost FaultsBench::diskIsFull() {
    on(1, "mkdir -p ~/.cache/trainyard/runs && mount -t tmpfs -o size=64m tmpfs ~/.cache/trainyard/runs");
    FaultTrial trial(m_runs, base("full"));
    trial.waitUntil("a checkpoint", [&] { return trial.newestCheckpoint() > 0; });
    trial.hurt([this] {
        on(1,
           "cd ~/.cache/trainyard/runs && size=$(du -sk . | cut -f 1) && for try in $(seq 2000); do "
           "mount -o remount,size=$((size * 3 / 2))k ~/.cache/trainyard/runs && exit; sleep 0.01; done 2> /dev/null; "
           "exit 1");
    });
    trial.waitForEnd();
    std::printf("  %s: %s\n", wire::toString(trial.row().status), trial.row().error.message.c_str());
    on(1, "mount -o remount,size=64m ~/.cache/trainyard/runs");
    trial.resume();
    return costOf(trial);
}

// Until it is back, and some time after.
FaultCost FaultsBench::offTheNet(int seconds) {
    FaultTrial trial(m_runs, base("net", {}, static_cast<int>((seconds + 15) / m_stepSeconds)));
    trial.hurt([this] { m_lab.cutController(); });
    trial.wait(seconds);
    m_lab.joinController();
    return costOf(trial);
}

// With its supervisor: no host is told that a connection has ended. Its ranks wait for a supervisor for 20 s.
FaultCost FaultsBench::computerIsOff() {
    FaultTrial trial(
        m_runs, base("laptop", {{"failure", QJsonObject{{"linkSeconds", 20}}}}, static_cast<int>(60 / m_stepSeconds)));
    trial.hurt([&] {
        m_lab.cutController();
        ::kill(static_cast<pid_t>(trial.row().supervisorPid), SIGKILL);
    });
    trial.wait(40);
    m_lab.joinController();
    const int left = ranksLeft();
    if (left > 0) std::printf("  %d ranks are left\n", left);
    trial.resume();
    return costOf(trial);
}

// Whoever supervises the run there needs a key for the other host.
void FaultsBench::knowTheOtherHost() {
    const auto digest = sha256HexOf(m_lab.key("ed25519"));
    const auto session = m_lab.connect(1);
    if (!remote::sendMissing(*session, {{m_lab.key("ed25519"), *digest, "/root/.ssh/id_ed25519", false}}).ok())
        throw std::runtime_error("the key does not come to h1");
    const auto tested = test::trainyardctl({"hosts", "test", "root@h2", "--accept-new-key", "--on", "h1"});
    if (tested.code != 0) throw std::runtime_error(tested.said().toStdString());
}

FaultCost FaultsBench::computerIsOffAndTheRunLivesElsewhere() {
    knowTheOtherHost();
    auto start = base("home", {{"hosts", QJsonArray{"local", "root@h2"}}},
                      static_cast<int>((m_offSeconds + 15) / m_stepSeconds));
    start.where = {"--on", "h1"};
    FaultTrial trial(m_runs, start);
    QProcess follower;
    follower.start(test::program("trainyardctl"), {"attach", trial.run(), "--workspace", m_runs.workspace()});
    trial.hurt([&] {
        m_lab.cutController();
        follower.kill();
    });
    follower.waitForFinished(5000);
    trial.wait(m_offSeconds);
    m_lab.joinController();
    const double from = monotonicSeconds();
    QJsonObject shown;
    const auto isHere = [&] { return !(shown = m_runs.show(trial.run()))["status"].toString().isEmpty(); };
    trial.waitUntil("the run", isHere);
    std::printf("  %.1f s after its return: %s at step %lld, %d restarts\n", monotonicSeconds() - from,
                qPrintable(shown["status"].toString()), static_cast<long long>(shown["steps"].toInteger()),
                shown["restarts"].toInt());
    trial.waitUntil("the end", [&] { return isHere() && shown["status"].toString() == "finished"; }, 600);
    const auto fetched = m_runs.command({"fetch", trial.run()});
    if (fetched.code != 0) throw std::runtime_error(fetched.said().toStdString());
    return costOf(trial);
}

FaultCost FaultsBench::stopped() {
    FaultTrial trial(m_runs, base("stopped"));
    trial.hurt([] {});
    trial.command({"stop", trial.run()});
    trial.resume();
    return costOf(trial);
}

FaultCost FaultsBench::endedBesideADeadHost(const char* command) {
    FaultTrial trial(m_runs, base("ended"));
    trial.hurt([this] { off(2); });
    trial.wait(8);
    trial.command({command, trial.run()});
    boot(2);
    trial.resume();
    return costOf(trial);
}

struct Row {
    const char* name;
    FaultCost (FaultsBench::*make)();
    int seconds = 0;        // that its run takes beyond the base; -1: those of the argument
    bool keepsSteps = true; // a rank survives, and can save
    bool keepsBits = true;  // as many ranks all the time
};

constexpr Row kRows[] = {
    {"nothing", &FaultsBench::nothing},
    {"cable cut 3 s", &FaultsBench::cutBriefly},
    {"cable cut 15 s", &FaultsBench::cutLonger},
    {"power off, booted after 12 s", &FaultsBench::powerIsOffForAMoment},
    {"shut down, booted after 1 s", &FaultsBench::hostIsBootedAnew},
    {"sshd of a rank killed", &FaultsBench::sshdOfARankIsKilled},
    {"rank killed, 6 times", &FaultsBench::ranksAreKilled},
    {"terminal killed", &FaultsBench::terminalIsKilled},
    {"supervisor killed, resumed", &FaultsBench::supervisorIsKilled},
    {"host dead for good", &FaultsBench::hostIsDead},
    {"host dead, elastic 1 to 2", &FaultsBench::hostIsDeadForElasticRun, 90, true, false},
    {"host dead, a spare", &FaultsBench::hostIsDeadAndThereIsASpare},
    {"program gone, rank killed", &FaultsBench::programIsGone},
    {"disk of a host full", &FaultsBench::diskIsFull, 0, false},
    {"this computer off the net 30 s", &FaultsBench::offTheNetBriefly, 45},
    {"this computer off the net 95 s", &FaultsBench::offTheNetLonger, 110},
    {"this computer off 40 s, its run", &FaultsBench::computerIsOff, 60},
    {"this computer off, run elsewhere", &FaultsBench::computerIsOffAndTheRunLivesElsewhere, -1},
    {"stop", &FaultsBench::stopped},
    {"stop 8 s after a host died", &FaultsBench::stoppedBesideADeadHost},
    {"kill 8 s after a host died", &FaultsBench::killedBesideADeadHost, 0, false},
};

std::string text(const std::optional<double>& seconds) {
    if (!seconds) return "-";
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.2f", *seconds);
    return digits;
}

void measure(FaultsBench& bench, const Row& row, bench::Bars& bars) {
    try {
        const FaultCost cost = (bench.*row.make)();
        std::printf("%-34s %7s %7s %7s %7s %5lld %6lld/%lld %-6s %-9s %.17g\n", row.name, text(cost.noticed).c_str(),
                    text(cost.again).c_str(), text(cost.pause).c_str(), text(cost.command).c_str(),
                    static_cast<long long>(cost.lost), static_cast<long long>(cost.points),
                    static_cast<long long>(cost.steps), cost.whole ? "whole" : "BROKEN",
                    cost.equal ? "equal" : "not equal", cost.lastLoss);
        if (row.keepsSteps) bars.keep(row.name, static_cast<double>(cost.lost), 0, "steps lost");
        bars.keep(row.name, cost.whole ? 0 : 1, 0, "curves with gaps");
        if (row.keepsBits) bars.keep(row.name, cost.equal ? 0 : 1, 0, "curves that differ");
    } catch (const std::exception& failure) {
        std::printf("%-34s FAILED: %s\n", row.name, failure.what());
        bars.keep(row.name, 1, 0, "failures");
    }
    std::fflush(stdout);
    bench.heal();
}

} // namespace

int main(int argc, char** argv) {
    if (!QDir("/usr/share/datasets/fashion-mnist").exists()) {
        std::puts("SKIP: Fashion-MNIST is not installed");
        return 77;
    }
    if (!QFile::exists(test::program("trainyardctl"))) {
        std::puts("SKIP: TRAINYARD_BIN does not name the folder of the programs");
        return 77;
    }
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    bench::Bars bars(arguments);
    const QStringList words = arguments.size() > 1 ? arguments[1].split(',') : QStringList{""};
    const int seconds = arguments.size() > 2 ? std::max(1, arguments[2].toInt()) : 60;
    std::vector<Row> rows;
    int longest = 0;
    for (const Row& row : kRows) {
        if (std::none_of(words.begin(), words.end(),
                         [&](const QString& word) { return QString(row.name).contains(word); }))
            continue;
        rows.push_back(row);
        longest = std::max(longest, row.seconds < 0 ? seconds + 15 : row.seconds);
    }
    try {
        FaultsBench bench(seconds);
        bench.trainUndisturbed(longest);
        std::printf("%-34s %7s %7s %7s %7s %5s %11s\n", "seconds until", "noticed", "again", "pause", "command", "lost",
                    "points");
        for (const Row& row : rows) measure(bench, row, bars);
    } catch (const std::exception& failure) {
        std::printf("%s\n", failure.what());
        return 1;
    }
    return bars.exitCode();
}
