// SPDX-License-Identifier: GPL-3.0-or-later
// How many trials run side by side, with how many threads, and what is said of it.
#include "engine/sweep/slot_count.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

spec::SweepSpec sweepOf(const QString& run, int parallel = 0) {
    auto spec =
        spec::parseSweepSpec(R"({"version":1,"space":{"optimizer.lr":[0.1]},"run":{)" + run.toStdString() + "}}");
    if (!spec) qFatal("%s", spec.error().text().c_str());
    spec->parallel = parallel;
    return *spec;
}

} // namespace

class SlotCountTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNumberIsSaidWithItsReason_data() {
        QTest::addColumn<QString>("scaling");
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("trials"); // 0: as many as the budget allows
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("threads");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* scaling, int cores, int trials, int asked, int threads,
                            const char* text) {
            QTest::newRow(name) << QString(scaling) << cores << trials << asked << threads << QString(text);
        };
        row("two cores", R"("workers":1)", 2, 0, 0, 1, "2 slots: 2 cores, 1 worker of 1 thread each");
        row("one core", R"("workers":1)", 1, 9, 0, 1, "1 slot: 1 core, 1 worker of 1 thread each");
        row("workers share them", R"("workers":2)", 8, 9, 0, 1, "4 slots: 8 cores, 2 workers of 1 thread each");
        row("an odd number", R"("workers":2)", 7, 9, 0, 1, "3 slots: 7 cores, 2 workers of 1 thread each");
        row("more workers than cores", R"("workers":4)", 2, 9, 0, 1, "1 slot: 2 cores, 4 workers of 1 thread each");
        row("threads are given", R"("workers":1,"threadsPerWorker":4)", 8, 9, 0, 4,
            "2 slots: 8 cores, 1 worker of 4 threads each");
        row("more threads than cores", R"("workers":1,"threadsPerWorker":4)", 2, 9, 0, 4,
            "1 slot: 2 cores, 1 worker of 4 threads each");
        row("fewer trials than cores", R"("workers":1)", 64, 4, 0, 16,
            "4 slots: 64 cores, 1 worker of 16 threads each");
        row("asked for fewer", R"("workers":1)", 8, 9, 2, 4,
            "2 slots, as asked for: 8 cores, 1 worker of 4 threads each");
        row("asked for more", R"("workers":1)", 2, 9, 6, 1,
            "6 slots, as asked for: 2 cores, 1 worker of 1 thread each");
        row("asked for more than there are trials", R"("workers":1)", 8, 2, 6, 4,
            "6 slots, as asked for: 8 cores, 1 worker of 4 threads each");
    }
    void theNumberIsSaidWithItsReason() {
        QFETCH(QString, scaling);
        QFETCH(int, cores);
        QFETCH(int, trials);
        QFETCH(int, asked);
        QFETCH(int, threads);
        QFETCH(QString, text);
        const auto sweep = sweepOf("\"scaling\":{" + scaling + "}", asked);
        const int workers = spec::parseRunSpec(sweep.runJson)->scaling.workers;
        const auto count = slotCount(sweep, workers, trials, 0, cores);
        QCOMPARE(QString::fromStdString(toText(count)), text);
        QCOMPARE(count.threads, threads);
        // Never more threads than cores, unless they are asked for or a worker has but one.
        const bool given = scaling.contains("threadsPerWorker");
        const int all = std::min(count.slots, trials > 0 ? trials : count.slots) * workers * count.threads;
        QVERIFY(given || count.threads == 1 || all <= cores);
    }

    void aPersonHasTheLastWord() {
        const auto sweep = sweepOf(R"("scaling":{"workers":1})", 3);
        QCOMPARE(slotCount(sweep, 1, 9, 0, 8).slots, 3);
        QCOMPARE(slotCount(sweep, 1, 9, 5, 8).slots, 5);
    }

    void hostsHaveOneEach_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<QString>("text"); // of 8 cores and 12 trials
        QTest::addColumn<int>("sharing");  // with 7 slots
        QTest::newRow("several") << R"("hosts":["a","b","local"],"scaling":{"workers":1})" << 3
                                 << "3 slots: one on each host, 1 worker each" << 3;
        QTest::newRow("one") << R"("hosts":["a"],"scaling":{"workers":1})" << 0
                             << "8 slots: 8 cores, 1 worker of 1 thread each" << 7;
        QTest::newRow("trials over hosts") << R"("hosts":["a","b"],"scaling":{"workers":2})" << 0
                                           << "4 slots: 8 cores, 2 workers of 1 thread each" << 7;
    }
    void hostsHaveOneEach() {
        QFETCH(QString, run);
        QFETCH(int, hosts);
        QFETCH(QString, text);
        QFETCH(int, sharing);
        const auto sweep = sweepOf(run);
        const int workers = spec::parseRunSpec(sweep.runJson)->scaling.workers;
        QCOMPARE(static_cast<int>(hostsOfTrials(sweep).size()), hosts);
        QCOMPARE(QString::fromStdString(toText(slotCount(sweep, workers, 12, 0, 8))), text);
        QCOMPARE(slotCount(sweep, workers, 12, 7, 8).sharing, sharing);
    }

    void timeIsSharedByTheSlots_data() {
        QTest::addColumn<int>("trials");
        QTest::addColumn<int>("slots");
        QTest::addColumn<double>("seconds"); // of 10 s each
        QTest::newRow("one after another") << 4 << 1 << 40.;
        QTest::newRow("side by side") << 4 << 2 << 20.;
        QTest::newRow("one is left over") << 5 << 2 << 30.;
        QTest::newRow("more slots than trials") << 2 << 8 << 10.;
        QTest::newRow("none") << 0 << 2 << 0.;
    }
    void timeIsSharedByTheSlots() {
        QFETCH(int, trials);
        QFETCH(int, slots);
        QTEST(secondsInSlots(10, trials, slots), "seconds");
    }
};

QTEST_GUILESS_MAIN(SlotCountTest)
#include "slot_count_test.moc"
