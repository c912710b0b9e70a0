// SPDX-License-Identifier: GPL-3.0-or-later
// How many trials run side by side, with how many threads, and what is said of it.
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/trials/slots.h"

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
    // Feature: how many trials run side by side, with how many threads, is said with its reason and counted in the
    // estimated time; they share the cores. Also in rank_reuse_test, slot_line_test, sweep_commands_test, sweep_test.
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
            "2 slots, as requested: 8 cores, 1 worker of 4 threads each");
        row("asked for more", R"("workers":1)", 2, 9, 6, 1,
            "6 slots, as requested: 2 cores, 1 worker of 1 thread each");
        row("asked for more than there are trials", R"("workers":1)", 8, 2, 6, 4,
            "6 slots, as requested: 8 cores, 1 worker of 4 threads each");
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
        const auto count = slotCount(sweep, workers, {.trials = trials}, {cores});
        QCOMPARE(QString::fromStdString(describe(count).text()), text);
        QCOMPARE(count.threads, threads);
        // Never more threads than cores, unless they are asked for or a worker has but one.
        const bool given = scaling.contains("threadsPerWorker");
        const int all = std::min(count.slots, trials > 0 ? trials : count.slots) * workers * count.threads;
        QVERIFY(given || count.threads == 1 || all <= cores);
    }

    void aPersonHasTheLastWord() {
        const auto sweep = sweepOf(R"("scaling":{"workers":1})", 3);
        QCOMPARE(slotCount(sweep, 1, {.trials = 9}, {8}).slots, 3);
        QCOMPARE(slotCount(sweep, 1, {.trials = 9, .parallel = 5}, {8}).slots, 5);
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
        QCOMPARE(QString::fromStdString(describe(slotCount(sweep, workers, {.trials = 12}, {8})).text()), text);
        QCOMPARE(slotCount(sweep, workers, {.trials = 12, .parallel = 7}, {8}).sharing, sharing);
    }

    // Feature: trials of a sweep are dealt the CUDA devices, one or several on each, and see only theirs. Also in
    // cuda_devices_test, queue_policy_test, slot_line_test, sweep_test, trial_hosts_test.
    void devicesHaveSoMany_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("devices"); // found
        QTest::addColumn<int>("perDevice");
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("dealt");
        QTest::addColumn<QString>("text"); // of 8 cores and 12 trials
        const auto row = [](const char* name, const char* run, int devices, int perDevice, int asked, int dealt,
                            const char* text) {
            QTest::newRow(name) << QString(run) << devices << perDevice << asked << dealt << QString(text);
        };
        const char *one = R"("scaling":{"workers":1})", *two = R"("scaling":{"workers":2})";
        row("one each", one, 4, 1, 0, 4, "4 slots: 4 CUDA devices, 1 worker of 2 threads each");
        row("one device", one, 1, 1, 0, 1, "1 slot: 1 CUDA device, 1 worker of 8 threads each");
        row("several share one", one, 1, 3, 0, 1,
            "3 slots: 1 CUDA device, 3 trials on each, 1 worker of 2 threads each");
        row("several share each", one, 2, 2, 0, 2,
            "4 slots: 2 CUDA devices, 2 trials on each, 1 worker of 2 threads each");
        row("two workers", two, 4, 1, 0, 4, "2 slots: 4 CUDA devices, 2 workers of 2 threads each");
        row("an odd number", two, 3, 1, 0, 3, "1 slot: 3 CUDA devices, 2 workers of 4 threads each");
        row("an odd number that is shared", two, 3, 2, 0, 3,
            "3 slots: 3 CUDA devices, 2 trials on each, 2 workers of 1 thread each");
        row("asked for", one, 2, 1, 6, 2, "6 slots, as requested: 8 cores, 1 worker of 1 thread each");
        row("too few devices", two, 1, 1, 0, 0, "4 slots: 8 cores, 2 workers of 1 thread each");
        row("the processor is asked for", R"("scaling":{"workers":1,"device":"cpu"})", 4, 1, 0, 0,
            "8 slots: 8 cores, 1 worker of 1 thread each");
        row("room to grow", R"("scaling":{"workers":1,"elastic":{"min":1,"max":2}})", 4, 1, 0, 4,
            "2 slots: 4 CUDA devices, 1 worker of 4 threads each");
        row("on another computer", R"("hosts":["a"],"scaling":{"workers":1})", 4, 1, 0, 0,
            "8 slots: 8 cores, 1 worker of 1 thread each");
        row("on several", R"("hosts":["a","local"],"scaling":{"workers":1})", 4, 2, 0, 0,
            "4 slots: 2 on each host, 1 worker each");
        row("cores are shared", two, 0, 2, 0, 0, "8 slots: 8 cores, 2 trials on each, 2 workers of 1 thread each");
    }
    void devicesHaveSoMany() {
        QFETCH(QString, run);
        QFETCH(int, devices);
        QFETCH(int, perDevice);
        auto sweep = sweepOf(run);
        sweep.perDevice = perDevice;
        const int workers = spec::parseRunSpec(sweep.runJson)->scaling.workers;
        QFETCH(int, asked);
        const auto count =
            slotCount(sweep, workers, {.trials = 12, .parallel = asked}, {.cores = 8, .devices = devices});
        QTEST(QString::fromStdString(describe(count).text()), "text");
        QTEST(count.devices, "dealt");
    }

    void whereTheyVaryDevicesAreNotDealt() {
        auto sweep = sweepOf(R"("scaling":{"workers":1})");
        QCOMPARE(slotCount(sweep, 1, {.trials = 12}, {.cores = 8, .devices = 2}).devices, 2);
        for (const char* path : {"scaling.workers", "scaling.device", "scaling.elastic.max", "hosts"}) {
            sweep.space.front().path = path;
            QCOMPARE(slotCount(sweep, 1, {.trials = 12}, {.cores = 8, .devices = 2}).devices, 0);
        }
    }

    void slotsAreDealtTheirDevices_data() {
        using Slots = std::vector<run::CudaDevices>;
        QTest::addColumn<Slots>("slots");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<run::CudaDevices>("dealt");
        const auto row = [](const char* name, Slots slots, int devices, int ranks, run::CudaDevices dealt) {
            QTest::newRow(name) << slots << devices << ranks << dealt;
        };
        row("no devices", {}, 0, 1, {});
        row("too few", {}, 1, 2, {});
        row("the first", {}, 4, 1, {0});
        row("the next", {{0}}, 4, 1, {1});
        row("the one that is left", {{0}, {1}, {3}}, 4, 1, {2});
        row("a second round", {{0}, {1}}, 2, 1, {0});
        row("the one with fewer", {{0}, {1}, {0}}, 2, 1, {1});
        row("two each", {{0, 1}}, 4, 2, {2, 3});
        row("two of three", {{0, 1}}, 3, 2, {0, 2});
        row("all", {{0, 1}}, 2, 2, {0, 1});
        row("a slot without devices counts for nothing", {{}, {0}}, 2, 1, {1});
    }
    void slotsAreDealtTheirDevices() {
        QFETCH(std::vector<run::CudaDevices>, slots);
        QFETCH(int, devices);
        QFETCH(int, ranks);
        QTEST(dealDevices(slots, {ranks, devices}), "dealt");
    }

    // Dealt one after another they differ by one slot at most.
    void devicesAreSharedEvenly() {
        for (const int devices : {1, 2, 3, 8})
            for (int ranks = 1; ranks <= devices; ++ranks) {
                std::vector<run::CudaDevices> slots;
                for (int slot = 0; slot < 20; ++slot) {
                    slots.push_back(dealDevices(slots, {ranks, devices}));
                    int most = 0, least = 20;
                    for (int device = 0; device < devices; ++device) {
                        most = std::max(most, slotsOn({device}, slots));
                        least = std::min(least, slotsOn({device}, slots));
                    }
                    QVERIFY(most - least <= 1);
                }
            }
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
        QTEST(secondsInSlots(10, {.trials = trials, .slots = slots}), "seconds");
    }
};

QTEST_GUILESS_MAIN(SlotCountTest)
#include "slot_count_test.moc"
