// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "engine/torch/group/core_share.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sched.h>
#include <thread>

using namespace trainyard;
using train::CoreShare;

// How a rank shares its core with other programs, with real processes.
class CoreShareTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void twoProcessesChangeCores();
    void coresAreGivenBack();
    void delayIsTheTimeWithoutACore();
};

namespace {

cpu_set_t coresOf(pid_t thread) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    ::sched_getaffinity(thread, sizeof cores, &cores);
    return cores;
}

cpu_set_t only(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    return cores;
}

void stayOn(int core, pid_t thread = 0) {
    const cpu_set_t cores = only(core);
    ::sched_setaffinity(thread, sizeof cores, &cores);
}

void work(double seconds) {
    for (const double end = monotonicSeconds() + seconds; monotonicSeconds() < end;) {}
}

// A process that never waits, on this core from its first instruction on.
class Spinner {
public:
    explicit Spinner(int core) : m_pid(::fork()) {
        if (m_pid != 0) return;
        stayOn(core);
        while (true) {}
    }
    ~Spinner() {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    pid_t pid() const { return m_pid; }

private:
    pid_t m_pid;
};

// Two of the cores that this process was given.
std::pair<int, int> twoCores(const cpu_set_t& cores) {
    std::vector<int> found;
    for (int core = 0; core < CPU_SETSIZE && found.size() < 2; ++core)
        if (CPU_ISSET(core, &cores)) found.push_back(core);
    return {found.at(0), found.at(1)};
}

} // namespace

void CoreShareTest::init() {
    const cpu_set_t cores = coresOf(0);
    if (CPU_COUNT(&cores) < 2) QSKIP("one core only: there is none to change with");
}

void CoreShareTest::twoProcessesChangeCores() {
    const CoreShare share;
    const auto [mine, its] = twoCores(coresOf(0));
    stayOn(mine);
    const Spinner other(its);
    work(0.05); // until it runs
    QVERIFY(share.exchangeWith(other.pid()));
    const cpu_set_t here = coresOf(0), there = coresOf(other.pid()), onMine = only(mine), onIts = only(its);
    QVERIFY(CPU_EQUAL(&here, &onIts));
    QVERIFY(CPU_EQUAL(&there, &onMine));
    QCOMPARE(::sched_getcpu(), its);
}

void CoreShareTest::coresAreGivenBack() {
    const cpu_set_t before = coresOf(0);
    {
        const CoreShare share;
        stayOn(twoCores(before).first); // as another rank does
        useAllCores();
        cpu_set_t now = coresOf(0);
        QVERIFY(CPU_EQUAL(&now, &before));
        stayOn(twoCores(before).second);
    }
    const cpu_set_t after = coresOf(0);
    QVERIFY(CPU_EQUAL(&after, &before));
}

void CoreShareTest::delayIsTheTimeWithoutACore() {
    const CoreShare share;
    const int mine = twoCores(coresOf(0)).first;
    stayOn(mine);
    QFile statistics("/proc/self/schedstat"); // on a core, without one, time slices: all 0 where it is not counted
    if (!statistics.open(QFile::ReadOnly) || statistics.readAll().startsWith("0 0 0"))
        QSKIP("not counted by this kernel");
    const Spinner other(mine);
    const double before = share.delay(), begin = monotonicSeconds();
    work(0.5);
    const double lost = (share.delay() - before) / (monotonicSeconds() - begin);
    QVERIFY2(lost > 0.3, qPrintable(QString::number(lost)));
}

QTEST_GUILESS_MAIN(CoreShareTest)
#include "core_share_test.moc"
