// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run is placed whose run file leaves that to the moment at which it starts.
#include "engine/queue/placement.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::queue;

namespace {

QString textOf(const std::vector<std::string>& hosts) {
    QStringList words;
    for (const auto& host : hosts) words << QString::fromStdString(host);
    return words.join(' ');
}

std::vector<std::string> namesOf(const QString& words) {
    std::vector<std::string> names;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) names.push_back(word.toStdString());
    return names;
}

// "a=2 b=all": cores that runs have on these hosts.
std::vector<Claim> activeOf(const QString& words) {
    std::vector<Claim> active;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
        Share share;
        if (const QString cores = word.section('=', 1); cores == "all") share.whole = true;
        else share.cores = cores.toInt();
        const QString host = word.section('=', 0, 0);
        active.push_back({{host == "local" ? std::string() : host.toStdString(), share}});
    }
    return active;
}

// Four cores each; "new" is not known.
const run::HostRooms kRooms{{"", {.cores = 4}}, {"a", {.cores = 4}}, {"b", {.cores = 4}}, {"c", {.cores = 4}}};

} // namespace

class QueuePlacementTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesTheLeastBusy_data();
    void takesTheLeastBusy();
    void onlyWhereThereIsAChoice();
    void devicesCountAsCoresDo();
    void aPlacedRunFileSaysWhere();
};

// Feature: a run is placed on the least busy of its hosts, and resumed there. Also in ssh_moves_test.
void QueuePlacementTest::takesTheLeastBusy_data() {
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("spareHosts");
    QTest::addColumn<int>("workers"); // of one thread each
    QTest::addColumn<QString>("active");
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<QString>("spares");
    const auto row = [](const char* name, const char* hosts, const char* spares, int workers, const char* active,
                        const char* chosen, const char* others) {
        QTest::newRow(name) << hosts << spares << workers << active << chosen << others;
    };
    row("all are idle: the first ones", "a b c", "", 2, "", "a b", "c");
    row("the first is busy", "a b c", "", 2, "a=2", "b c", "a");
    row("the least busy of the busy", "a b c", "", 1, "a=3 b=1 c=2", "b", "a c");
    row("one is full", "a b", "", 1, "a=4", "b", "a");
    row("in the order of the run file", "a b c", "", 2, "b=1", "a c", "b");
    row("as many hosts as have room", "a b c", "", 2, "a=4 c=4", "b", "a c");
    row("only where both fit", "a b", "", 2, "a=4 b=3", "a b", "");
    row("none has room: the least busy", "a b c", "", 1, "a=8 b=5 c=6", "b", "a c");
    row("more workers than hosts", "a b", "", 5, "", "a b", "");
    row("spares are chosen from, too", "a", "b", 1, "a=2", "b", "a");
    row("this computer is one of them", "local a", "", 1, "local=2", "a", "local");
    row("one that is not known and idle", "a new", "", 1, "a=2", "new", "a");
    row("one that is not known has one run", "a new", "", 1, "a=2 new=all", "a", "new");
    row("a host twice", "a a b", "", 2, "", "a b", "");
}

void QueuePlacementTest::takesTheLeastBusy() {
    QFETCH(QString, hosts);
    QFETCH(QString, spareHosts);
    QFETCH(int, workers);
    QFETCH(QString, active);
    spec::RunSpec run;
    run.hosts = namesOf(hosts);
    run.spareHosts = namesOf(spareHosts);
    run.scaling.workers = workers;
    run.scaling.threadsPerWorker = 1;
    run.scaling.device = "cpu";
    run.scaling.place = "free";
    const auto placement = place(run, kRooms, activeOf(active));
    QVERIFY(placement.has_value());
    QTEST(textOf(placement->hosts), "chosen");
    QTEST(textOf(placement->spares), "spares");
}

void QueuePlacementTest::onlyWhereThereIsAChoice() {
    spec::RunSpec run;
    run.scaling.place = "free";
    QVERIFY(!place(run, kRooms, {}));
    run.hosts = {"a", "a"};
    QVERIFY(!place(run, kRooms, {}));
    run.hosts = {"a", "b"};
    QVERIFY(place(run, kRooms, {}).has_value());
    run.scaling.place = "listed";
    QVERIFY(!place(run, kRooms, {}));
}

void QueuePlacementTest::devicesCountAsCoresDo() {
    const run::HostRooms rooms{{"a", {.cores = 64, .devices = 4}}, {"b", {.cores = 64, .devices = 2}}};
    spec::RunSpec run;
    run.hosts = {"a", "b"};
    run.scaling.place = "free";
    run.scaling.workers = 1;
    const Claim one{{"a", {.cores = 1, .these = {0}}}}, other{{"b", {.cores = 1, .these = {0}}}};
    QCOMPARE(textOf(place(run, rooms, {one})->hosts), QStringLiteral("b"));
    QCOMPARE(textOf(place(run, rooms, {one, other})->hosts), QStringLiteral("a")); // a quarter, and a half
    run.scaling.workers = 4;
    QCOMPARE(textOf(place(run, rooms, {})->hosts), QStringLiteral("a b"));
    QCOMPARE(textOf(place(run, rooms, {other})->hosts), QStringLiteral("a")); // all four, as b has but one
}

void QueuePlacementTest::aPlacedRunFileSaysWhere() {
    spec::RunSpec run;
    run.hosts = {"a", "b", "c"};
    run.scaling.place = "free";
    run.scaling.workers = 1;
    const auto placed = placedAt(run, {.hosts = {"b"}, .spares = {"a", "c"}});
    QCOMPARE(textOf(placed.hosts), QStringLiteral("b"));
    QCOMPARE(textOf(placed.spareHosts), QStringLiteral("a c"));
    QVERIFY(spec::validateFields(placed).empty());
}

QTEST_GUILESS_MAIN(QueuePlacementTest)
#include "queue_placement_test.moc"
