// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that change their hosts, moved by a person or because one of them is lost, and runs that share one.
#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"
#include "remote/ssh/library/library_transport.h"
#include "tests/ssh/lab_runs.h"

using namespace trainyard;
using test::Ended;
using test::program;
using test::trainyardctl;

class SshMovesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aRunMovesToOtherHostsAndHere();
    void aSpareTakesThePlaceOfALostHost();
    void aSpareTakesThePlaceOfAHostThatIsNotThere();
    void aSpareGoesOnFromTheCheckpointWhenAllRanksAreLost_data();
    void aSpareGoesOnFromTheCheckpointWhenAllRanksAreLost();
    void queuedRunsShareAHost();
    void aRunIsPlacedOnTheLeastBusyHosts();

private:
    static constexpr int kSteps = 400; // of kPause milliseconds each
    static constexpr double kPause = 12;
    QString runFile(const QString& name, QJsonObject changes) const;
    QString start(const QString& name, const QJsonObject& changes) const { // the run's id; detached
        return onRun({"run", runFile(name, changes), "--detach"}).json()["run"].toString();
    }
    QJsonObject show(const QString& run) const { return m_runs.show(run); }
    QStringList hostsOf(const QString& run) const { return m_runs.hostsOf(run); }
    QList<QByteArray> curve(const QString& run) const { return m_runs.curve(run); }
    QList<QByteArray> undisturbed(); // the curve of a run that stays where it is
    QString log(const QString& run) const { return QString::fromUtf8(m_runs.log(run)); }
    bool reaches(const QString& run, int steps, int seconds = 60) const { return m_runs.reaches(run, steps, seconds); }
    Ended onRun(const QStringList& words) const { return m_runs.command(words); } // with --json
    test::HostLab m_lab;
    const test::LabRuns m_runs{m_lab};
};

void SshMovesTest::initTestCase() {
    const QString failure = m_lab.start(4);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    for (const QString& host : QStringList{"h1", "h2", "h3", "h4"}) {
        const Ended added =
            trainyardctl({"hosts", "add", "root@" + host, "--identity", QString::fromStdString(m_lab.key("ed25519"))});
        QVERIFY2(added.code == 0, added.err.constData());
        const Ended tested = trainyardctl({"hosts", "test", host, "--accept-new-key", "--json"});
        QVERIFY2(tested.code == 0 || host == "h3", tested.out.constData()); // which has no room on its disk
    }
}

