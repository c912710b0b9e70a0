// SPDX-License-Identifier: GPL-3.0-or-later
// A database that is kept open by a process that writes again and again.
#include "engine/store/database.h"
#include "engine/store/kept_store.h"
#include "engine/store/run_query.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::store;

namespace {

// A workspace of its own.
struct KeptPlace {
    QTemporaryDir dir;
    Workspace workspace{dir.path().toStdString()};
    std::unique_ptr<Store> store = *Store::open(workspace);

    RunRow add(const std::string& id) { return addTo(*store, id); } // a trial
    static RunRow addTo(Store& to, const std::string& id) {
        RunRow row;
        row.id = id;
        row.sweep = "sweep";
        row.status = wire::RunStatus::Running;
        row.specJson = "{}";
        if (const auto made = to.createRun(row); !made.ok()) qFatal("%s", made.error().text().c_str());
        return row;
    }
};

} // namespace

class StoreKeptTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsGoOnFromTheNewestColour() {
        KeptPlace place;
        const std::unique_ptr<Store> other = *Store::open(place.workspace);
        place.add("a");
        QCOMPARE(KeptPlace::addTo(*other, "b").colorIndex, 1);
        QCOMPARE(place.add("c").colorIndex, 2); // not that of the other one's
        QVERIFY(place.store->setArchived("a", true).ok());
        QCOMPARE(place.add("d").colorIndex, 3); // it has gone past it
        QCOMPARE(KeptPlace::addTo(**Store::open(place.workspace), "e").colorIndex, 0);
    }
    void aChosenColourIsGivenToNoOther() {
        KeptPlace place;
        place.add("a");
        place.add("b");
        QVERIFY(place.store->setColor(RunId("a"), "3").ok());
        QVERIFY(place.store->setColor(RunId("b"), "4").ok());
        QCOMPARE(place.add("c").colorIndex, 4); // 0 and 1 stay theirs, 2 and 3 are chosen
        QVERIFY(place.store->setColor(RunId("a"), "auto").ok());
        QVERIFY(place.store->setColor(RunId("b"), "#AABBCC").ok());
        QCOMPARE(KeptPlace::addTo(**Store::open(place.workspace), "d").colorIndex, 2);
        const auto reader = *RunQuery::open(place.workspace);
        QCOMPARE(reader->run("a")->color, std::string());
        QCOMPARE(reader->run("a")->colorIndex, 0);
        QCOMPARE(reader->run("b")->color, std::string("#aabbcc"));
    }
    // An interval between waits for the disk ends with what has to be there for good.
    // Feature: many short trials: few writes wait for the disk, a killed writer loses nothing for that, files that a
    // loss of power has taken are made anew; what is kept of each trial is small, and exact. Also in
    // store_process_test, sweep_test, sweep_values_test.
    void onlyFewWritesWaitForTheDisk() {
        KeptPlace place;
        KeptStore kept(place.workspace, {.syncSeconds = 1000});
        Store* const store = *kept.writer();
        QCOMPARE(*kept.writer(), store);
        QCOMPARE(*kept.reader(), *kept.reader());
        const auto waits = [&](const Result<void>& written) {
            if (!written.ok()) qFatal("%s", written.error().text().c_str());
            return store->waitsForDisk();
        };
        RunRow row = place.add("a");
        QVERIFY(waits(store->updateRun(row))); // the first one
        QVERIFY(!waits(store->updateRun(row)));
        QVERIFY(!waits(store->together([&] { return store->updateRun(row); })));
        QVERIFY(waits(store->together([&] { return store->updateRun(row); }, Outlives::PowerLoss)));
        QVERIFY(!waits(store->setTags(RunId("a"), "tag")));
        store->setSyncInterval(0);
        QVERIFY(waits(store->updateRun(row)));
        QVERIFY(waits(store->updateRun(row)));
        QCOMPARE((*kept.reader())->run("a")->tags, std::string("tag"));
    }
    void compiledStatementsAreOfTheirConnectionAlone() {
        QTemporaryDir dir;
        const Workspace first{dir.filePath("first").toStdString()}, second{dir.filePath("second").toStdString()};
        for (const Workspace& workspace : {first, second, first, second}) {
            std::filesystem::create_directories(workspace.root);
            sqlite3* db = *openDatabase(workspace.database(), Opening::Write);
            for (int round = 0; round < 3; ++round) {
                Statement one(db, "SELECT ?1"), another(db, "SELECT ?1"); // at the same time
                QVERIFY(*one.with(round).step());
                QVERIFY(*another.step());
                QCOMPARE(one.integer(0), std::int64_t{round});
                QCOMPARE(another.text(0), std::string()); // nothing of an earlier round is bound
            }
            closeDatabase(db);
        }
    }
};

QTEST_GUILESS_MAIN(StoreKeptTest)
#include "store_kept_test.moc"
