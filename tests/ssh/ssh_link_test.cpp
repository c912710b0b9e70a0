// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks on hosts whose link to their supervisor is cut, while they reach each other: they go on, and are found again.
#include "engine/base/clock.h"
#include "tests/ssh/lab_runs.h"

#include <QDir>
#include <QElapsedTimer>

using namespace trainyard;
using test::Ended;
using test::trainyardctl;

namespace {

constexpr int kLinkSteps = 500; // of kPause milliseconds each: longer than the link is cut
constexpr double kPause = 28;

} // namespace

class SshLinkTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aCutLinkCostsNothing_data();
    void aCutLinkCostsNothing();
    void aCopyThatIsCutBeginsAgain_data();
    void aCopyThatIsCutBeginsAgain();
    void aCheckpointDoesNotWaitForALink();
    void aStopDoesNotWaitForALink_data();
    void aStopDoesNotWaitForALink();

private:
    void expectUndisturbed();
    void resumesSoon(const QString& run);
    Ended start(const char* name, int steps, const QJsonObject& failure, bool detach, QJsonObject model = {}) const;
    QJsonObject show(const QString& run) const { return m_runs.show(run); }
    QByteArray log(const QString& run) const { return m_runs.log(run); }
    int onHost(int n, const char* script) const { return m_runs.onHost(n, script); }
    int workersOn(int n) const { return m_runs.workersOn(n); }
    QString workspace() const { return m_runs.workspace(); }
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
    QString m_expected; // the run that nothing disturbs
};

Ended SshLinkTest::start(const char* name, int steps, const QJsonObject& failure, bool detach,
                         QJsonObject model) const {
    if (model.isEmpty()) model = test::pacedModel(kPause);
    const QJsonObject changes{
        {"model", model}, {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", steps}}}, {"failure", failure}};
    QStringList words{"run", m_runs.file(name, {"h1", "h2"}, steps, changes)};
    if (detach) words << "--detach";
    return m_runs.command(words, 300);
}

void SshLinkTest::initTestCase() {
    const QString failure = m_lab.start(2);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const char* host : {"h1", "h2"}) QCOMPARE(m_runs.add(host), QByteArray());
}

void SshLinkTest::expectUndisturbed() {
    if (!m_expected.isEmpty()) return;
    const Ended ended = start("undisturbed", kLinkSteps, {{"maxRestarts", 0}}, false, test::pacedModel(0));
    QVERIFY2(ended.code == 0, ended.said().constData());
    m_expected = ended.json()["run"].toString();
}

// Feature: ranks on hosts go on while the link to their supervisor is cut, and are found again with all that they said;
// a host that is gone is told apart, and a stop does not wait for it. Also in failure_detector_test, held_link_test,
// hold_test, host_links_test, ssh_outage_test, ssh_relay_test, wire_test.
// Fault: 12 s of silence on the link between the supervisor and its hosts, all or one of two, with the first rank or
// the other, while the ranks reach each other. Reported once, and again when it is back: the ranks train on, no
// restart, bit-equal to an undisturbed run, a curve without a gap. Also in ssh_relay_test, hold_test, held_link_test.
void SshLinkTest::aCutLinkCostsNothing_data() {
    QTest::addColumn<QString>("cut");
    QTest::newRow("this computer's link") << "controller";
    QTest::newRow("the link to one of two hosts") << "2";
    QTest::newRow("the link to the host of the first rank") << "1";
}

// No rank may be replaced, no step taken twice, and no point missing.
void SshLinkTest::aCutLinkCostsNothing() {
    QFETCH(QString, cut);
    expectUndisturbed();
    const auto name = ("cut-" + cut).toLatin1();
    const Ended started = start(name.constData(), kLinkSteps, {{"maxRestarts", 0}}, true);
    const QString run = started.json()["run"].toString();
    const auto steps = [&] { return show(run)["steps"].toInt(); };
    QVERIFY(test::waitFor([&] { return steps() > 25; }, 60000));
    const int before = steps();
    const int host = cut.toInt();
    host ? m_lab.part(host) : m_lab.cutController();
    const double from = monotonicSeconds();
    QVERIFY(test::waitFor([&] { return log(run).contains("no link for"); }, 20000));
    QTest::qSleep(static_cast<int>(1000 * std::max(0.0, 12 - (monotonicSeconds() - from))));
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("running"));
    host ? m_lab.meet(host) : m_lab.joinController();
    const bool back = test::waitFor([&] { return log(run).contains("the link is back after"); }, 60000);
    QVERIFY2(back, log(run).constData());
    QVERIFY(test::waitFor([&] { return steps() > before + 200; }, 10000)); // so much was trained meanwhile
    QVERIFY(test::waitFor([&] { return show(run)["status"].toString() != "running"; }, 240000));
    const auto result = show(run);
    QVERIFY2(result["status"].toString() == "finished", log(run).constData());
    QCOMPARE(result["restarts"].toInt(), 0);
    for (const char* series : {"train/loss", "train/accuracy"}) {
        const auto wanted = m_runs.curve(m_expected, series), found = m_runs.curve(run, series);
        QCOMPARE(wanted.size(), kLinkSteps);
        QCOMPARE(found, wanted);
    }
    QVERIFY(m_runs.nothingIsLeft(10));
    QCOMPARE(onHost(1, "ps -eo comm= | grep -cx trainyard-relay"), 0);
    QCOMPARE(onHost(2, "ps -eo comm= | grep -cx trainyard-relay"), 0);
    QCOMPARE(onHost(2, "find ~/.cache/trainyard -name 'held-*' | wc -l"), 0);
}

