// SPDX-License-Identifier: GPL-3.0-or-later
// Which entries of a queue start, and what the others wait for; what a run file claims.
#include "engine/queue/claims.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::queue;

using Claims = std::vector<Claim>;

Q_DECLARE_METATYPE(Claims)

namespace {

const Claim one{.cores = 1, .devices = {}, .hosts = {}}, two{.cores = 2, .devices = {}, .hosts = {}};
const Claim huge{.cores = 64, .devices = {}, .hosts = {}};
const Claim gpu{.cores = 1, .devices = {"cuda:0"}, .hosts = {}};
const Claim bothGpus{.cores = 2, .devices = {"cuda:0", "cuda:1"}, .hosts = {}};
const Claim lab{.cores = 0, .devices = {}, .hosts = {"lab1"}}, mixed{.cores = 1, .devices = {}, .hosts = {"lab1"}};

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
        row("one device, one run", 2, {gpu}, {gpu}, "device-busy");
        row("one after another on a device", 4, {gpu, gpu}, {}, "none device-busy");
        row("a device in common", 4, {bothGpus}, {gpu}, "device-busy");
        row("a run on cores passes one that waits for a device", 4, {gpu, one}, {gpu}, "device-busy none");
        row("but leaves it its cores", 4, {gpu, two, two}, {gpu}, "device-busy none cores-busy");
        row("a host is busy", 2, {lab}, {mixed}, "host-busy");
        row("a run here passes one that waits for a host", 2, {lab, two}, {lab}, "host-busy none");
        row("a host needs no core of this computer", 2, {lab}, {huge}, "none");
        row("nobody takes a host before its turn", 3, {mixed, lab}, {huge}, "cores-busy earlier");
        QTest::newRow("paused") << 4 << true << Claims{one, gpu} << Claims{} << QString("paused paused");
    }
    void judges() {
        QFETCH(int, slots);
        QFETCH(bool, paused);
        QFETCH(Claims, waiting);
        QFETCH(Claims, active);
        QFETCH(QString, expected);
        QCOMPARE(words(judge({.slots = slots, .paused = paused, .cores = 4}, waiting, active)), expected);
    }

    void saysWhoIsInTheWay() {
        const QueueRules rules{.slots = 8, .paused = false, .cores = 4};
        const auto device = judge(rules, {one, gpu}, {one, gpu}); // the second of the active ones has it
        QCOMPARE(device[1].by, 1);
        QCOMPARE(device[1].what, std::string("cuda:0"));
        const auto started = judge(rules, {lab, lab}, {one}); // the entry that starts now has it
        QCOMPARE(started[1].by, 1);
        QCOMPARE(started[1].what, std::string("lab1"));
        const auto cores = judge(rules, {huge, one}, {one});
        QCOMPARE(cores[0].needed, 4);
        QCOMPARE(cores[0].free, 3);
        QCOMPARE(cores[1].wait, Wait::Earlier);
        QCOMPARE(cores[1].by, 0);
        const auto full = judge({.slots = 1, .paused = false, .cores = 4}, {one}, {one, one});
        QCOMPARE(full[0].needed, 2);
        QCOMPARE(full[0].free, 1);
    }

    void claims_data() {
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("threads");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<int>("devices"); // of this computer
        QTest::addColumn<int>("cores");
        QTest::addColumn<QStringList>("claimed"); // devices and hosts
        QTest::newRow("all cores") << 2 << 0 << "auto" << QStringList{} << 0 << 8 << QStringList{};
        QTest::newRow("uneven") << 3 << 0 << "cpu" << QStringList{} << 0 << 6 << QStringList{};
        QTest::newRow("threads by number") << 2 << 1 << "cpu" << QStringList{} << 4 << 2 << QStringList{};
        QTest::newRow("devices by themselves")
            << 2 << 0 << "auto" << QStringList{} << 2 << 2 << QStringList{"cuda:0", "cuda:1"};
        QTest::newRow("another host") << 2 << 0 << "cpu" << QStringList{"lab1"} << 0 << 0 << QStringList{"lab1"};
        QTest::newRow("here and there") << 4 << 1 << "cpu" << QStringList{"local", "lab1"} << 0 << 2
                                        << QStringList{"lab1"};
    }
    void claims() {
        QFETCH(int, workers);
        QFETCH(int, threads);
        QFETCH(QString, device);
        QFETCH(QStringList, hosts);
        QFETCH(int, devices);
        QFETCH(int, cores);
        QFETCH(QStringList, claimed);
        spec::RunSpec spec;
        spec.scaling.workers = workers;
        spec.scaling.threadsPerWorker = threads;
        spec.scaling.device = device.toStdString();
        for (const auto& host : hosts) spec.hosts.push_back(host.toStdString());
        const Claim claim = claimOf(spec, {.cores = 8, .devices = devices});
        QCOMPARE(claim.cores, cores);
        QStringList found;
        for (const auto* list : {&claim.devices, &claim.hosts})
            for (const auto& each : *list) found << QString::fromStdString(each);
        QCOMPARE(found, claimed);
    }

    void aSweepClaimsWhatItsTrialsDo() {
        spec::RunSpec run;
        run.scaling.workers = 1;
        run.scaling.threadsPerWorker = 2;
        spec::SweepSpec sweep;
        sweep.runJson = spec::toJson(run);
        QCOMPARE(claimOf(sweep, {.cores = 8}).cores, 8); // as many trials as the cores allow
        sweep.parallel = 3;
        QCOMPARE(claimOf(sweep, {.cores = 8}).cores, 6);
        const Claim three = claimOf(sweep, {.cores = 8, .devices = 4});
        QCOMPARE(three.devices, (std::vector<std::string>{"cuda:0", "cuda:1", "cuda:2"}));
        QCOMPARE(three.cores, 3);
        sweep.parallel = 0;
        sweep.perDevice = 2;
        const Claim shared = claimOf(sweep, {.cores = 8, .devices = 2});
        QCOMPARE(shared.devices, (std::vector<std::string>{"cuda:0", "cuda:1"}));
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
        const Claim one = claimOf(sweep, {.cores = 8});
        QCOMPARE(one.hosts, (std::vector<std::string>{"lab1", "lab2"}));
        QCOMPARE(one.cores, 2);
        sweep.parallel = 6;
        QCOMPARE(claimOf(sweep, {.cores = 8}).cores, 4);
    }
};

QTEST_GUILESS_MAIN(QueuePolicyTest)
#include "queue_policy_test.moc"
