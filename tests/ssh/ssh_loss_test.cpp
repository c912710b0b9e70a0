// SPDX-License-Identifier: GPL-3.0-or-later
// What is lost while a run trains over two hosts: ranks, the link, a host, the supervisor.
#include "engine/base/clock.h"
#include "engine/store/run_query.h"
#include "tests/ssh/lab_runs.h"

#include <QRandomGenerator>

#include <csignal>

using namespace trainyard;
using test::Ended;
using test::program;

namespace {

constexpr int kOrphanSteps = 300; // some 25 milliseconds each: longer than they are left alone
constexpr const char* kRanks = "$(ps -eo pid=,comm= | awk '$2 == \"trainyard-worke\" {print $1}')";

} // namespace

class SshLossTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void aLostRankLeavesTheCurvesAsTheyWouldBe();
    void aRehearsalReachesEveryHost();
    void filesThatAreGoneAreCopiedAgain();
    void cutLinkIsOutlived();
    void lostHostIsNamed();
    void aHostThatIsLostComesBack();
    void ranksOutliveTheirSupervisorToSave_data();
    void ranksOutliveTheirSupervisorToSave();
    void whatRanksSavedWhileTheirSupervisorWasCutOffIsTaken();

private:
    QString file(const QString& name, int steps, QJsonObject changes = {}) const;
    QString start(const QString& file) const {
        return m_runs.command({"run", file, "--detach"}).json()["run"].toString();
    }
    QString orphansFile(const char* name, double ms = 24, int linkSeconds = 4) const;
    QString undisturbedOrphans();
    void expectSameCurves(const QString& run, const QString& expected, int steps) const;
    bool signalRanks(int host, const char* signal);
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
};

void SshLossTest::initTestCase() {
    const QString failure = m_lab.start(2);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const char* host : {"h1", "h2"}) QCOMPARE(m_runs.add(host), QByteArray());
}

// What a test that failed leaves must fail no other.
void SshLossTest::cleanup() {
    if (QTest::currentTestFailed()) m_runs.killAll();
}

QString SshLossTest::file(const QString& name, int steps, QJsonObject changes) const {
    if (!changes.contains("model")) changes["model"] = test::pacedModel(steps >= 1'000'000 ? 12 : 5);
    if (!changes.contains("failure")) changes["failure"] = QJsonObject{{"maxRestarts", 0}};
    if (!changes.contains("checkpoint"))
        changes["checkpoint"] = QJsonObject{{"everyEpochs", 0}, {"everySteps", 100}, {"keep", 2}};
    return m_runs.file(name, {"h1", "h2"}, steps, changes);
}

void SshLossTest::expectSameCurves(const QString& run, const QString& expected, int steps) const {
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wanted = m_runs.curve(expected, series), found = m_runs.curve(run, series);
        QCOMPARE(wanted.size(), steps);
        QCOMPARE(found, wanted);
    }
}

bool SshLossTest::signalRanks(int host, const char* signal) {
    const auto sent = m_lab.connect(host)->script(std::string("kill -") + signal + " " + kRanks);
    return sent.ok() && sent->ok();
}

// Each host's rank is killed in turn, at any moment of a step or of a reduction.
void SshLossTest::aLostRankLeavesTheCurvesAsTheyWouldBe() {
    constexpr int kLosses = 6;
    QJsonObject changes{{"model", test::pacedModel()}, {"failure", QJsonObject{{"maxRestarts", 2 * kLosses}}}};
    const QString run = start(file("disturbed", 1'000'000, changes));
    const auto pidOf = [&](int rank) {
        return m_runs.show(run)["workers"].toArray().at(rank).toObject()["pid"].toInt();
    };
    int step = 100;
    for (int lost = 0; lost < kLosses; ++lost) {
        QVERIFY(m_runs.reaches(run, step));
        QTest::qSleep(QRandomGenerator::global()->bounded(100));
        const int rank = lost % 2, victim = pidOf(rank);
        QVERIFY2(signalRanks(1 + rank, "KILL"), "no rank was there to kill");
        QVERIFY(test::waitFor([&] { return pidOf(rank) != victim; }, 60000));
        step = m_runs.steps(run) + 100;
    }
    QVERIFY(m_runs.reaches(run, step));
    QCOMPARE(m_runs.command({"stop", run}).code, 0);
    const int steps = m_runs.steps(run);
    changes["model"] = test::pacedModel(0); // the same model
    const Ended undisturbed = m_runs.command({"run", file("undisturbed", steps, changes)});
    QVERIFY2(undisturbed.code == 0, undisturbed.said().constData());
    expectSameCurves(run, undisturbed.json()["run"].toString(), steps);
}