// Fault: A cut link while a checkpoint is copied here. It is copied again once the link is back, for at most
// failure.linkSeconds; not when the run is stopped. Also in copy_queue_test.
void SshLinkTest::aCopyThatIsCutBeginsAgain_data() {
    QTest::addColumn<bool>("stops");
    QTest::newRow("until it is here") << false;
    QTest::newRow("unless the run is stopped") << true;
}

// That of the last step, over a slow link.
void SshLinkTest::aCopyThatIsCutBeginsAgain() {
    QFETCH(bool, stops);
    const QByteArray name = QByteArray("copied-") + (stops ? "not" : "again");
    m_lab.slowController();
    const Ended started = start(name.constData(), 20, {{"maxRestarts", 0}}, true, test::pacedModel(kPause, 60'000));
    const QString run = started.json()["run"].toString();
    const QDir here(workspace() + "/runs/" + run + "/checkpoints"); // ranks save on their hosts
    const bool copies = test::waitFor([&] { return !here.entryList(QDir::Files | QDir::Hidden).isEmpty(); }, 90000) &&
                        show(run)["checkpoints"].toArray().isEmpty();
    if (!copies) m_lab.fastController();
    QVERIFY2(copies, QJsonDocument(show(run)).toJson() + log(run));
    m_lab.cutController();
    QVERIFY2(test::waitFor([&] { return log(run).contains("is copied again once"); }, 40000), log(run).constData());
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("running"));
    if (stops) {
        QElapsedTimer timer;
        timer.start();
        (void)trainyardctl({"stop", run, "--workspace", workspace()}); // at once, or else after failure.linkSeconds
        QVERIFY2(timer.elapsed() < 60000, log(run).constData());
        QVERIFY2(log(run).contains("could not be copied from"), log(run).constData());
    }
    m_lab.fastController();
    m_lab.joinController();
    QVERIFY(test::waitFor([&] { return show(run)["status"].toString() != "running"; }, 60000));
    QCOMPARE(show(run)["checkpoints"].toArray().size(), stops ? 0 : 1);
    if (!stops) QVERIFY2(show(run)["status"].toString() == "finished", log(run).constData());
}

// Who asks for one is told so, and it is saved once the link is back.
// Fault: A request for a checkpoint while the link to the hosts is silent. The answer is that it will be saved once the
// link is back, and it is. Also in pending_commands_test.
void SshLinkTest::aCheckpointDoesNotWaitForALink() {
    const Ended started =
        start("asked", 10'000'000, {{"maxRestarts", 0}, {"linkSeconds", 300}, {"heartbeatSeconds", 20}}, true);
    const QString run = started.json()["run"].toString();
    QVERIFY2(test::waitFor([&] { return show(run)["steps"].toInt() > 25; }, 120000), log(run));
    m_lab.part(1);
    QElapsedTimer timer;
    timer.start(); // at first nobody knows
    for (int i = 0; i < 2; ++i) {
        const Ended asked = trainyardctl({"checkpoint", run, "--workspace", workspace()}, 50);
        QCOMPARE(asked.code, 3);
        QVERIFY2(asked.err.contains("there is no link to h1 now; the checkpoint is saved once it is back"),
                 asked.said().constData());
    }
    qInfo("told twice after %.1f s", static_cast<double>(timer.elapsed()) / 1000);
    QVERIFY(show(run)["checkpoints"].toArray().isEmpty());
    m_lab.meet(1);
    QVERIFY2(test::waitFor([&] { return !show(run)["checkpoints"].toArray().isEmpty(); }, 60000), log(run));
    QCOMPARE(trainyardctl({"checkpoint", run, "--workspace", workspace()}).code, 0);
    QCOMPARE(trainyardctl({"kill", run, "--workspace", workspace()}).code, 0);
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 60000));
}