QString SshMovesTest::runFile(const QString& name, QJsonObject changes) const {
    const QJsonObject usual{{"model", test::pacedModel(kPause)},
                            {"scaling", QJsonObject{{"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
                            {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", kSteps}, {"keep", 2}}},
                            {"failure", QJsonObject{{"maxRestarts", 3}, {"heartbeatSeconds", 20}}}};
    for (auto each = usual.begin(); each != usual.end(); ++each)
        if (!changes.contains(each.key())) changes[each.key()] = each.value();
    return m_runs.file(name, {"h1", "h2"}, kSteps, changes);
}

QList<QByteArray> SshMovesTest::undisturbed() {
    static QList<QByteArray> points;
    if (points.isEmpty()) {
        const Ended ended = onRun({"run", runFile("undisturbed", {{"model", test::pacedModel(0)}})});
        if (ended.code == 0) points = curve(ended.json()["run"].toString());
    }
    return points;
}

// First to another pair of hosts, where it goes on to the same bits; then, with one worker, to this computer.
void SshMovesTest::aRunMovesToOtherHostsAndHere() {
    const auto expected = undisturbed();
    QCOMPARE(expected.size(), kSteps);
    const QString run = start("moves", {});
    QVERIFY(reaches(run, 40));
    QCOMPARE(onRun({"stop", run}).code, 0);
    QVERIFY2(show(run)["steps"].toInt() < kSteps / 2, "the run is too short for this test");
    const Ended moved = onRun({"resume", run, "--set", R"(hosts=["h2", "h4"])", "--detach"});
    QVERIFY2(moved.code == 0, (moved.err + moved.out).constData());
    QVERIFY(reaches(run, kSteps / 2));
    QCOMPARE(hostsOf(run), QStringList({"h2", "h4"}));
    QCOMPARE(onRun({"stop", run}).code, 0);
    const int reached = show(run)["steps"].toInt();
    QVERIFY2(reached < kSteps, "the run is too short for this test");
    QCOMPARE(curve(run), expected.mid(0, reached));
    const Ended here =
        onRun({"resume", run, "--set", "hosts=[]", "--set", "scaling.workers=1", "--set", "failure.maxRestarts=0"});
    QVERIFY2(here.code == 0, (here.err + here.out).constData());
    QCOMPARE(hostsOf(run), QStringList({""}));
    const auto whole = curve(run);
    QCOMPARE(whole.size(), kSteps);
    QCOMPARE(whole.mid(0, reached), expected.mid(0, reached));
}

// The others keep their state, and the curve is that of a run that nothing has disturbed.
// Fault: A host is switched off while the run trains, and there is a spare. Noticed after 7 s, given up after another
// 4; its ranks start on the spare, the others keep their state, no step is lost, one restart, bit-equal to an
// undisturbed run. Also in host_pool_test.
void SshMovesTest::aSpareTakesThePlaceOfALostHost() {
    const auto expected = undisturbed();
    const QString run = start("spare", {{"spareHosts", QJsonArray{"h4"}}});
    QVERIFY(reaches(run, 40));
    QCOMPARE(hostsOf(run), QStringList({"h1", "h2"}));
    m_lab.powerOff(2);
    const double lost = monotonicSeconds();
    QTest::qSleep(3000); // what was trained before is told by then, and the loss not yet noticed
    const int step = show(run)["steps"].toInt();
    QVERIFY2(step < kSteps, "the run is too short for this test");
    QVERIFY(reaches(run, step + 1, 90));
    qInfo("the loss of a host was made up for by a spare within %.1f s", monotonicSeconds() - lost);
    QCOMPARE(hostsOf(run), QStringList({"h1", "h4"}));
    QVERIFY(test::waitFor([&] { return show(run)["status"].toString() == "finished"; }, 90000));
    m_lab.boot(2);
    QCOMPARE(show(run)["restarts"].toInt(), 1);
    QCOMPARE(curve(run), expected);
    const QString said = log(run);
    QVERIFY2(said.contains("h4 takes the place of h2, which cannot be used: h2: has not answered in time"),
             qPrintable(said));
}

// Fault: A host cannot be reached when the run starts, and there is a spare. A notice; the run starts with the spare.
void SshMovesTest::aSpareTakesThePlaceOfAHostThatIsNotThere() {
    const auto expected = undisturbed();
    m_lab.powerOff(2);
    const Ended ended = onRun(
        {"run", runFile("absent", {{"hosts", QJsonArray{"h1", "h2", "h3", "h4"}}, {"model", test::pacedModel(0)}})});
    m_lab.boot(2);
    QVERIFY2(ended.code == 0, (ended.err + ended.out).constData());
    const QString run = ended.json()["run"].toString();
    QCOMPARE(hostsOf(run), QStringList({"h1", "h4"}));
    QCOMPARE(curve(run), expected);
    const QString said = log(run);
    QVERIFY2(said.contains("h3 cannot take the place of h2"), qPrintable(said));
    QVERIFY2(said.contains("h4 takes the place of h2"), qPrintable(said));
}

// Fault: The one or two hosts of all ranks are switched off, also while one is being replaced; there is a spare. They
// are waited for as long as failure.linkSeconds from their last word, and checked once more; then the spare continues
// from the newest checkpoint here.
void SshMovesTest::aSpareGoesOnFromTheCheckpointWhenAllRanksAreLost_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<bool>("oneBefore"); // a rank is lost just before its host, and was being replaced there
    QTest::addColumn<int>("linkSeconds");
    QTest::newRow("one") << 1 << false << 8; // longer than a look at a host that is off
    QTest::newRow("two") << 2 << false << 3;
    QTest::newRow("two, and one was being replaced") << 2 << true << 3;
}

// Its host is waited for first, since something newer may have been saved there.
void SshMovesTest::aSpareGoesOnFromTheCheckpointWhenAllRanksAreLost() {
    QFETCH(int, workers);
    QFETCH(bool, oneBefore);
    QFETCH(int, linkSeconds);
    const QString run =
        start(QStringLiteral("all-%1-%2").arg(workers).arg(oneBefore),
              {{"hosts", QJsonArray{"h2"}},
               {"spareHosts", QJsonArray{"h4"}},
               {"scaling", QJsonObject{{"workers", workers}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
               {"checkpoint", QJsonObject{{"everyEpochs", 0}, {"everySteps", 40}, {"keep", 2}}},
               {"failure", QJsonObject{{"maxRestarts", 3}, {"linkSeconds", linkSeconds}}}});
    QVERIFY(test::waitFor([&] { return show(run)["checkpoints"].toArray().size() > 1; }, 60000));
    if (oneBefore) {
        const auto session = remote::connectOverLibrary(m_lab.host(2), m_lab.options());
        QVERIFY(session);
        QVERIFY((*session)->script("kill -9 $(pgrep -n -x trainyard-worke)"));
    }
    m_lab.powerOff(2);
    const double lost = monotonicSeconds();
    const QStringList moved(workers, "h4");
    const bool isThere = test::waitFor([&] { return hostsOf(run) == moved; }, 90000);
    qInfo("all ranks are on the spare after %.1f s", monotonicSeconds() - lost);
    // Once as long as its ranks wait for a supervisor, and not once more from then on.
    QVERIFY2(log(run).count(QStringLiteral("cannot look for ranks of this run on h2")) == 1, qPrintable(log(run)));
    QVERIFY2(isThere && test::waitFor([&] { return show(run)["status"].toString() == "finished"; }, 90000),
             qPrintable(log(run)));
    m_lab.boot(2);
    QCOMPARE(curve(run).size(), kSteps);
}

// Two fit on the host, whose cores are known since it was checked; the third waits for one of them, which then moves: a
// fourth waits for its cores where it is now.
void SshMovesTest::queuedRunsShareAHost() {
    const int cores = availableCores();
    if (cores < 2) QSKIP("two runs need two cores");
    QCOMPARE(onRun({"queue", "slots", "5"}).code, 0);
    const QStringList names{"first", "second", "third"};
    const QJsonObject scaling{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", cores / 2}};
    for (const QString& name : names) {
        const Ended added =
            onRun({"run", runFile(name, {{"hosts", QJsonArray{"h1"}}, {"steps", 100'000'000}, {"scaling", scaling}}),
                   "--queue"});
        QVERIFY2(added.code == 0, (added.err + added.out).constData());
    }
    const auto trains = [&](const QString& name) { return show(name)["steps"].toInt() > 0; };
    QVERIFY(test::waitFor([&] { return trains("first") && trains("second"); }, 60000));
    const auto waiting = onRun({"queue"}).json()["waiting"].toArray();
    QCOMPARE(waiting.size(), 1);
    QCOMPARE(waiting[0].toObject()["name"].toString(), QStringLiteral("third"));
    QCOMPARE(waiting[0].toObject()["reason"].toString(),
             QStringLiteral("waiting for cores of h1: it needs %1, %2 free").arg(cores / 2).arg(cores % 2));
    QCOMPARE(onRun({"stop", "first"}).code, 0);
    QCOMPARE(onRun({"resume", "first", "--set", R"(hosts=["h4"])", "--detach"}).code, 0);
    QVERIFY(test::waitFor([&] { return trains("third") && hostsOf("first") == QStringList{"h4"}; }, 60000));
    const QJsonObject whole{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", cores}};
    const auto fourth = runFile("fourth", {{"hosts", QJsonArray{"h4"}}, {"steps", 100'000'000}, {"scaling", whole}});
    QCOMPARE(onRun({"run", fourth, "--queue"}).code, 0);
    const auto reason = [&] { return onRun({"queue"}).json()["waiting"][0]["reason"].toString(); };
    const QString expected =
        QStringLiteral("waiting for cores of h4: it needs %1, %2 free").arg(cores).arg(cores - cores / 2);
    QVERIFY2(test::waitFor([&] { return reason() == expected; }, 20000), qPrintable(reason()));
    for (const char* name : {"second", "third", "first"}) QCOMPARE(onRun({"kill", name}).code, 0);
    QVERIFY(test::waitFor([&] { return trains("fourth"); }, 60000));
    QCOMPARE(onRun({"kill", "fourth"}).code, 0);
}

// Started at once or by the queue; what is resumed stays where it was placed.
void SshMovesTest::aRunIsPlacedOnTheLeastBusyHosts() {
    const QJsonObject alone{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}};
    const QJsonObject placed{{"workers", 2}, {"device", "cpu"}, {"threadsPerWorker", 1}, {"place", "free"}};
    const QString busy = start("busy", {{"hosts", QJsonArray{"h1"}}, {"steps", 100'000'000}, {"scaling", alone}});
    QVERIFY(reaches(busy, 1));
    const QJsonObject anywhere{{"hosts", QJsonArray{"h1", "h2", "h4"}}, {"steps", 100'000'000}, {"scaling", placed}};
    const QString run = start("placed", anywhere);
    QVERIFY(reaches(run, 1));
    QCOMPARE(hostsOf(run), QStringList({"h2", "h4"}));
    QVERIFY2(log(run).contains("placed on h2, h4; spares: h1"), qPrintable(log(run)));
    QCOMPARE(onRun({"kill", busy}).code, 0);
    QCOMPARE(onRun({"stop", run}).code, 0);
    QCOMPARE(onRun({"resume", run, "--detach"}).code, 0);
    QVERIFY(reaches(run, show(run)["steps"].toInt() + 1));
    QCOMPARE(hostsOf(run), QStringList({"h2", "h4"}));
    QCOMPARE(onRun({"queue", "slots", "2"}).code, 0);
    QJsonObject one = anywhere;
    one["scaling"] = QJsonObject{{"workers", 1}, {"device", "cpu"}, {"threadsPerWorker", 1}, {"place", "free"}};
    one["hosts"] = QJsonArray{"h4", "h2", "h1"};
    QCOMPARE(onRun({"run", runFile("queued", one), "--queue"}).code, 0);
    QVERIFY(test::waitFor([&] { return show("queued")["steps"].toInt() > 0; }, 60000));
    QTRY_COMPARE_WITH_TIMEOUT(hostsOf("queued"), QStringList({"h1"}), 20000);
    QCOMPARE(onRun({"stop", run}).code, 0);
    QCOMPARE(onRun({"resume", run, "--set", R"(hosts=["h1", "h2"])", "--detach"}).code, 0); // h1 was its spare
    QVERIFY(test::waitFor([&] { return hostsOf(run) == QStringList({"h1", "h2"}); }, 60000));
    for (const QString& name : {run, QStringLiteral("queued")}) QCOMPARE(onRun({"kill", name}).code, 0);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    return test::runInHostLab<SshMovesTest>(argc, argv,
                                            {test::program("trainyardctl"), test::program("trainyard-worker")});
}

#include "ssh_moves_test.moc"
