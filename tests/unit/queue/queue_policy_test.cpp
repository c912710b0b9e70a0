// SPDX-License-Identifier: GPL-3.0-or-later
// Which entries of a queue start, and what the others wait for; what a run file claims.
#include "engine/queue/claims.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::queue;

using Claims = std::vector<Claim>;

Q_DECLARE_METATYPE(Claims)
Q_DECLARE_METATYPE(Claim)

namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;

Claim here(const Share& share) { return {{"", share}}; }

const Claim one = here({.cores = 1}), two = here({.cores = 2}), huge = here({.cores = 64});
const Claim gpu = here({.cores = 1, .devices = 1}), bothGpus = here({.cores = 2, .devices = 2});
const Claim firstGpu = here({.cores = 1, .these = {0}}), secondGpu = here({.cores = 1, .these = {1}});
const Claim large = here({.cores = 1, .memoryBytes = 6 * kGigabyte});
// lab1 is not known; lab2 has 8 cores, 2 devices and 16 GB.
const Claim lab{{"lab1", {.whole = true}}}, mixed{{"", {.cores = 1}}, {"lab1", {.whole = true}}};
const Claim four{{"lab2", {.cores = 4}}}, six{{"lab2", {.cores = 6}}}, sweep{{"lab2", {.whole = true}}};
const Claim gpu2{{"lab2", {.cores = 1, .devices = 1}}}, second2{{"lab2", {.cores = 1, .these = {1}}}};
const Claim large2{{"lab2", {.cores = 1, .memoryBytes = 10 * kGigabyte}}};
const Claim across{{"", {.cores = 4}}, {"lab2", {.cores = 4}}};

run::HostRooms rooms(int devices) {
    return {{"", {.cores = 4, .devices = devices, .memoryBytes = 8 * kGigabyte}},
            {"lab2", {.cores = 8, .devices = 2, .memoryBytes = 16 * kGigabyte}}};
}

// "none slots-full": the words of the verdicts.
QString words(const std::vector<Verdict>& verdicts) {
    QStringList list;
    for (const Verdict& verdict : verdicts) list << toString(verdict.wait);
    return list.join(' ');
}

} // namespace

class QueuePolicyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: a queue: entries start in their order when slots, cores, devices and hosts allow it; moved, taken out
    // and put back, paused; a bad entry is refused and the next starts; a fork keeps its checkpoint; its supervisor
    // killed at random, and every entry runs once; a sweep takes its turn as a run does, and begins from one that
    // waited before it. Also in host_rooms_test, queue_test, ssh_moves_test, store_schema_test.
    void judges_data() {
        QTest::addColumn<int>("slots");
        QTest::addColumn<bool>("paused");
        QTest::addColumn<Claims>("waiting");
        QTest::addColumn<Claims>("active");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, int slots, const Claims& waiting, const Claims& active,
                            const char* expected) {
            QTest::newRow(name) << slots << false << waiting << active << QString(expected);
        };
        row("nothing waits", 1, {}, {one}, "");
        row("an idle computer", 1, {two}, {}, "none");
        row("one after another", 1, {one, one}, {}, "none slots-full");
        row("a slot is taken", 1, {one}, {one}, "slots-full");
        row("more are active than there are slots", 1, {one}, {one, one}, "slots-full");
        row("side by side", 2, {one, one, one}, {}, "none none slots-full");
        row("cores decide, too", 4, {two, two, two}, {}, "none none cores-busy");
        row("too few cores are left", 4, {two}, {two, one}, "cores-busy");
        row("more cores than there are: all of them", 2, {huge}, {}, "none");
        row("and it waits for all of them", 2, {huge}, {one}, "cores-busy");
        row("an active run that has more than there are", 2, {one}, {huge}, "cores-busy");
        row("a later one does not take the cores of an earlier", 4, {huge, one}, {one}, "cores-busy earlier");
        row("one device, one run", 2, {gpu}, {firstGpu}, "device-busy");
        row("one after another on a device", 4, {gpu, gpu}, {}, "none device-busy");
        row("all devices", 4, {bothGpus}, {firstGpu}, "device-busy");
        row("memory decides, too", 4, {large, one, large}, {}, "none none memory-busy");
        row("memory that an active run has", 4, {large, large}, {large}, "memory-busy memory-busy");
        row("a run on cores passes one that waits for a device", 4, {gpu, one}, {firstGpu}, "device-busy none");
        row("but leaves it its cores", 4, {gpu, two, two}, {firstGpu}, "device-busy none cores-busy");
        row("a host is busy", 2, {lab}, {mixed}, "host-busy");
        row("a run here passes one that waits for a host", 2, {lab, two}, {lab}, "host-busy none");
        row("a host needs no core of this computer", 2, {lab}, {huge}, "none");
        row("nobody takes a host before its turn", 3, {mixed, lab}, {huge}, "cores-busy earlier");
        row("side by side on a host", 3, {four, four, four}, {}, "none none cores-busy");
        row("as far as it has room", 3, {six, four}, {}, "none cores-busy");
        row("a small one leaves an earlier its cores of the host", 4, {six, four, four}, {four},
            "cores-busy earlier earlier");
        row("a device each of a host", 4, {gpu2, gpu2, gpu2}, {}, "none none device-busy");
        row("the memory of a host", 4, {large2, large2}, {}, "none memory-busy");
        row("a sweep has a host to itself", 4, {four, sweep}, {}, "none host-busy");
        row("and nothing comes beside it", 4, {four}, {sweep}, "host-busy");
        row("room here is no room there", 4, {across, four, four}, {}, "none none cores-busy");
        row("one computer of several is full", 4, {across, four}, {one}, "cores-busy none");
        QTest::newRow("paused") << 4 << true << Claims{one, gpu} << Claims{} << QString("paused paused");
    }
    void judges() {
        QFETCH(int, slots);
        QFETCH(bool, paused);
        QFETCH(Claims, waiting);
        QFETCH(Claims, active);
        QFETCH(QString, expected);
        QCOMPARE(words(judge({.slots = slots, .paused = paused, .rooms = rooms(1)}, waiting, active)), expected);
    }

    void saysWhoIsInTheWay() {
        const QueueRules rules{.slots = 8, .paused = false, .rooms = rooms(1)};
        const auto device = judge(rules, {one, gpu}, {one, firstGpu}); // the second of the active ones has it
        QCOMPARE(device[1].by, 1);
        QCOMPARE(device[1].host, std::string());
        QCOMPARE(device[1].needed, 1);
        QCOMPARE(device[1].free, 0);
        const auto started = judge(rules, {lab, lab}, {one}); // the entry that starts now has it
        QCOMPARE(started[1].by, 1);
        QCOMPARE(started[1].host, std::string("lab1"));
        const auto cores = judge(rules, {huge, one}, {one});
        QCOMPARE(cores[0].needed, 4);
        QCOMPARE(cores[0].free, 3);
        QCOMPARE(cores[1].wait, Wait::Earlier);
        QCOMPARE(cores[1].by, 0);
        const auto there = judge(rules, {six}, {four});
        QCOMPARE(there[0].host, std::string("lab2"));
        QCOMPARE(there[0].needed, 6);
        QCOMPARE(there[0].free, 4);
        const auto memory = judge(rules, {large2}, {large2});
        QCOMPARE(memory[0].host, std::string("lab2"));
        QCOMPARE(memory[0].needed, 10 * kGigabyte);
        QCOMPARE(memory[0].free, 6 * kGigabyte);
        const auto full = judge({.slots = 1, .paused = false, .rooms = rooms(0)}, {one}, {one, one});
        QCOMPARE(full[0].needed, 2);
        QCOMPARE(full[0].free, 1);
    }

    void dealsTheDevicesThatAreFree() {
        const QueueRules rules{.slots = 8, .paused = false, .rooms = rooms(2)};
        const auto both = judge(rules, {gpu, gpu}, {});
        QCOMPARE(both[0].devices, (Devices{{"", {0}}}));
        QCOMPARE(both[1].devices, (Devices{{"", {1}}}));
        QCOMPARE(judge(rules, {gpu}, {firstGpu})[0].devices, (Devices{{"", {1}}}));
        QCOMPARE(judge(rules, {gpu}, {secondGpu})[0].devices, (Devices{{"", {0}}}));
        QCOMPARE(judge(rules, {gpu2}, {second2})[0].devices, (Devices{{"lab2", {0}}}));
        QVERIFY(judge(rules, {bothGpus}, {})[0].devices.empty()); // it sees all
        QVERIFY(judge(rules, {two}, {})[0].devices.empty());
        QCOMPARE(judge(rules, {bothGpus}, {secondGpu})[0].wait, Wait::DeviceBusy);
        QCOMPARE(judge(rules, {here({.these = {1}})}, {secondGpu})[0].wait, Wait::DeviceBusy); // only this will do
    }

    // What was dealt to an active run, or else the first ones.
    void anActiveRunHasItsDevices() {
        const Claim claim{{"", {.cores = 1, .devices = 1}}, {"lab2", {.cores = 2, .devices = 2}}};
        const Claim held = heldBy(claim, {{"", {1}}});
        QCOMPARE(held.at(""), (Share{.cores = 1, .these = {1}}));
        QCOMPARE(held.at("lab2"), (Share{.cores = 2, .these = {0, 1}}));
    }

    void claims_data() {
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("threads");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<int>("devices"); // of this computer, which has 8 cores
        QTest::addColumn<Claim>("claimed");
        QTest::newRow("all cores") << 2 << 0 << "auto" << QStringList{} << 0 << here({.cores = 8});
        QTest::newRow("uneven") << 3 << 0 << "cpu" << QStringList{} << 0 << here({.cores = 6});
        QTest::newRow("threads by number") << 2 << 1 << "cpu" << QStringList{} << 4 << here({.cores = 2});
        QTest::newRow("devices by themselves")
            << 2 << 0 << "auto" << QStringList{} << 2 << here({.cores = 2, .devices = 2});
        QTest::newRow("a host that is not known")
            << 2 << 0 << "cpu" << QStringList{"lab1"} << 0 << Claim{{"lab1", {.whole = true}}};
        QTest::newRow("here and there") << 4 << 1 << "cpu" << QStringList{"local", "lab1"} << 0
                                        << Claim{{"", {.cores = 2}}, {"lab1", {.whole = true}}};
        QTest::newRow("a host that is known")
            << 2 << 3 << "cpu" << QStringList{"lab2"} << 0 << Claim{{"lab2", {.cores = 6}}};
        QTest::newRow("all cores of it") << 2 << 0 << "cpu" << QStringList{"lab2"} << 0
                                         << Claim{{"lab2", {.cores = 16}}};
        QTest::newRow("its devices") << 2 << 0 << "auto" << QStringList{"lab2"} << 0
                                     << Claim{{"lab2", {.cores = 2, .devices = 2}}};
        QTest::newRow("on two, of which one is known") << 2 << 1 << "cpu" << QStringList{"lab2", "lab1"} << 0
                                                       << Claim{{"lab2", {.cores = 1}}, {"lab1", {.whole = true}}};
    }
    void claims() {
        QFETCH(int, workers);
        QFETCH(int, threads);
        QFETCH(QString, device);
        QFETCH(QStringList, hosts);
        QFETCH(int, devices);
        QFETCH(Claim, claimed);
        spec::RunSpec spec;
        spec.scaling.workers = workers;
        spec.scaling.threadsPerWorker = threads;
        spec.scaling.device = device.toStdString();
        for (const auto& host : hosts) spec.hosts.push_back(host.toStdString());
        const run::HostRooms known{{"", {.cores = 8, .devices = devices}}, {"lab2", {.cores = 16, .devices = 4}}};
        QVERIFY(claimOf(spec, known) == claimed);
        spec.scaling.memoryMb = 500;
        const Claim withMemory = claimOf(spec, known);
        for (const auto& [host, share] : withMemory)
            if (!share.whole) QVERIFY(share.memoryBytes > 0 && share.memoryBytes % (kGigabyte / 2) == 0);
    }

    void aSweepClaimsWhatItsTrialsDo() {
        spec::RunSpec run;
        run.scaling.workers = 1;
        run.scaling.threadsPerWorker = 2;
        spec::SweepSpec sweep;
        sweep.runJson = spec::toJson(run);
        const auto claimed = [&](int devices) {
            return claimOf(sweep, {{"", {.cores = 8, .devices = devices}}}).at("");
        };
        QCOMPARE(claimed(0).cores, 8); // as many trials as the cores allow
        sweep.parallel = 3;
        QCOMPARE(claimed(0).cores, 6);
        const Share three = claimed(4);
        QCOMPARE(three.these, (std::vector<int>{0, 1, 2}));
        QCOMPARE(three.cores, 3);
        sweep.parallel = 0;
        sweep.perDevice = 2;
        const Share shared = claimed(2);
        QCOMPARE(shared.these, (std::vector<int>{0, 1}));
        QCOMPARE(shared.cores, 4);
    }

    // Trials of one worker each, on all of the hosts.
    void aSweepOverHostsClaimsThemAll() {
        spec::RunSpec run;
        run.scaling.workers = 1;
        run.scaling.threadsPerWorker = 2;
        run.hosts = {"lab1", "local", "lab2"};
        spec::SweepSpec sweep;
        sweep.runJson = spec::toJson(run);
        const run::HostRooms known{{"", {.cores = 8}}, {"lab2", {.cores = 16}}};
        const Claim claim = claimOf(sweep, known);
        QVERIFY(claim == (Claim{{"", {.cores = 2}}, {"lab1", {.whole = true}}, {"lab2", {.whole = true}}}));
        sweep.parallel = 6;
        QCOMPARE(claimOf(sweep, known).at("").cores, 4);
    }
};

QTEST_GUILESS_MAIN(QueuePolicyTest)
#include "queue_policy_test.moc"
