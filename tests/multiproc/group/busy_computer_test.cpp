// SPDX-License-Identifier: GPL-3.0-or-later
// Two ranks on two cores change cores beside a busy program, and have both cores again after it.
#include "engine/run/attach/run_control.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QTest>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <sched.h>
#include <vector>

using namespace trainyard;
using test::RunLab;

namespace {

// Two of the cores that this process may use, for it and all that it starts; 0: it has but one.
int keepTwoCores() {
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (::sched_getaffinity(0, sizeof all, &all) != 0) return 0;
    for (std::size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++core)
        if (CPU_ISSET(core, &all)) CPU_SET(core, &two);
    return CPU_COUNT(&two) == 2 && ::sched_setaffinity(0, sizeof two, &two) == 0 ? 2 : 0;
}

class BusyProgram {
public:
    BusyProgram() : m_pid(::fork()) {
        if (m_pid != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (std::atomic<int> turns = 0;;) ++turns;
    }
    ~BusyProgram() {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    BusyProgram(const BusyProgram&) = delete;
    BusyProgram& operator=(const BusyProgram&) = delete;

private:
    pid_t m_pid;
};

// Threads of these processes that may not use two cores.
int threadsMoved(const std::vector<std::int64_t>& processes) {
    int moved = 0;
    for (const auto process : processes) {
        std::error_code gone;
        for (const auto& thread :
             std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
            cpu_set_t set;
            const auto id = static_cast<pid_t>(std::stol(thread.path().filename().string()));
            if (::sched_getaffinity(id, sizeof set, &set) == 0 && CPU_COUNT(&set) < 2) ++moved;
        }
    }
    return moved;
}

} // namespace

class BusyComputerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksHaveAllCoresAgainAfterABusyProgram();
};

// The rank that is always waited for never waits itself: it has to notice on its own that it was moved.
void BusyComputerTest::ranksHaveAllCoresAgainAfterABusyProgram() {
    if (keepTwoCores() != 2) QSKIP("this needs two cores");
    RunLab lab;
    auto spec = RunLab::spirals(2, 1'000'000);
    spec.model.params["hidden"] = std::vector<double>{256, 256};
    spec.checkpoint.everySteps = 0;
    const auto run = lab.startReal(spec);
    QVERIFY(lab.waitForStep(run, 50, 60));
    const auto ranks = lab.workerPids(run);
    for (int round = 0; round < 2; ++round) {
        {
            const BusyProgram busy;
            QVERIFY2(lab.waitUntil([&] { return threadsMoved(ranks) > 0; }, 60), "the ranks never changed cores");
            QTest::qWait(1000); // some more changes
        }
        // They look again after at most 6.4 s.
        QVERIFY2(lab.waitUntil([&] { return threadsMoved(ranks) == 0; }, 60),
                 qPrintable(QStringLiteral("%1 threads have one core").arg(threadsMoved(ranks))));
    }
    QVERIFY(run::stopRun(lab.workspace(), run, wire::StopMode::SaveAndStop).ok());
    const auto row = lab.waitForEnd(run, 60);
    QCOMPARE(row.restarts, 0);
    QCOMPARE(lab.contiguity(run, row.step), std::string());
}

QTEST_GUILESS_MAIN(BusyComputerTest)
#include "busy_computer_test.moc"
