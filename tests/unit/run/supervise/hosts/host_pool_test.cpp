// SPDX-License-Identifier: GPL-3.0-or-later
// Which hosts a run trains on, and which stand in for one that is lost.
#include "engine/run/supervise/hosts/host_pool.h"

#include <QTest>

using namespace trainyard;
using run::HostPool;

namespace {

HostName hostNamed(const QString& text) { return HostName(text.toStdString()); }

// "b>c": c takes the place of b; "-c": c was no use.
void play(HostPool& pool, const QString& events) {
    for (const QString& event : events.split(' ', Qt::SkipEmptyParts)) {
        if (event.startsWith('-')) pool.putLast(hostNamed(event.mid(1)));
        else pool.replace(hostNamed(event.section('>', 0, 0)), hostNamed(event.section('>', 1)));
    }
}

// Of four ranks on a and b.
HostPool poolWith(std::vector<std::string> spares) {
    spec::RunSpec spec;
    spec.hosts = {"a", "b"};
    spec.spareHosts = std::move(spares);
    spec.scaling.workers = 4;
    return HostPool(spec);
}

std::vector<std::string> namesOf(const QString& words) {
    std::vector<std::string> names;
    for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) names.push_back(word.toStdString());
    return names;
}

std::vector<HostName> hostsOf(const QString& words) {
    const auto names = namesOf(words);
    return {names.begin(), names.end()};
}

QString textOf(const std::vector<HostName>& names) {
    QStringList words;
    for (const auto& name : names) words << (name.empty() ? QStringLiteral("here") : QString::fromStdString(name));
    return words.join(' ');
}

QString dealtBy(const HostPool& pool, int ranks) {
    std::vector<HostName> hosts;
    for (int rank = 0; rank < ranks; ++rank) hosts.push_back(pool.hostOf({rank, ranks}));
    return textOf(hosts);
}

} // namespace

class HostPoolTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sparesAreThoseWithoutRanks_data();
    void sparesAreThoseWithoutRanks();
    void aSpareTakesThePlaceOfALostHost_data();
    void aSpareTakesThePlaceOfALostHost();
    void asManyAreGivenUpSoonAsThereAreSpares_data();
    void asManyAreGivenUpSoonAsThereAreSpares();
    void aSpareHasThePlaceOfTheFirst();
    void aRunWithASpareStartsWithoutAHost();
};

// Feature: a spare takes the place of a host that is lost, or cannot be used at the start. Also in ssh_moves_test.
void HostPoolTest::sparesAreThoseWithoutRanks_data() {
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("spareHosts");
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("most"); // scaling.elastic.max
    QTest::addColumn<QString>("dealt");
    QTest::addColumn<QString>("spares");
    QTest::newRow("this computer") << "" << "" << 2 << 0 << "here here" << "";
    QTest::newRow("one for each worker") << "a b" << "" << 2 << 0 << "a b" << "";
    QTest::newRow("more than workers") << "a b c d" << "" << 2 << 0 << "a b" << "c d";
    QTest::newRow("that it may grow to") << "a b c d" << "" << 2 << 3 << "a b" << "d";
    QTest::newRow("named") << "a b" << "c" << 4 << 0 << "a a b b" << "c";
    QTest::newRow("both") << "a b" << "c" << 1 << 0 << "a" << "b c";
    QTest::newRow("this computer as one") << "a b" << "local" << 2 << 0 << "a b" << "here";
    QTest::newRow("by another of its names") << "localhost b" << "local c" << 2 << 0 << "here b" << "c";
}

void HostPoolTest::sparesAreThoseWithoutRanks() {
    QFETCH(QString, hosts);
    QFETCH(QString, spareHosts);
    QFETCH(int, workers);
    QFETCH(int, most);
    spec::RunSpec spec;
    spec.hosts = namesOf(hosts);
    spec.spareHosts = namesOf(spareHosts);
    spec.scaling.workers = workers;
    spec.scaling.elastic.max = most;
    const HostPool pool(spec);
    QTEST(dealtBy(pool, workers), "dealt");
    QTEST(textOf(pool.spares()), "spares");
}