// Feature: the loss of a worker on another host is rehearsed, with the seconds of each step of the recovery.
void SshLossTest::aRehearsalReachesEveryHost() {
    const QString run = start(file("rehearsed", 1'000'000, {{"failure", QJsonObject{{"maxRestarts", 3}}}}));
    QVERIFY(m_runs.reaches(run, 101));
    const Ended done = m_runs.command({"rehearse", run, "--rank", "1"});
    QVERIFY2(done.code == 0, done.said().constData());
    const QJsonObject told = done.json();
    QCOMPARE(told["host"].toString(), QString("h2"));
    QCOMPARE(told["steps_lost"].toInt(-1), 0);
    double before = 0;
    for (const char* step : {"seconds_to_notice", "seconds_to_regroup", "seconds_to_next_step"}) {
        QVERIFY2(told[step].toDouble(-1) >= before, done.out.constData());
        before = told[step].toDouble();
    }
    QVERIFY2(before > 0 && before < 30, done.out.constData());
    QVERIFY(m_runs.reaches(run, m_runs.steps(run) + 101));
    QCOMPARE(m_runs.show(run)["restarts"].toInt(), 1);
    QCOMPARE(m_runs.command({"kill", run}).code, 0);
}

// A rank is lost, and what starts another one is not there any more: neither the program nor the model.
// Fault: The loss of a rank on a host whose copies of the program and of the run's files are gone. They are copied
// again; no step is lost, one restart.
void SshLossTest::filesThatAreGoneAreCopiedAgain() {
    QJsonObject model = test::pacedModel(12), params = model["params"].toObject();
    const QString copy = m_runs.folder() + "/libpaced_model.so"; // which hosts do not have at this path
    QVERIFY(QFile::copy(params["path"].toString(), copy));
    params["path"] = copy;
    model["params"] = params;
    const QString run =
        start(file("tidied", 1'000'000, {{"model", model}, {"failure", QJsonObject{{"maxRestarts", 3}}}}));
    QVERIFY(m_runs.reaches(run, 101));
    const auto gone =
        m_lab.connect(2)->script(std::string("find ~/.cache/trainyard -type f -print -delete; kill -KILL ") + kRanks);
    QVERIFY2(gone.ok() && gone->ok() && gone->out.find("trainyard-relay") != std::string::npos, "nothing was there");
    QVERIFY2(gone->out.find("libpaced_model") != std::string::npos, gone->out.c_str());
    const auto log = [&] { return m_runs.log(run); };
    QVERIFY2(test::waitFor([&] { return log().contains("all ranks train again"); }, 60000), log().constData());
    QVERIFY2(m_runs.reaches(run, m_runs.steps(run) + 101), log().constData());
    QVERIFY2(m_runs.show(run)["restarts"].toInt() == 1, log().constData());
    QCOMPARE(m_runs.command({"kill", run}).code, 0);
}

