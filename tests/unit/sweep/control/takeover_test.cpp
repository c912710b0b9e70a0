// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"
#include "engine/sweep/control/sweep_follower.h"
#include "engine/sweep/control/takeover.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;

// The program that would supervise cannot be started here: an attempt is an error, and what is no attempt is false.
class TakeoverTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("TRAINYARD_BIN", m_folder->path().toUtf8());
        qunsetenv("TRAINYARD_SWEEP_RESTARTS");
    }

    void happensOnlySoOftenInAnHour_data();
    void happensOnlySoOftenInAnHour();
    void needsASweepThatIsMeantToGoOn();
    void leavesALiveSupervisorAlone();
    void countsOverAllSupervisors();
    void theEnvironmentSaysHowOften();
    void whoFollowsASweepIsWokenByItsEnd();

private:
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }
    bool isAttempted() const { return !sweep::takeOver(folder()).ok(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TakeoverTest::happensOnlySoOftenInAnHour_data() {
    QTest::addColumn<QList<qint64>>("minutesAgo");
    QTest::addColumn<int>("most");
    QTest::addColumn<bool>("may");
    QTest::newRow("the first") << QList<qint64>{} << 3 << true;
    QTest::newRow("one is left") << QList<qint64>{59, 0} << 3 << true;
    QTest::newRow("used up") << QList<qint64>{59, 30, 0} << 3 << false;
    QTest::newRow("one was earlier") << QList<qint64>{60, 30, 0} << 3 << true;
    QTest::newRow("the clock was set back") << QList<qint64>{-600, -600, -600} << 3 << false;
    QTest::newRow("never") << QList<qint64>{} << 0 << false;
}

void TakeoverTest::happensOnlySoOftenInAnHour() {
    QFETCH(QList<qint64>, minutesAgo);
    QFETCH(int, most);
    const std::int64_t now = 1'700'000'000'000;
    std::vector<std::int64_t> earlier;
    for (const qint64 minutes : minutesAgo) earlier.push_back(now - minutes * 60'000);
    QTEST(sweep::mayTakeOver(earlier, now, most), "may");
}

void TakeoverTest::needsASweepThatIsMeantToGoOn() {
    QVERIFY(!isAttempted());
    QVERIFY(sweep::allowTakeover(folder()).ok());
    QVERIFY(isAttempted());
    sweep::forbidTakeover(folder());
    QVERIFY(!isAttempted());
}

void TakeoverTest::leavesALiveSupervisorAlone() {
    QVERIFY(sweep::allowTakeover(folder()).ok());
    std::optional lock = *store::RunLock::acquire(folder());
    QVERIFY(!isAttempted());
    lock.reset();
    QVERIFY(isAttempted());
}

// Each supervisor allows it, and none forgets what was before.
void TakeoverTest::countsOverAllSupervisors() {
    for (int attempt = 0; attempt < 3; ++attempt) {
        QVERIFY(sweep::allowTakeover(folder()).ok());
        QVERIFY(isAttempted());
    }
    QVERIFY(sweep::allowTakeover(folder()).ok());
    QVERIFY(!isAttempted());
}

void TakeoverTest::theEnvironmentSaysHowOften() {
    QVERIFY(sweep::allowTakeover(folder()).ok());
    qputenv("TRAINYARD_SWEEP_RESTARTS", "0");
    QVERIFY(!isAttempted());
    qputenv("TRAINYARD_SWEEP_RESTARTS", "often"); // no number: as if it were not set
    QVERIFY(isAttempted());
    qputenv("TRAINYARD_SWEEP_RESTARTS", "1");
    QVERIFY(!isAttempted());
    qputenv("TRAINYARD_SWEEP_RESTARTS", "2");
    QVERIFY(isAttempted());
}

// Not by what else happens in its folder, such as that its lock is looked at.
// Feature: the terminal is told of the end of a sweep at once.
void TakeoverTest::whoFollowsASweepIsWokenByItsEnd() {
    const auto workspace = *store::Workspace::open(m_folder->filePath("ws").toStdString());
    const auto sweep = workspace.sweepFolder("s");
    std::filesystem::create_directories(sweep);
    const auto lock = *store::RunLock::acquire(sweep);
    const auto writer = *store::Store::open(workspace);
    store::SweepRow row;
    row.id = "s";
    row.status = wire::RunStatus::Running;
    QVERIFY(writer->createSweep(row).ok());
    QVERIFY(sweep::allowTakeover(sweep).ok());
    const auto query = *store::RunQuery::open(workspace);
    sweep::SweepFollower follower(workspace, "s");
    for (int looks = 0; looks < 3; ++looks) {
        QCOMPARE(follower.poll(*query)->status, wire::RunStatus::Running);
        QVERIFY(!follower.pause());
    }
    row.status = wire::RunStatus::Finished;
    QVERIFY(writer->updateSweep(row).ok());
    sweep::forbidTakeover(sweep);
    QVERIFY(follower.pause());
    QCOMPARE(follower.poll(*query)->status, wire::RunStatus::Finished);
}

QTEST_GUILESS_MAIN(TakeoverTest)
#include "takeover_test.moc"
