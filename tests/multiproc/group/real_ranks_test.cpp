// SPDX-License-Identifier: GPL-3.0-or-later
// Real ranks that go on living in a bad state: slowed down by their computer, or without memory.
#include "tests/multiproc/lab/run_lab.h"

#include <QRegularExpression>
#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

using namespace trainyard;
using test::RunLab;

namespace {

// Lets a process run for one of ten milliseconds, until it is destroyed.
class SlowedDown {
public:
    explicit SlowedDown(std::int64_t pid)
        : m_thread([this, pid] {
              using namespace std::chrono_literals;
              while (!m_ends) {
                  ::kill(static_cast<pid_t>(pid), SIGSTOP);
                  std::this_thread::sleep_for(9ms);
                  ::kill(static_cast<pid_t>(pid), SIGCONT);
                  std::this_thread::sleep_for(1ms);
              }
          }) {}
    ~SlowedDown() {
        m_ends = true;
        m_thread.join();
    }

private:
    std::atomic<bool> m_ends{false};
    std::thread m_thread;
};

rlim_t addressSpace(std::int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("VmSize:")) return static_cast<rlim_t>(std::stoull(line.substr(7)) * 1024);
    return 0;
}

// A control group, of version 1 or 2, whose processes may take up no memory beyond what they have.
class MemoryGroup {
public:
    explicit MemoryGroup(const std::string& name) {
        namespace fs = std::filesystem;
        std::error_code failed;
        for (const auto& [root, limit] :
             {std::pair("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), std::pair("/sys/fs/cgroup", "memory.max")}) {
            const fs::path folder = fs::path(root) / name;
            if (!fs::is_directory(root, failed) || !fs::create_directory(folder, failed)) continue;
            m_folder = folder;
            if (write(limit, "65536")) return;
            fs::remove(folder, failed);
            m_folder.clear();
        }
    }
    ~MemoryGroup() {
        std::error_code ignored;
        for (int i = 0; made() && i < 100 && !std::filesystem::remove(m_folder, ignored); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until its last process is gone
    }
    bool made() const { return !m_folder.empty(); }
    bool take(std::int64_t pid) const { return write("cgroup.procs", std::to_string(pid)); }

private:
    bool write(const char* file, const std::string& text) const {
        std::ofstream out(m_folder / file);
        return static_cast<bool>(out << text << std::flush);
    }
    std::filesystem::path m_folder;
};

} // namespace

class RealRanksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void aRankThatIsSlowedDownIsNamed();
    void aRankWithoutMemoryIsNamedAndReplaced();
    void aRunWithoutMemoryEndsWithThatCode();
    void aKilledRankEndsARunWithoutRestartsWithThatCode();
    void aRankThatTheKernelEndsForMemoryIsNamedAndReplaced();

private:
    static constexpr std::int64_t kFew = 250; // of a wide model, which takes some milliseconds for each; it validates
                                              // after every sixty
    std::unique_ptr<RunLab> m_lab;
};

void RealRanksTest::aRankThatIsSlowedDownIsNamed() {
    auto spec = RunLab::spirals(2, 1'000'000);
    spec.model.params["hidden"] = std::vector<double>{256, 256}; // computing is most of a step
    spec.checkpoint.everySteps = 0;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const SlowedDown slow(m_lab->workerPids(run)[1]);
    const QRegularExpression named("rank 1 on this computer is slow: it computes ([0-9.]+) times as long in each step "
                                   "as the others, which wait for it");
    QRegularExpressionMatch told;
    const bool isTold = m_lab->waitUntil(
        [&] {
            told = named.match(QString::fromStdString(m_lab->logText(run)));
            return told.hasMatch();
        },
        60);
    QVERIFY2(isTold, m_lab->logText(run).c_str());
    QVERIFY2(told.captured(1).toDouble() >= 2, qPrintable(told.captured(0)));
    QVERIFY2(m_lab->logText(run).find("rank 0 on this computer is slow") == std::string::npos,
             m_lab->logText(run).c_str());
    QCOMPARE(m_lab->row(run).restarts, 0); // slow is not lost
}

// Its address space may grow no more in the midst of training: the next validation, of larger batches, finds no memory.
// Fault: A rank finds no memory (its address space is limited). Rank, step and "not enough memory" with the remedy; it
// is replaced, no step is lost.
void RealRanksTest::aRankWithoutMemoryIsNamedAndReplaced() {
    auto spec = RunLab::spirals(2, kFew);
    spec.model.params["hidden"] = std::vector<double>{32768};
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto pid = m_lab->workerPids(run)[1];
    const rlimit limit{addressSpace(pid), RLIM_INFINITY};
    QCOMPARE(::prlimit(static_cast<pid_t>(pid), RLIMIT_AS, &limit, nullptr), 0);
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QCOMPARE(row.restarts, 1);
    QVERIFY2(log.find("rank 1") != std::string::npos && log.find("not enough memory") != std::string::npos,
             log.c_str());
    QVERIFY2(log.find("a validation takes 256 samples at once, whatever the batch") != std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
}

// Fault: A rank finds no memory, with failure.maxRestarts 0. The run ends with the code out-of-memory, for which the
// window offers half the batch. Also in failure_fix_test.
void RealRanksTest::aRunWithoutMemoryEndsWithThatCode() {
    auto spec = RunLab::spirals(1, kFew);
    spec.model.params["hidden"] = std::vector<double>{32768};
    spec.failure.maxRestarts = 0;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    const auto pid = m_lab->workerPids(run)[0];
    const rlimit limit{addressSpace(pid), RLIM_INFINITY};
    QCOMPARE(::prlimit(static_cast<pid_t>(pid), RLIMIT_AS, &limit, nullptr), 0);
    const auto row = m_lab->waitForEnd(run, 120);
    QVERIFY2(row.status == wire::RunStatus::Failed, m_lab->logText(run).c_str());
    QVERIFY2(row.error.code == ErrorCode::OutOfMemory, row.error.text().c_str());
    QCOMPARE(row.error.kind, ErrorKind::Environment);
}

// The others report that they have lost it, and are not taken for the cause.
// Fault: SIGKILL of one rank with failure.maxRestarts 0. Code worker-killed and the killed rank's host; the others'
// peer-lost is not taken for the cause. Also in run_faults_test.
void RealRanksTest::aKilledRankEndsARunWithoutRestartsWithThatCode() {
    auto spec = RunLab::spirals(2, 1'000'000);
    spec.failure.maxRestarts = 0;
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    QCOMPARE(::kill(static_cast<pid_t>(m_lab->workerPids(run)[1]), SIGKILL), 0);
    const auto row = m_lab->waitForEnd(run, 60);
    QVERIFY2(row.error.code == ErrorCode::WorkerKilled, row.error.text().c_str());
    QVERIFY2(row.error.where.starts_with("rank 1 on this computer"), row.error.where.c_str());
}

// A group of processes with a limit of memory, as schedulers and containers set one.
// Fault: The kernel kills a rank for lack of memory (a control group with a limit). Told apart from another SIGKILL,
// with the remedy; it is replaced, no step is lost. On hosts over SSH it reads like any other SIGKILL.
void RealRanksTest::aRankThatTheKernelEndsForMemoryIsNamedAndReplaced() {
    const MemoryGroup group("trainyard-test-" + std::to_string(::getpid()));
    if (!group.made()) QSKIP("no group of processes with a limit of memory can be made here");
    auto spec = RunLab::spirals(2, kFew);
    // The one validation, at the end, takes more than what the rank has used before.
    spec.model.params["hidden"] = std::vector<double>{32768};
    spec.dataset.params["samples"] = std::int64_t{400'000};
    const auto run = m_lab->startReal(spec);
    QVERIFY(m_lab->waitForStep(run, 50, 60));
    QVERIFY(group.take(m_lab->workerPids(run)[1]));
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QCOMPARE(row.restarts, 1);
    QVERIFY2(log.find("rank 1 on this computer was killed by SIGKILL when the kernel ended a process for lack of "
                      "memory") != std::string::npos,
             log.c_str());
    QVERIFY2(log.find("use a smaller batch, model or dataset, fewer ranks, or a higher limit of memory") !=
                 std::string::npos,
             log.c_str());
    QCOMPARE(m_lab->contiguity(run, kFew), std::string());
}

QTEST_GUILESS_MAIN(RealRanksTest)
#include "real_ranks_test.moc"