// Fault: A stop while the link to a host is silent. The others save, and 1 s after the cut was noticed (7 s where they
// cannot save alone) nobody waits for the link; hosts whose processes cannot be counted are named, and not counted as
// empty; the unreachable rank saves and ends after failure.linkSeconds, or within seconds once a resume asks it to.
// Also in link_watch_test.
void SshLinkTest::aStopDoesNotWaitForALink_data() {
    QTest::addColumn<int>("after"); // the word of it
    QTest::addColumn<int>("linkSeconds");
    QTest::newRow("soon, and the rank ends by itself") << 0 << 15;
    QTest::newRow("late, and what resumes the run ends it") << 6 << 300;
}

// It reaches the others, who save; the rank that does not hear it saves and ends after failure.linkSeconds, or when the
// run is resumed, which does not wait that long.
void SshLinkTest::aStopDoesNotWaitForALink() {
    QFETCH(int, after);
    QFETCH(int, linkSeconds);
    const QByteArray name = "stopped-" + QByteArray::number(linkSeconds);
    const QJsonObject failure{{"maxRestarts", 0}, {"linkSeconds", linkSeconds}, {"heartbeatSeconds", 20}};
    const Ended started = start(name.constData(), 10'000'000, failure, true);
    const QString run = started.json()["run"].toString();
    QVERIFY(test::waitFor([&] { return show(run)["steps"].toInt() > 25; }, 60000));
    m_lab.part(2);
    QVERIFY(test::waitFor([&] { return log(run).contains("no link for"); }, 20000));
    QTest::qSleep(1000 * after);
    const double asked = monotonicSeconds();
    const Ended stopped = trainyardctl({"stop", run, "--workspace", workspace()});
    qInfo("stopped after %.1f s", monotonicSeconds() - asked);
    QVERIFY2(stopped.code == 0, (stopped.said() + log(run)).constData());
    QCOMPARE(show(run)["status"].toString(), QStringLiteral("stopped"));
    QVERIFY(!show(run)["checkpoints"].toArray().isEmpty());
    QVERIFY2(stopped.out.contains("what is left on h2 cannot be seen"), stopped.said().constData());
    QVERIFY2(!stopped.out.contains("0 of its processes"), stopped.said().constData());
    m_lab.meet(2);
    if (linkSeconds > 100) resumesSoon(run);
    QVERIFY(test::waitFor([&] { return workersOn(1) + workersOn(2) == 0; }, 90000));
}

// The rank there waits for a group that never comes.
void SshLinkTest::resumesSoon(const QString& run) {
    QCOMPARE(workersOn(2), 1);
    const int before = show(run)["steps"].toInt();
    const double asked = monotonicSeconds();
    const Ended resumed = trainyardctl({"resume", run, "--detach", "--workspace", workspace()});
    QVERIFY2(resumed.code == 0, resumed.said().constData());
    QVERIFY2(test::waitFor([&] { return show(run)["steps"].toInt() > before; }, 60000), log(run).constData());
    const double took = monotonicSeconds() - asked;
    qInfo("trains again %.1f s after it was resumed", took);
    QVERIFY2(took < 20, log(run).constData());
    QVERIFY2(log(run).contains("processes of this run were left on h2"), log(run).constData());
    QCOMPARE(trainyardctl({"stop", run, "--workspace", workspace()}).code, 0);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshLinkTest>(
        argc, argv,
        {test::program("trainyardctl"), test::program("trainyard-worker"), test::program("trainyard-relay")});
}

#include "ssh_link_test.moc"
