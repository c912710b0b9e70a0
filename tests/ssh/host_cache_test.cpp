// SPDX-License-Identifier: GPL-3.0-or-later
// What of a host's cache may go.
#include "remote/files/host_cache.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::remote;
using Kind = CachedItem::Kind;

class HostCacheTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatIsNeeded_data();
    void keepsWhatIsNeeded();
};

// Feature: what runs leave on hosts can be freed; what is in use, or not here yet, stays. Also in ssh_run_test.
void HostCacheTest::keepsWhatIsNeeded_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("inUse");
    QTest::addColumn<int>("there"); // step of the newest checkpoint there; -1: none
    QTest::addColumn<int>("here");  // the same here; -2: the run is not known
    QTest::addColumn<QString>("keptFor");
    const auto row = [](const char* name, Kind kind, bool inUse, int there, int here, const char* keptFor) {
        QTest::newRow(name) << static_cast<int>(kind) << inUse << there << here << keptFor;
    };
    row("a worker", Kind::Worker, false, -1, -2, "");
    row("a worker that runs", Kind::Worker, true, -1, -2, "in-use");
    row("a copy", Kind::Data, false, -1, -2, "");
    row("a copy that is read", Kind::Data, true, -1, -2, "in-use");
    row("a run that is over", Kind::Run, false, 300, 300, "");
    row("a run that trains", Kind::Run, true, 300, 300, "in-use");
    row("a run that went on here", Kind::Run, false, 300, 400, "");
    row("a checkpoint that is not here", Kind::Run, false, 301, 300, "newer");
    row("the first one is not here", Kind::Run, false, 0, -1, "newer");
    row("another workspace's", Kind::Run, false, 300, -2, "unknown-run");
    row("another workspace's without a checkpoint", Kind::Run, false, -1, -2, "");
}

void HostCacheTest::keepsWhatIsNeeded() {
    QFETCH(int, kind);
    QFETCH(bool, inUse);
    QFETCH(int, there);
    QFETCH(int, here);
    std::map<std::string, std::int64_t> newestHere;
    if (here > -2) newestHere["20261120-104512-7f3a9c"] = here;
    const CachedItem item{static_cast<Kind>(kind), "runs/x", "20261120-104512-7f3a9c", 10, inUse, there};
    QTEST(QString(toString(judgeCache({item}, newestHere).at(0))), "keptFor");
    auto wrote = item;
    wrote.hasOutput = true; // of a program: the user's
    const bool goes = QString(toString(judgeCache({item}, newestHere).at(0))).isEmpty();
    QCOMPARE(toString(judgeCache({wrote}, newestHere).at(0)),
             goes ? "output" : toString(judgeCache({item}, newestHere).at(0)));
}

QTEST_GUILESS_MAIN(HostCacheTest)
#include "host_cache_test.moc"
