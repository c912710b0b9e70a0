// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a workspace: what the first release has written (first_release.sql) is read whole, and they are those
// of schema.sql still.
#include "engine/store/database.h"
#include "engine/store/run_query.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::store;

namespace {

// Runs the statements of a file on the database of the workspace; what went wrong, or nothing.
std::string execute(const QByteArray& statements, const Workspace& workspace) {
    sqlite3* db = nullptr;
    sqlite3_open(workspace.database().c_str(), &db);
    char* problem = nullptr;
    sqlite3_exec(db, statements.constData(), nullptr, nullptr, &problem);
    std::string text = problem ? problem : "";
    sqlite3_free(problem);
    sqlite3_close(db);
    return text;
}

QByteArray firstRelease() {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/store/first_release.sql"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : "no such file";
}

// Tables with their columns, indexes and triggers, by name.
QStringList objectsOf(const Workspace& workspace) {
    QStringList found;
    auto db = openDatabase(workspace.database(), Opening::Read);
    if (!db.ok()) return {QString::fromStdString(db.error().text())};
    const auto note = [&](Statement& row) { found << QString::fromStdString(row.text(0) + " " + row.text(1)); };
    (void)query(*db,
                "SELECT o.name, group_concat(c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || "
                "coalesce(c.dflt_value, '')) FROM sqlite_master o JOIN pragma_table_info(o.name) c "
                "WHERE o.type = 'table' GROUP BY o.name ORDER BY o.name",
                note);
    (void)query(*db,
                "SELECT type, name || ' of ' || tbl_name FROM sqlite_master WHERE type <> 'table' "
                "AND name NOT LIKE 'sqlite_%' ORDER BY type, name",
                note);
    closeDatabase(*db);
    return found;
}

} // namespace

class StoreSchemaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // Feature: the list of runs is read by difference. Also in pages_models_test, store_test.
    void readsTheFirstReleaseWhole_data() {
        QTest::addColumn<bool>("byReader");
        QTest::newRow("opened to write") << false;
        QTest::newRow("opened to read") << true;
    }
    void readsTheFirstReleaseWhole() {
        QFETCH(bool, byReader);
        QCOMPARE(execute(firstRelease(), workspace()), std::string());
        if (!byReader) {
            const auto store = Store::open(workspace());
            QVERIFY2(store.ok(), store.ok() ? "" : store.error().text().c_str());
        }
        const auto reader = RunQuery::open(workspace());
        QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().text().c_str());
        const auto rows = (*reader)->runs();
        QVERIFY(rows.ok());
        QCOMPARE(rows->size(), std::size_t{3});
        const auto& run = rows->back();
        QCOMPARE(run.name, std::string("first"));
        QCOMPARE(run.status, wire::RunStatus::Finished);
        QCOMPARE(run.step, 10);
        QCOMPARE(run.notes, std::string("kept note"));
        QCOMPARE(run.tags, std::string("a b"));
        QVERIFY(run.forkedFrom.empty());
        QCOMPARE((*reader)->points(RunId(run.id), "train/loss")->size(), std::size_t{10});
        QCOMPARE((*reader)->points(RunId(run.id), "val/accuracy")->size(), std::size_t{2});
        QCOMPARE((*reader)->checkpoints(run.id)->size(), std::size_t{2});
        QCOMPARE((*reader)->workers(run.id)->size(), std::size_t{1});
        QVERIFY(!(*reader)->log(run.id)->empty());
        const auto sweeps = (*reader)->sweeps();
        QCOMPARE(sweeps->size(), std::size_t{1});
        QCOMPARE((*reader)->trials(sweeps->front().id)->size(), std::size_t{2});
        QCOMPARE((*reader)->queue()->rows.size(), std::size_t{1});
        QVERIFY((*reader)->queue()->settings.paused);

        const auto changes = (*reader)->changesAfter(-1);
        QCOMPARE(changes->runs.size(), std::size_t{3});
        QVERIFY((*Store::open(workspace()))->rename(RunId(run.id), "renamed").ok());
        QCOMPARE((*reader)->changesAfter(changes->last)->runs.front().name, std::string("renamed"));
    }

    // A change of schema.sql would leave the workspaces that people have without it: it needs a step of its own.
    void theTablesAreThoseOfTheFirstRelease() {
        QVERIFY(Store::open(workspace()).ok());
        const QStringList made = objectsOf(workspace());
        init();
        QCOMPARE(execute(firstRelease(), workspace()), std::string());
        QCOMPARE(made, objectsOf(workspace()));
        QVERIFY(made.size() > 30);
    }

    void otherVersionsAreRefused_data() {
        QTest::addColumn<int>("version");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("newer") << kSchemaVersion + 1 << ErrorCode::NewerVersion << "use the newer program";
        QTest::newRow("never released") << kSchemaVersion - 1 << ErrorCode::General << "never released";
        QTest::newRow("negative") << -1 << ErrorCode::General << "never released";
    }
    void otherVersionsAreRefused() {
        QFETCH(int, version);
        QFETCH(QString, said);
        QVERIFY(Store::open(workspace()).ok());
        QCOMPARE(execute("PRAGMA user_version = " + QByteArray::number(version), workspace()), std::string());
        const auto opened = Store::open(workspace());
        QVERIFY(!opened.ok());
        QTEST(opened.error().code, "code");
        QCOMPARE(opened.error().kind, ErrorKind::Environment);
        QVERIFY2(opened.error().text().find(said.toStdString()) != std::string::npos, opened.error().text().c_str());
        const auto runs = (*RunQuery::open(Workspace{m_folder->path().toStdString() + "/none"}))->runs();
        QVERIFY(runs.ok() && runs->empty());
        QVERIFY(!RunQuery::open(workspace()).ok());
    }

private:
    Workspace workspace() const { return {m_folder->path().toStdString()}; }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(StoreSchemaTest)
#include "store_schema_test.moc"
