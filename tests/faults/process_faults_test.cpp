// SPDX-License-Identifier: GPL-3.0-or-later
// No more processes and no more open files, for a moment or for good, where supervisors and pools need them: real
// ranks, of which one is lost and cannot be replaced at once.
#include "engine/run/attach/run_follower.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/start/run_start.h"
#include "tests/faults/storage_fault.h"
#include "tests/multiproc/lab/process_look.h"
#include "tests/multiproc/lab/run_lab.h"

#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

using namespace trainyard;
using test::parentOf;
using test::RunLab;
using test::StorageFault;

namespace {

constexpr int kSteps = 1500;

// Seconds of processor time that a process has used.
double processorSeconds(std::int64_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string word;
    for (int field = 3; field < 14 && fields >> word; ++field) {}
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// A process cannot open another file while this lives.
class NoMoreFiles {
public:
    NoMoreFiles(std::int64_t pid, rlim_t most) : m_pid(static_cast<pid_t>(pid)) {
        ::prlimit(m_pid, RLIMIT_NOFILE, nullptr, &m_before);
        const rlimit low{most, m_before.rlim_max};
        m_set = ::prlimit(m_pid, RLIMIT_NOFILE, &low, nullptr) == 0;
    }
    ~NoMoreFiles() { ::prlimit(m_pid, RLIMIT_NOFILE, &m_before, nullptr); }
    NoMoreFiles(const NoMoreFiles&) = delete;
    NoMoreFiles& operator=(const NoMoreFiles&) = delete;
    bool isSet() const { return m_set; }

private:
    pid_t m_pid;
    rlimit m_before{};
    bool m_set = false;
};

} // namespace

class ProcessFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const char* why = StorageFault::cannotBe()) QSKIP(why);
    }
    void init() { m_lab = std::make_unique<RunLab>(); }
    void cleanup() { m_lab.reset(); }

    void aSupervisorThatCannotBeStartedIsExplained();
    void aRunThatCannotBeLaunchedIsExplained_data();
    void aRunThatCannotBeLaunchedIsExplained();
    void aLimitOfFileSizesIsAFullDisk();
    void aReplacementWaitsForAProcess_data();
    void aReplacementWaitsForAProcess();
    void aSupervisorWithoutDescriptorsGoesOn();
    void aPoolWithoutDescriptorsTakesNoRankWithIt();
    void aPoolThatCannotForkIsPassedOver();

private:
    void passesAsNobody(const char* test); // root's processes know no limit
    std::string startReal() { return m_lab->startReal(RunLab::spirals(2, kSteps)); }
    void checkNothingWasLost(const std::string& run);
    std::unique_ptr<RunLab> m_lab;
};