// The link to one host is silent for longer than it takes to notice: the run goes on from its last checkpoint.
// Fault: A host that is switched off, or cut off from all others. After 7 s its ranks are given up, and replaced or
// left out as after a kill. Also in ssh_relay_test, failure_detector_test.
void SshLossTest::cutLinkIsOutlived() {
    constexpr int kSteps = 250;
    QProcess process;
    process.start(program("trainyardctl"),
                  {"run",
                   file("cut", kSteps, {{"model", test::pacedModel(14)}, {"failure", QJsonObject{{"maxRestarts", 5}}}}),
                   "--workspace", m_runs.workspace(), "--json"});
    QVERIFY(m_runs.reaches("cut", 1, 30));
    QVERIFY2(process.state() == QProcess::Running, "the run is too short for this test");
    m_lab.cut(2);
    QTest::qSleep(9000);
    m_lab.join(2);
    QVERIFY(process.waitForFinished(100000));
    const QByteArray out = process.readAllStandardOutput();
    QVERIFY2(process.exitCode() == 0, (process.readAllStandardError() + out).constData());
    const QJsonObject result = QJsonDocument::fromJson(out).object();
    QCOMPARE(result["status"].toString(), QStringLiteral("finished"));
    QCOMPARE(result["steps"].toInt(), kSteps);
    QCOMPARE(m_runs.workersOn(1) + m_runs.workersOn(2), 0); // none is left of the first group either
}

void SshLossTest::lostHostIsNamed() {
    QProcess process;
    process.start(program("trainyardctl"),
                  {"run", file("lost", 1'000'000), "--workspace", m_runs.workspace(), "--json"});
    QVERIFY(m_runs.reaches("lost", 1, 30));
    m_lab.powerOff(2);
    const double start = monotonicSeconds();
    QVERIFY(process.waitForFinished(60000));
    qInfo("the loss of a host ended the run after %.1f s", monotonicSeconds() - start);
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(said.contains("h2"), said.constData());
    QCOMPARE(m_runs.workersOn(1), 0);
    m_lab.boot(2);
}

// One worker goes on alone; the other comes back to its host once that is there again.
// Fault: A host is switched off, and the run may continue with fewer ranks. Noticed after 7 s, given up after another
// 4: the others continue, and it is tried again after 20 s, 40 s, ….
void SshLossTest::aHostThatIsLostComesBack() {
    const QJsonObject elastic{{"min", 1}, {"max", 2}};
    const QString run =
        start(file("comes-back", 10'000'000,
                   {{"scaling", QJsonObject{{"workers", 2}, {"threadsPerWorker", 1}, {"elastic", elastic}}},
                    {"failure", QJsonObject{{"maxRestarts", 9}, {"heartbeatSeconds", 5}}}}));
    QVERIFY(m_runs.reaches(run, 51, 30));
    m_lab.powerOff(2);
    const auto workers = [&] { return m_runs.show(run)["world_size"].toInt(); };
    QVERIFY(test::waitFor([&] { return workers() == 1; }, 60000));
    const int step = m_runs.steps(run);
    QVERIFY(m_runs.reaches(run, step + 51, 30));
    m_lab.boot(2);
    QVERIFY2(test::waitFor([&] { return workers() == 2 && m_runs.workersOn(2) == 1; }, 120000),
             m_runs.log(run).constData());
    const int grown = m_runs.steps(run);
    QVERIFY(grown > step);
    QVERIFY2(m_runs.reaches(run, grown + 51, 30), m_runs.log(run).constData());
    QCOMPARE(m_runs.command({"kill", run}).code, 0);
    QVERIFY(m_runs.nothingIsLeft());
}

// Fault: The supervisor, or its computer, dies with ranks on two hosts, also while a rank hangs. No worker is left on a
// host after failure.linkSeconds and the save; a resume takes the checkpoint from the host.
void SshLossTest::ranksOutliveTheirSupervisorToSave_data() {
    QTest::addColumn<bool>("cut");
    QTest::addColumn<bool>("hangs");
    QTest::newRow("the supervisor is killed") << false << false;
    QTest::newRow("this computer is switched off") << true << false;
    QTest::newRow("the supervisor is killed, and a rank hangs") << false << true;
}