void HostPoolTest::aSpareTakesThePlaceOfALostHost_data() {
    QTest::addColumn<QString>("events");
    QTest::addColumn<QString>("dealt");
    QTest::addColumn<QString>("spares");
    QTest::newRow("nothing is lost") << "" << "a a b b" << "c d";
    QTest::newRow("one is lost") << "b>c" << "a a c c" << "d b";
    QTest::newRow("the first is no use") << "-c b>d" << "a a d d" << "c b";
    QTest::newRow("both are lost") << "b>c a>d" << "d d c c" << "b a";
    QTest::newRow("the spare is lost, and the first is back") << "b>c -d c>b" << "a a b b" << "d c";
    QTest::newRow("what is no spare") << "-x" << "a a b b" << "c d";
}

void HostPoolTest::aSpareTakesThePlaceOfALostHost() {
    QFETCH(QString, events);
    auto pool = poolWith({"c", "d"});
    play(pool, events);
    QTEST(dealtBy(pool, 4), "dealt");
    QTEST(textOf(pool.spares()), "spares");
}

// Fault: Several hosts are switched off, and there are fewer spares. As many as there are spares are given up soon, the
// others waited for; a host that was lost before is no spare.
void HostPoolTest::asManyAreGivenUpSoonAsThereAreSpares_data() {
    QTest::addColumn<QString>("spareHosts");
    QTest::addColumn<QString>("events"); // before
    QTest::addColumn<QString>("lost");   // a host for each lost rank
    QTest::addColumn<QString>("soon");
    QTest::newRow("there is none") << "" << "" << "b" << "";
    QTest::newRow("one for one") << "c" << "" << "b b" << "b";
    QTest::newRow("one for two: the first") << "c" << "" << "a a b b" << "a";
    QTest::newRow("one for two, in their order") << "c" << "" << "b a" << "b";
    QTest::newRow("two for two") << "c d" << "" << "a b" << "a b";
    QTest::newRow("the only one is taken, and what was lost is none") << "c" << "b>c" << "a" << "";
    QTest::newRow("the same, and the spare itself is lost") << "c" << "b>c" << "c" << "";
    QTest::newRow("one of two is taken") << "c d" << "b>c" << "a c" << "a";
    QTest::newRow("the only one was no use") << "c" << "-c" << "b" << "";
    QTest::newRow("one of two was no use") << "c d" << "-c" << "a b" << "a";
    QTest::newRow("one that was no use has taken a place, and is none") << "c" << "-c b>c" << "a" << "";
    QTest::newRow("nothing is lost") << "c" << "" << "" << "";
}

void HostPoolTest::asManyAreGivenUpSoonAsThereAreSpares() {
    QFETCH(QString, spareHosts);
    QFETCH(QString, events);
    QFETCH(QString, lost);
    auto pool = poolWith(namesOf(spareHosts));
    play(pool, events);
    const auto soon = pool.givenUpSoon(hostsOf(lost));
    QTEST(textOf({soon.begin(), soon.end()}), "soon");
}

// Also when another spare follows it, or the first is back elsewhere.
void HostPoolTest::aSpareHasThePlaceOfTheFirst() {
    auto pool = poolWith({"c", "d"});
    QCOMPARE(pool.placeOf(HostName("b")), HostName("b"));
    play(pool, "b>c");
    QCOMPARE(pool.placeOf(HostName("c")), HostName("b"));
    play(pool, "c>d a>b");
    QCOMPARE(pool.placeOf(HostName("d")), HostName("b"));
    QCOMPARE(pool.placeOf(HostName("b")), HostName("a"));
    QCOMPARE(pool.placeOf(HostName("x")), HostName("x"));
}

void HostPoolTest::aRunWithASpareStartsWithoutAHost() {
    spec::RunSpec spec;
    spec.hosts = {"a"};
    spec.scaling.workers = 1;
    const Error gone = environmentError("no answer", "a").withCode(ErrorCode::HostUnreachable);
    QVERIFY(!run::startsWithout(spec, gone));
    spec.spareHosts = {"b"};
    QVERIFY(run::startsWithout(spec, gone));
    QVERIFY(!run::startsWithout(spec, environmentError("another key", "a").withCode(ErrorCode::SignInRefused)));
    QCOMPARE(run::hostsToReach(spec), (std::vector<std::string>{"a", "b"}));
}

QTEST_APPLESS_MAIN(HostPoolTest)
#include "host_pool_test.moc"