void ProcessFaultsTest::passesAsNobody(const char* test) {
    // access() answers for the user alone, and the build may lie in root's own folder.
    const QTemporaryDir programs;
    const auto permissions = QFile::permissions(programs.path());
    QVERIFY(QFile::setPermissions(programs.path(), permissions | QFile::ReadOther | QFile::ExeOther));
    for (const char* name : {"trainyard-worker", "trainyardctl"})
        QVERIFY(QFile::copy(QString::fromUtf8(RunLab::builtPrograms() + '/' + name), programs.filePath(name)));
    QProcess other;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.remove("XDG_RUNTIME_DIR");
    environment.insert("TRAINYARD_BIN", programs.path());
    other.setProcessEnvironment(environment);
    other.setProcessChannelMode(QProcess::MergedChannels);
    other.start("setpriv", {"--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+dac_override",
                            "--ambient-caps=+dac_override", QCoreApplication::applicationFilePath(), test});
    QVERIFY2(other.waitForFinished(120'000), "it did not end");
    const auto said = other.readAll();
    QVERIFY2(other.exitCode() == 0 && !said.contains("SKIP"), said.constData());
}

void ProcessFaultsTest::checkNothingWasLost(const std::string& run) {
    const auto row = m_lab->waitForEnd(run, 120);
    const auto log = m_lab->logText(run);
    QVERIFY2(row.status == wire::RunStatus::Finished, log.c_str());
    QCOMPARE(row.restarts, 1);
    QVERIFY2(log.find("the others keep their state, no step is lost") != std::string::npos, log.c_str());
    QVERIFY2(log.find("restarted from") == std::string::npos, log.c_str());
    QCOMPARE(m_lab->contiguity(run, kSteps), std::string());
}

// Fault: No process, or no descriptor, for a supervisor. An Environment error with the reason and the limit to raise.
void ProcessFaultsTest::aSupervisorThatCannotBeStartedIsExplained() {
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit low{3, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &low);
    const auto started = run::spawnSupervisor("supervise", m_lab->folder(), run::Detachment::Full);
    ::setrlimit(RLIMIT_NOFILE, &before);
    QVERIFY(!started);
    QCOMPARE(started.error().kind, ErrorKind::Environment);
    QVERIFY2(started.error().message.find("cannot start a supervisor: Too many open files") == 0,
             started.error().text().c_str());
    QVERIFY2(started.error().remedy.find("ulimit -n") != std::string::npos, started.error().text().c_str());

    // The catalog is known from here on.
    QCOMPARE(m_lab->waitForEnd(m_lab->start({.plan = "", .epochs = 1})).status, wire::RunStatus::Finished);
    QFile file(QString::fromStdString(m_lab->folder() + "/run.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(spec::toJson(m_lab->spec({.plan = "", .epochs = 1})).c_str());
    file.close();
    const StorageFault fault(
        {.program = "trainyardctl", .path = "process", .fault = "EAGAIN", .calls = "fork", .times = 0},
        m_lab->folder());
    QProcess process;
    process.start(QString::fromLocal8Bit(qgetenv("TRAINYARD_BIN")) + "/trainyardctl", {"run", file.fileName()});
    QVERIFY(process.waitForFinished(30'000));
    const auto said = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 3);
    QVERIFY2(said.contains("cannot start a supervisor: Resource temporarily unavailable"), said.constData());
    QVERIFY2(said.contains("ulimit -u"), said.constData());
}

// Fault: No process (EAGAIN), or no descriptor (EMFILE), for the first ranks, for good. The run fails with reason and
// remedy, after its restarts.
void ProcessFaultsTest::aRunThatCannotBeLaunchedIsExplained_data() {
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("no process") << "fork" << "EAGAIN" << "Resource temporarily unavailable" << "ulimit -u";
    QTest::newRow("no descriptor") << "pipe" << "EMFILE" << "Too many open files" << "ulimit -n";
}

void ProcessFaultsTest::aRunThatCannotBeLaunchedIsExplained() {
    QFETCH(QString, calls);
    QFETCH(QString, fault);
    QFETCH(QString, said);
    QFETCH(QString, remedy);
    const StorageFault injected({.program = "trainyardctl",
                                 .path = "process",
                                 .fault = fault.toStdString(),
                                 .calls = calls.toStdString(),
                                 .times = 0},
                                m_lab->folder());
    const auto row = m_lab->waitForEnd(m_lab->start({.plan = "", .maxRestarts = 1}));
    QVERIFY(injected.wasHit());
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.error.kind, ErrorKind::Environment);
    const auto wanted = "cannot start a worker process: " + said.toStdString();
    QVERIFY2(row.error.message.find(wanted) != std::string::npos, row.error.message.c_str());
    QVERIFY2(row.error.remedy.find(remedy.toStdString()) != std::string::npos, row.error.remedy.c_str());
}

// ulimit -f: no process dies of it. The run trains to its end, and says which limit keeps its checkpoints from being
// saved.
// Fault: A file size limit on all processes (ulimit -f). No process dies of SIGXFSZ; the run trains to its end and
// fails (environment), since its checkpoints are larger; resumed without the limit it continues.
void ProcessFaultsTest::aLimitOfFileSizesIsAFullDisk() {
    auto spec = RunLab::spirals(2, 60);
    spec.name = "limited";
    spec.model = {"mlp", {{"hidden", std::vector<double>{512, 512}}}};
    spec.checkpoint.everySteps = 20;
    const std::string file = m_lab->folder() + "/run.json";
    std::ofstream(file) << spec::toJson(spec);
    QProcess process;
    qputenv("TRAINYARD_BIN", RunLab::builtPrograms());
    process.start("bash", {"-c", "ulimit -f 1000; exec \"$TRAINYARD_BIN/trainyardctl\" run \"$0\"",
                           QString::fromStdString(file)});
    QVERIFY(process.waitForFinished(90'000));
    const auto said = process.readAllStandardError();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 3, said.constData());
    const auto row = m_lab->row("limited");
    QCOMPARE(row.status, wire::RunStatus::Failed);
    QCOMPARE(row.step, 60);
    QCOMPARE(row.restarts, 0);
    QCOMPARE(row.error.code, ErrorCode::CheckpointNotSaved);
    QVERIFY2(row.error.message.find("a file may not be larger than 1.0 MB here") != std::string::npos,
             row.error.message.c_str());
    QCOMPARE(row.error.remedy, std::string("raise the limit (ulimit -f), then resume the run"));
    QVERIFY(said.contains("raise the limit (ulimit -f)"));
    QVERIFY(run::resumeRun(m_lab->workspace(), row.id).ok()); // without the limit, as it says
    QCOMPARE(m_lab->waitForEnd(row.id, 90).status, wire::RunStatus::Finished);
}

// Fault: No process, or no descriptor, for a replacement, for a while. The others keep their state while it is tried
// again for a minute; no step is lost.
void ProcessFaultsTest::aReplacementWaitsForAProcess_data() { aRunThatCannotBeLaunchedIsExplained_data(); }

void ProcessFaultsTest::aReplacementWaitsForAProcess() {
    QFETCH(QString, calls);
    QFETCH(QString, fault);
    QFETCH(QString, said);
    QFETCH(QString, remedy);
    StorageFault injected({.program = "trainyardctl",
                           .path = "process",
                           .fault = fault.toStdString(),
                           .calls = calls.toStdString(),
                           .times = 3,
                           .armed = false},
                          m_lab->folder());
    const auto run = startReal();
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    injected.arm();
    ::kill(static_cast<pid_t>(m_lab->workerPids(run)[1]), SIGKILL);
    checkNothingWasLost(run);
    QVERIFY(injected.wasHit());
    const auto log = m_lab->logText(run);
    for (const QString& words : {QStringLiteral("rank 1 cannot be launched"), said, remedy})
        QVERIFY2(log.find(words.toStdString()) != std::string::npos, log.c_str());
}

// Fault: The supervisor may open no more files, a rank is lost, a watcher wants in. No other rank is lost, nothing
// spins; once it may, the rank is replaced and no step is lost.
void ProcessFaultsTest::aSupervisorWithoutDescriptorsGoesOn() {
    const auto run = startReal();
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto supervisor = m_lab->row(run).supervisorPid;
    {
        const NoMoreFiles limit(supervisor, 8); // it has more open
        QVERIFY(limit.isSet());
        const auto watcher = run::RunFollower::open(m_lab->workspace(), run); // knocks, and cannot be let in
        QVERIFY(watcher.ok());
        (void)(*watcher)->poll(50);
        ::kill(static_cast<pid_t>(m_lab->workerPids(run)[1]), SIGKILL);
        const auto told = [&] { return m_lab->logText(run).find("Too many open files") != std::string::npos; };
        QVERIFY(m_lab->waitUntil(told, 20));
        const double before = processorSeconds(supervisor);
        QTest::qWait(1500);
        QVERIFY2(processorSeconds(supervisor) - before < 0.4, "it does not wait but spins");
    }
    checkNothingWasLost(run);
}

// Fault: The pool of workers may open no more files, a rank is lost. The pool's ranks continue; the lost one is started
// as a program.
void ProcessFaultsTest::aPoolWithoutDescriptorsTakesNoRankWithIt() {
    const auto run = startReal();
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto pids = m_lab->workerPids(run);
    const NoMoreFiles limit(parentOf(pids[0]), 6); // it has them open: what a request brings along does not come in
    QVERIFY(limit.isSet());
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    checkNothingWasLost(run);
    const auto workers = m_lab->query().workers(run);
    QVERIFY(workers.ok());
    QCOMPARE(workers->front().pid, pids[0]); // the rank that lived was left alone
}

// Fault: The pool of workers cannot fork (EAGAIN, RLIMIT_NPROC). The pool's ranks continue; the lost one is started as
// a program.
void ProcessFaultsTest::aPoolThatCannotForkIsPassedOver() {
    if (::geteuid() == 0) return passesAsNobody("aPoolThatCannotForkIsPassedOver");
    const auto run = startReal();
    QVERIFY(m_lab->waitForStep(run, 150, 60));
    const auto supervisor = m_lab->row(run).supervisorPid;
    const auto pids = m_lab->workerPids(run);
    const auto pool = parentOf(pids[0]);
    QVERIFY(pool != supervisor);
    const rlimit none{1, 1};
    QCOMPARE(::prlimit(static_cast<pid_t>(pool), RLIMIT_NPROC, &none, nullptr), 0);
    const auto endIt = qScopeGuard([&] { ::kill(static_cast<pid_t>(pool), SIGTERM); }); // the next run has another
    ::kill(static_cast<pid_t>(pids[1]), SIGKILL);
    const auto replaced = [&] { return m_lab->workerPids(run).at(1) != pids[1]; };
    QVERIFY(m_lab->waitUntil(replaced, 20));
    QCOMPARE(parentOf(m_lab->workerPids(run)[1]), supervisor); // the pool was passed over
    checkNothingWasLost(run);
    const auto workers = m_lab->query().workers(run);
    QVERIFY(workers.ok());
    QCOMPARE(workers->front().pid, pids[0]);
}

QTEST_GUILESS_MAIN(ProcessFaultsTest)
#include "process_faults_test.moc"