// No checkpoint is due before the last step.
QString SshLossTest::orphansFile(const char* name, double ms, int linkSeconds) const {
    return file(name, kOrphanSteps,
                {{"model", test::pacedModel(ms)},
                 {"failure", QJsonObject{{"linkSeconds", linkSeconds}, {"heartbeatSeconds", 60}, {"maxRestarts", 20}}},
                 {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", kOrphanSteps}}}});
}

// The id of a run of the same model whose supervisor is never silent, the same for all tests; empty when it fails.
QString SshLossTest::undisturbedOrphans() {
    static QString run;
    if (run.isEmpty())
        if (const Ended ended = m_runs.command({"run", orphansFile("undisturbed-orphans", 0)}); ended.code == 0)
            run = ended.json()["run"].toString();
    return run;
}

// No checkpoint comes here before the run is resumed.
void SshLossTest::ranksOutliveTheirSupervisorToSave() {
    QFETCH(bool, cut);
    QFETCH(bool, hangs);
    const QString expected = undisturbedOrphans();
    QVERIFY(!expected.isEmpty());
    const QString run = start(orphansFile("orphans"));
    QVERIFY(m_runs.reaches(run, 20));
    const auto store = store::Workspace::open(m_runs.workspace().toStdString());
    QVERIFY(store.ok());
    const auto row = (*store::RunQuery::open(*store))->run(run.toStdString());
    QVERIFY(row.ok() && row->supervisorPid > 0);
    if (hangs) QVERIFY2(signalRanks(2, "STOP"), "no rank was there to stop");
    if (cut) m_lab.cutController(); // nobody tells the hosts that the connections are gone
    ::kill(static_cast<pid_t>(row->supervisorPid), SIGKILL);
    const double from = monotonicSeconds();
    if (cut) {
        QTest::qSleep(6000); // linkSeconds, and a save
        m_lab.joinController();
    }
    // One that hangs has its 20 s to save, and is ended then.
    QVERIFY(m_runs.nothingIsLeft(hangs ? 60 : 15));
    qInfo("no worker is left after %.1f s", monotonicSeconds() - from);
    const int reached = m_runs.steps(run);
    QVERIFY(m_runs.show(run)["checkpoints"].toArray().isEmpty());
    const Ended resumed = m_runs.command({"resume", run});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    QVERIFY2(m_runs.log(run).contains("without a supervisor"), m_runs.log(run).constData());
    QVERIFY(reached > 0 && reached < kOrphanSteps);
    expectSameCurves(run, expected, kOrphanSteps);
}

// The network of this computer is gone for so long that the ranks save and end. Nobody resumes the run.
// Fault: The network of the supervisor's computer is down for longer than failure.linkSeconds, with ranks on two hosts,
// and comes back. They save and end; the supervisor takes their checkpoint from the host and continues from it,
// bit-equal to an undisturbed run.
void SshLossTest::whatRanksSavedWhileTheirSupervisorWasCutOffIsTaken() {
    const QString expected = undisturbedOrphans();
    QVERIFY(!expected.isEmpty());
    const QString run = start(orphansFile("cut-off", 40, 8));
    QVERIFY(m_runs.reaches(run, 20));
    m_lab.cutController();
    // linkSeconds, and a save. The supervisor, which notices after 7 s, looks for linkSeconds whether they are back.
    QTest::qSleep(11000);
    m_lab.joinController();
    const auto status = [&] { return m_runs.show(run)["status"].toString(); };
    const bool ended = test::waitFor([&] { return status() == "finished" || status() == "failed"; }, 120000);
    const QByteArray log = m_runs.log(run);
    QVERIFY2(ended && status() == "finished", log.constData());
    QVERIFY2(log.contains("without a supervisor"), log.constData());
    QVERIFY2(!log.contains("from the beginning"), log.constData());
    expectSameCurves(run, expected, kOrphanSteps);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshLossTest>(argc, argv, {program("trainyardctl"), program("trainyard-worker")});
}

#include "ssh_loss_test.moc"
