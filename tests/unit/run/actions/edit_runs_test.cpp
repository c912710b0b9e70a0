// SPDX-License-Identifier: GPL-3.0-or-later
// What people write on runs, how it is taken back, and how archived runs are deleted.
#include "engine/base/files/atomic_file.h"
#include "engine/run/actions/edit_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::run;
namespace fs = std::filesystem;

namespace {

struct Runs {
    QTemporaryDir folder;
    store::Workspace workspace{folder.path().toStdString()};

    std::string add(const std::string& id, const fs::path& at = {}) const {
        store::RunRow row;
        row.id = id;
        row.name = "mlp-" + id;
        row.tags = "old";
        row.specJson = "{}";
        row.status = wire::RunStatus::Finished;
        row.folder = at.empty() ? workspace.runFolder(id).string() : at.string();
        fs::create_directories(fs::path(row.folder) / "checkpoints");
        if (!writeFileAtomic(fs::path(row.folder) / "checkpoints" / "last", std::string(1000, 'x')).ok() ||
            !(*store::Store::open(workspace))->createRun(row).ok())
            qFatal("no run");
        return id;
    }
    Result<store::RunRow> row(const std::string& id) const { return (*store::RunQuery::open(workspace))->run(id); }
};

} // namespace

class EditRunsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: notes; several runs at once; archive, restore, delete for good; every edit undone in one step. Also in
    // runs_table_test, same_answers_test.
    void everyEditIsTakenBack() {
        const Runs place;
        for (const char* id : {"a", "b"}) place.add(id);
        const auto back = editRuns(
            place.workspace, {{.run = "a", .name = "first", .tags = "new", .notes = "one\n\ttwo", .color = "#1F77B4"},
                              {.run = "b", .archived = true},
                              {.run = "a", .archived = true}});
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QCOMPARE(place.row("a")->name, std::string("first"));
        QCOMPARE(place.row("a")->tags, std::string("new"));
        QCOMPARE(place.row("a")->notes, std::string("one\n\ttwo"));
        QCOMPARE(place.row("a")->color, std::string("#1f77b4"));
        QVERIFY(place.row("a")->archived && place.row("b")->archived);
        QVERIFY(editRuns(place.workspace, *back).ok());
        QCOMPARE(place.row("a")->name, std::string("mlp-a"));
        QCOMPARE(place.row("a")->tags, std::string("old"));
        QCOMPARE(place.row("a")->notes, std::string());
        QCOMPARE(place.row("a")->color, std::string());
        QVERIFY(!place.row("a")->archived && !place.row("b")->archived);
    }

    // Bad inputs: colours of runs. The run keeps its colour.
    void refusesColours_data() {
        QTest::addColumn<QString>("color");
        QTest::addColumn<QString>("says");
        QTest::newRow("a word") << "blue" << "is not a colour";
        QTest::newRow("a number beyond the palette") << "41" << "is not a colour";
        QTest::newRow("zero") << "0" << "is not a colour";
        QTest::newRow("too few digits") << "#1f77b" << "is not a colour";
        QTest::newRow("a digit that is none") << "#1f77bg" << "is not a colour";
        QTest::newRow("a sign within") << "#-12345" << "is not a colour";
        QTest::newRow("what a terminal obeys") << "#\x1b[2J1f" << "is not a colour";
    }
    void refusesColours() {
        QFETCH(QString, color);
        QFETCH(QString, says);
        const Runs place;
        place.add("a");
        const auto back = editRuns(place.workspace, {{.run = "a", .color = color.toStdString()}});
        QVERIFY(!back.ok());
        QVERIFY(back.error().kind == ErrorKind::Input);
        QVERIFY2(back.error().text().find(says.toStdString()) != std::string::npos, back.error().text().c_str());
        QVERIFY(back.error().text().find('\x1b') == std::string::npos);
        QCOMPARE(place.row("a")->color, std::string());
    }

    // Bad inputs: notes of runs. One bad edit, and none of the edits requested together is made.
    void oneBadEditKeepsAllFromBeingMade_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("notes");
        QTest::addColumn<QString>("says");
        QTest::newRow("a run that there is not") << "nobody" << "x" << "there is no run";
        QTest::newRow("notes that a terminal obeys") << "b" << "a\x1b[2Jb" << "(write plain text)";
        QTest::newRow("notes that are too long") << "b" << QString(10'001, 'n') << "(shorten it)";
        QTest::newRow("long notes that a terminal obeys")
            << "b" << "\x1b[2J" + QString(10'001, 'n') << "must be at most 10000 characters";
    }
    void oneBadEditKeepsAllFromBeingMade() {
        QFETCH(QString, run);
        QFETCH(QString, notes);
        QFETCH(QString, says);
        const Runs place;
        for (const char* id : {"a", "b"}) place.add(id);
        const auto back = editRuns(place.workspace, {{.run = "a", .archived = true},
                                                     {.run = run.toStdString(), .notes = notes.toStdString()}});
        QVERIFY(!back.ok());
        QVERIFY(back.error().kind == ErrorKind::Input);
        QVERIFY2(QString::fromStdString(back.error().text()).contains(says), back.error().text().c_str());
        QVERIFY(!place.row("a")->archived);
    }

    void archivedRunsAreDeletedWithTheirFiles() {
        const Runs place;
        for (const char* id : {"a", "b", "c"}) place.add(id);
        const QTemporaryDir storage; // of a run that keeps its files elsewhere
        place.add("d", fs::path(storage.path().toStdString()) / "d");
        QVERIFY(editRuns(place.workspace, {{.run = "b", .archived = true}, {.run = "d", .archived = true}}).ok());
        const auto archived = archivedRuns(place.workspace);
        QVERIFY(archived.ok());
        QCOMPARE(archived->size(), std::size_t{2});
        QCOMPARE(archived->front().bytes, std::uintmax_t{1000});
        const auto freed = deleteRuns(place.workspace, {"b", "d"});
        QVERIFY2(freed.ok(), freed.ok() ? "" : freed.error().text().c_str());
        QCOMPARE(*freed, std::uintmax_t{2000});
        QVERIFY(!place.row("b").ok() && !place.row("d").ok());
        QVERIFY(!fs::exists(place.workspace.runFolder("b")) && !fs::exists(storage.path().toStdString() + "/d"));
        QVERIFY(place.row("a").ok() && fs::exists(place.workspace.runFolder("a")));
    }

    // Bad inputs: runs to delete. The first two are Input errors, the last is an Environment error.
    void refusesToDelete_data() {
        QTest::addColumn<bool>("archived");
        QTest::addColumn<bool>("supervised");
        QTest::addColumn<bool>("sharedFolder");
        QTest::addColumn<QString>("says");
        QTest::newRow("not archived") << false << false << false << "is not archived";
        QTest::newRow("supervised") << true << true << false << "is still supervised";
        QTest::newRow("a folder of something else") << true << false << true << "does not have its id";
    }
    void refusesToDelete() {
        QFETCH(bool, archived);
        QFETCH(bool, supervised);
        QFETCH(bool, sharedFolder);
        QFETCH(QString, says);
        const Runs place;
        const fs::path folder =
            sharedFolder ? fs::path(place.folder.path().toStdString()) / "home" : place.workspace.runFolder("a");
        place.add("a", folder);
        QVERIFY(editRuns(place.workspace, {{.run = "a", .archived = archived}}).ok());
        std::optional<store::RunLock> lock;
        if (supervised) lock.emplace(*store::RunLock::acquire(folder));
        const auto freed = deleteRuns(place.workspace, {"a"});
        QVERIFY(!freed.ok());
        QVERIFY2(QString::fromStdString(freed.error().text()).contains(says), freed.error().text().c_str());
        QVERIFY(!freed.error().remedy.empty());
        QVERIFY(fs::exists(folder / "checkpoints" / "last") && place.row("a").ok());
    }
};

QTEST_GUILESS_MAIN(EditRunsTest)
#include "edit_runs_test.moc"
