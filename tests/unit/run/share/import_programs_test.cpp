// SPDX-License-Identifier: GPL-3.0-or-later
// Importing JSON lines and what W&B and MLflow record. Their files are written by
// tests/unit/python/write_foreign_runs.py from the descriptions of their formats: Debian has no package of their own
// writers.
#include "engine/imports/json_lines.h"
#include "engine/imports/mlflow_database.h"
#include "engine/imports/mlflow_folder.h"
#include "engine/imports/wandb_files.h"
#include "engine/run/share/import_runs.h"
#include "tests/unit/file_bytes.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

#include <cmath>

using namespace trainyard;
namespace fs = std::filesystem;
using tests::bytesOf;
using tests::writeBytes;
using Ending = imports::ImportedRun::Ending;

namespace {

void sql(const fs::path& path, const char* text) {
    sqlite3* db = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    QCOMPARE(sqlite3_exec(db, text, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
}
imports::Setting settingOf(const imports::ImportedRun& run, const std::string& name) {
    for (const auto& [known, value] : run.settings)
        if (known == name) return value;
    return std::string("there is none");
}

constexpr const char* kFinished = "wandb/offline-run-20251009_a-abc123/run-abc123.wandb";

} // namespace

class ImportProgramsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    fs::path m_source;

    static void showsAll(const std::vector<imports::Skipped>& skipped, const QString& complaint, const QString& place) {
        QVERIFY(!skipped.empty());
        const auto& first = skipped.front();
        QVERIFY2(QString::fromStdString(first.message).contains(complaint), first.message.c_str());
        QVERIFY2(QString::fromStdString(first.where).contains(place), first.where.c_str());
        QVERIFY(!first.remedy.empty());
    }

    // All that the script writes; an empty folder where it cannot run, and the test is skipped.
    void writeForeignRuns(const QStringList& which = {}) {
        QProcess python;
        python.start(QStringLiteral("python3"),
                     QStringList{TRAINYARD_SOURCE_DIR "/tests/unit/python/write_foreign_runs.py",
                                 QString::fromStdString(m_source.string())} +
                         which);
        if (!python.waitForStarted()) QSKIP("there is no python3 to write the files with");
        QVERIFY(python.waitForFinished());
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    }

private Q_SLOTS:
    void init() {
        const fs::path root = fs::path(m_folder.path().toStdString()) / QTest::currentTestFunction();
        fs::remove_all(root);
        m_workspace = *store::Workspace::open((root / "workspace").string());
        m_source = root / "source";
        fs::create_directories(m_source);
    }

    void runsOfAllProgramsAreFoundInOneFolder() {
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        const auto imported = run::importRuns(m_workspace, m_source);
        QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().text().c_str());
        QStringList names;
        for (const auto& each : *imported) {
            QVERIFY2(each.outcome == run::ImportedSource::Outcome::Added, each.failure.text().c_str());
            names << QString::fromStdString(each.name);
        }
        // Four of W&B, two of mlruns (one is deleted), two of the database (likewise); no copies, no artifacts.
        QCOMPARE(names, QStringList({"brisk-sea-7", "brisk-sea-7", "brisk-sea-7", "brisk-sea-7", "amused-ray-1",
                                     "broke", "calm-owl", "bbbbbbbb"}));
        const auto query = store::RunQuery::open(m_workspace);
        const auto row = (*query)->run(imported->front().run);
        QVERIFY(row->status == wire::RunStatus::Finished);
        QCOMPARE(row->notes, std::string("a note"));
        QCOMPARE((*query)->points(RunId(row->id), "loss")->back().seconds, 4.0);
        const auto cpu = (*query)->points(RunId(row->id), "system/cpu");
        QCOMPARE(cpu->size(), 4u); // two of each step
        QCOMPARE(cpu->front().seconds, 1.25);
        QCOMPARE(cpu->back().value, 50.0);
        const auto failed = (*query)->run(imported->at(5).run);
        QVERIFY(failed->status == wire::RunStatus::Failed);
        QVERIFY(!failed->error.message.empty());
        // Again: nothing changes, also of the database, whose runs are known by what they say.
        const auto again = run::importRuns(m_workspace, m_source);
        for (const auto& each : *again)
            QVERIFY2(each.outcome == run::ImportedSource::Outcome::Unchanged, each.name.c_str());
        // A run that goes on changes alone.
        sql(m_source / "mlflow.db", "INSERT INTO metrics SELECT key, 0.125, timestamp, run_uuid, 9, 0 FROM metrics "
                                    "WHERE key = 'loss' AND step = 4 AND run_uuid LIKE 'a%'");
        const auto grown = run::importRuns(m_workspace, m_source / "mlflow.db");
        QVERIFY(grown->at(0).outcome == run::ImportedSource::Outcome::Changed);
        QVERIFY(grown->at(1).outcome == run::ImportedSource::Outcome::Unchanged);
        QCOMPARE((*query)->points(RunId(grown->at(0).run), "loss")->back().step, 9);
    }

    void aPreviewSaysWhatAnImportWouldDo() {
        writeBytes(m_source / "metrics.csv", "epoch,time_s,loss,acc\n1,2,3,4\n");
        const auto before = run::previewImports(m_workspace, m_source);
        QVERIFY(before.ok());
        QCOMPARE(before->size(), 1u);
        const auto& one = before->front();
        QVERIFY(one.found.kind == run::ImportKind::Table);
        QVERIFY(!one.known);
        QCOMPARE(one.bytes, 30);
        QCOMPARE(one.found.mapping->epoch, std::string("epoch"));
        QCOMPARE(one.found.mapping->time, std::string("time_s"));
        QCOMPARE(one.found.mapping->series, std::vector<std::string>({"loss", "acc"}));
        QVERIFY(run::importFound(m_workspace, std::vector{one.found}).ok());
        QVERIFY(run::previewImports(m_workspace, m_source)->front().known);
    }

    // Feature: runs imported from W&B (offline), MLflow (folder and database) and JSON lines; all of them found in one
    // folder; a preview of what an import would do.
    void wandbsHistoryConfigAndSummaryAreRead() {
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        const auto run = imports::readWandbFile(m_source / kFinished);
        QVERIFY(run.ok());
        QCOMPARE(run->skippedCount, 0);
        QCOMPARE(run->name, std::string("brisk-sea-7"));
        QVERIFY(run->ending == Ending::Finished);
        const auto& loss = run->series.at("loss");
        QCOMPARE(loss.size(), 5u);
        QVERIFY(std::isnan(loss[2].value));
        QCOMPARE(loss[4].value, 0.2);
        QCOMPARE(loss[4].wallSeconds, 1760000004.0);
        QCOMPARE(run->series.at("val.acc").front().step, 2);
        QCOMPARE(run->series.at("nested.deep.x").front().value, 3.0);
        QCOMPARE(run->series.at("best.acc").front().step, 4); // of the summary alone
        QCOMPARE(run->otherValues, 1);                        // the picture
        const auto& cpu = run->system.at("cpu");              // of the computer, at the step that was told of last
        QCOMPARE(cpu.size(), 4u);
        QCOMPARE(cpu[0].value, 12.5);
        QCOMPARE(cpu[0].wallSeconds, 1760000001.25);
        QCOMPARE(cpu[0].step, 1);
        QCOMPARE(cpu[1].step, 1);
        QCOMPARE(cpu[3].step, 3);
        QCOMPARE(run->system.size(), 2u); // what is null is no series
        QVERIFY(settingOf(*run, "lr") == imports::Setting(0.125));
        QVERIFY(settingOf(*run, "net.layers") == imports::Setting(std::string("[128, 64]")));
        QVERIFY(settingOf(*run, "net.bias") == imports::Setting(true));
        QCOMPARE(run->settings.size(), 3u); // without W&B's own
        const auto large = imports::readWandbFile(m_source / "wandb/offline-run-20251009_b-large/run-large.wandb");
        QCOMPARE(large->skippedCount, 0); // a record over several blocks
        QCOMPARE(large->series.at("loss").size(), 5u);
        QVERIFY(imports::readWandbFile(m_source / "wandb/offline-run-20251009_c-failed/run-failed.wandb")->ending ==
                Ending::Failed);
        QVERIFY(imports::readWandbFile(m_source / "wandb/offline-run-20251009_d-killed/run-killed.wandb")->ending ==
                Ending::Stopped);
    }

    void aRunOfWandbThatWentOnIsOne() {
        writeForeignRuns({"went-on"});
        if (fs::is_empty(m_source)) return;
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->size(), 1u);
        QCOMPARE(imported->front().repeated, 0);
        const auto query = store::RunQuery::open(m_workspace);
        const auto row = (*query)->run(imported->front().run);
        QVERIFY(row->status == wire::RunStatus::Finished); // as it ended the last time
        const auto loss = (*query)->points(RunId(row->id), "loss");
        QCOMPARE(loss->size(), 7u);
        QCOMPARE(loss->back().step, 6);
        QCOMPARE(loss->back().value, 1.0 / 7);
    }

    // Bad inputs: logs of W&B to import. Damaged records are named and left out; the rest is imported.
    void damagedLogsOfWandbAreNamedAndTheRestIsKept_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<int>("points"); // of loss
        QTest::addColumn<QString>("complaint");
        QTest::newRow("a log cut within a record") << "cut" << 4 << "cut off within a record";
        QTest::newRow("a log cut within a head") << "cut head" << 5 << "cut off within the head";
        QTest::newRow("a log with a flipped bit") << "flip" << 4 << "the checksum of a record is wrong";
        QTest::newRow("a log with a wrong length") << "length" << 0 << "the length of a record is wrong";
        QTest::newRow("a log that lost a part of a record") << "part" << 4 << "the checksum of a record is wrong";
    }
    void damagedLogsOfWandbAreNamedAndTheRestIsKept() {
        QFETCH(QString, damage);
        QFETCH(int, points);
        QFETCH(QString, complaint);
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        QByteArray bytes = bytesOf(m_source / kFinished);
        const auto lastRow = bytes.indexOf("1760000004");
        if (damage == "cut") bytes.truncate(lastRow + 3);
        if (damage == "cut head") bytes.truncate(bytes.size() - 9); // the last record has a head of 7 and 5 bytes
        if (damage == "flip") bytes[lastRow] = 'x';
        if (damage == "length") bytes[7 + 5] = '\xff';
        if (damage == "part") {
            bytes = bytesOf(m_source / "wandb/offline-run-20251009_b-large/run-large.wandb");
            bytes[bytes.indexOf("xxxx") + 9] = 'y';
        }
        writeBytes(m_source / "damaged.wandb", bytes);
        const auto run = imports::readWandbFile(m_source / "damaged.wandb");
        QVERIFY(run.ok());
        const auto loss = run->series.find("loss");
        QCOMPARE(loss == run->series.end() ? 0 : static_cast<int>(loss->second.size()), points);
        QVERIFY(run->skippedCount >= 1);
        showsAll(run->skipped, complaint, "damaged.wandb, byte ");
    }

    void mlflowsFolderIsRead() {
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        const auto run = imports::readMlflowFolder(m_source / "mlruns/0" / std::string(32, '1'));
        QVERIFY(run.ok());
        QCOMPARE(run->skippedCount, 0);
        QCOMPARE(run->name, std::string("amused-ray-1"));
        QCOMPARE(run->notes, std::string("a note"));
        QCOMPARE(run->series.at("loss").size(), 5u);
        const auto& acc = run->series.at("val/acc"); // written in no order, one step twice
        QCOMPARE(acc.size(), 2u);
        QCOMPARE(acc[0].value, 0.25);
        QCOMPARE(acc[1].value, 0.75);
        QVERIFY(settingOf(*run, "lr") == imports::Setting(0.125));
        QVERIFY(settingOf(*run, "net") == imports::Setting(std::string("mlp")));
    }

    void mlflowsDatabaseIsRead() {
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        const auto runs = imports::listMlflowRuns(m_source / "mlflow.db");
        QCOMPARE(runs->size(), 2u);
        std::vector<imports::ImportedRun> read;
        QVERIFY(imports::readMlflowRuns(m_source / "mlflow.db", *runs,
                                        [&](const auto&, imports::ImportedRun run) -> Result<void> {
                                            read.push_back(std::move(run));
                                            return {};
                                        }));
        QCOMPARE(read[0].series.at("loss")[4].value, 0.2);
        QCOMPARE(read[0].series.at("loss")[4].wallSeconds, 1760000004.0);
        QVERIFY(std::isnan(read[0].series.at("acc")[0].value));
        QVERIFY(std::isinf(read[0].series.at("acc")[1].value));
        QVERIFY(settingOf(read[0], "lr") == imports::Setting(0.125));
        QVERIFY(read[1].ending == Ending::Failed);
    }

    void metricsOfMlflowWithoutStepsAreNumbered_data() {
        QTest::addColumn<QByteArray>("line"); // behind time and value
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("repeated");
        QTest::newRow("step 0") << QByteArray(" 0") << 30 << 0;
        QTest::newRow("no step") << QByteArray("") << 30 << 0;
        QTest::newRow("step 7") << QByteArray(" 7") << 30 << 0;
    }
    void metricsOfMlflowWithoutStepsAreNumbered() {
        QFETCH(QByteArray, line);
        QFETCH(int, points);
        QFETCH(int, repeated);
        QByteArray text;
        for (int i = 29; i >= 0; --i) // in no order
            text += QByteArray::number(1'700'000'000'000 + i) + " " + QByteArray::number(i) + line + "\n";
        writeBytes(m_source / "1/abc/meta.yaml", "run_id: abc\nrun_name: r\nstatus: 3\n");
        writeBytes(m_source / "1/abc/metrics/loss", text);
        const auto imported = run::importRuns(m_workspace, m_source);
        QCOMPARE(imported->front().points, points);
        QCOMPARE(imported->front().repeated, repeated);
        QCOMPARE(run::toText(imported->front().numbered.at(0)),
                 std::string("loss: 30 points share one step and are numbered in the order of their times"));
        const auto query = store::RunQuery::open(m_workspace);
        const auto loss = (*query)->points(RunId(imported->front().run), "loss");
        QCOMPARE(loss->at(29).step, 29);
        QCOMPARE(loss->at(29).value, 29.0);
        QCOMPARE((*query)->run(imported->front().run)->startedMs, 1'700'000'000'000);
    }

    // Bad inputs: runs of MLflow to import.
    void badSourcesOfMlflowAreExplained_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("a database of another program")
            << "foreign" << "is not an MLflow database: there is no table runs";
        QTest::newRow("a database without a column") << "column" << "the table metrics has no column is_nan";
        QTest::newRow("a database with a view for a table") << "view" << "there is no table params";
        QTest::newRow("a locked database") << "locked" << "is locked by another program";
        QTest::newRow("a damaged database") << "damaged" << "is damaged: ";
        QTest::newRow("a folder without a run") << "folder" << "is not an MLflow run";
    }
    void badSourcesOfMlflowAreExplained() {
        QFETCH(QString, damage);
        QFETCH(QString, complaint);
        writeForeignRuns();
        if (fs::is_empty(m_source)) return;
        const fs::path file = m_source / "mlflow.db";
        sqlite3* db = nullptr;
        QCOMPARE(sqlite3_open(file.c_str(), &db), SQLITE_OK);
        const auto change = [&](const char* text) {
            QCOMPARE(sqlite3_exec(db, text, nullptr, nullptr, nullptr), SQLITE_OK);
        };
        if (damage == "foreign") change("DROP TABLE runs");
        if (damage == "column") change("ALTER TABLE metrics RENAME COLUMN is_nan TO nan");
        if (damage == "view") change("ALTER TABLE params RENAME TO p; CREATE VIEW params AS SELECT * FROM p");
        if (damage == "locked") change("BEGIN EXCLUSIVE");
        if (damage == "damaged") {
            QByteArray bytes = bytesOf(file);
            for (qsizetype at = 100; at < 4096; ++at) bytes[at] = '\x55';
            writeBytes(file, bytes);
        }
        const fs::path folder = m_source / "mlruns/0" / std::string(32, '1');
        if (damage == "folder") writeBytes(folder / "meta.yaml", "run_name: a\n");
        const Error error =
            damage == "folder" ? imports::readMlflowFolder(folder).error() : imports::listMlflowRuns(file).error();
        sqlite3_close(db);
        QVERIFY2(QString::fromStdString(error.message).contains(complaint), error.message.c_str());
        QVERIFY2(!error.where.empty() && !error.remedy.empty(), error.text().c_str());
    }

    // Bad inputs: lines in runs of MLflow to import. A bad line is left out alone, and links are not followed.
    void badLinesOfMlflowAreNamedAndTheRestIsKept() {
        writeBytes(m_source / "run/meta.yaml", "run_id: a\nrun_name: x\nstatus: 3\n");
        writeBytes(m_source / "run/metrics/loss", "1760000000000 0.5 1\n1760000001000 half 2\n1760000002000 0.25 3\n");
        writeBytes(m_source / "elsewhere", "1760000000000 0.5 1\n");
        fs::create_symlink(m_source / "elsewhere", m_source / "run/metrics/linked");
        const auto run = imports::readMlflowFolder(m_source / "run");
        QCOMPARE(run->series.size(), 1u);
        QCOMPARE(run->series.at("loss").size(), 2u);
        QCOMPARE(run->skippedCount, 1);
        showsAll(run->skipped, "a line is not `time value step`", "loss, line 2");
    }

    void linesOfJsonAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("series"); // that has this last point
        QTest::addColumn<int>("points");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("value");
        QTest::newRow("Ray's result.json")
            << QByteArray(
                   "{\"training_iteration\": 1, \"time_total_s\": 2, \"info\": {\"kl\": 0.5}, \"config\": {\"lr\": "
                   "0.1, \"layers\": [8, 8]}, \"done\": false}\n{\"training_iteration\": 2, \"time_total_s\": 3, "
                   "\"info\": {\"kl\": NaN}, \"done\": true}\n")
            << "info/kl" << 2 << 2.0 << std::nan("");
        QTest::newRow("a line for each value")
            << QByteArray("{\"metric\": \"loss\", \"step\": 1, \"value\": 3}\n{\"metric\": \"\\u00e4cc\", \"step\": 4, "
                          "\"value\": 0.5}\n")
            << QString::fromUtf8("äcc") << 1 << 4.0 << 0.5;
        QTest::newRow("gaps, no end of the last line, a byte order mark")
            << QByteArray("\xEF\xBB\xBF\n{\"epoch\": 1, \"loss\": 2}\n\n{\"epoch\": 2}\r\n{\"epoch\":3,\"loss\":null}\n"
                          "{\"epoch\": 4, \"loss\": -1e-3}")
            << "loss" << 2 << 4.0 << -0.001;
        QTest::newRow("OpenMMLab's log, which begins with the computer and counts within epochs")
            << QByteArray("{\"env_info\": \"linux\", \"seed\": 3}\n"
                          "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 50, \"loss\": 4}\n"
                          "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 100, \"loss\": 3}\n"
                          "{\"mode\": \"val\", \"epoch\": 1, \"iter\": 7, \"loss\": 9}\n"
                          "{\"mode\": \"train\", \"epoch\": 2, \"iter\": 50, \"loss\": 2}\n")
            << "loss" << 3 << 150.0 << 2.0;
        QTest::newRow("its validation") << QByteArray(
                                               "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 100, \"loss\": 3}\n"
                                               "{\"mode\": \"val\", \"epoch\": 1, \"iter\": 7, \"bbox_mAP\": 0.25}\n")
                                        << "val/bbox_mAP" << 1 << 100.0 << 0.25;
        QTest::newRow("parts of epochs") << QByteArray("{\"epoch\": 0.1, \"l\": 3}\n{\"epoch\": 0.2, \"l\": 2}\n")
                                         << "l" << 2 << 1.0 << 2.0;
        QTest::newRow("trainer_state.json of Hugging Face")
            << QByteArray("{\n \"best_metric\": null,\n \"global_step\": 2,\n \"log_history\": [\n  {\"epoch\": 0.5,"
                          " \"loss\": 2.0, \"step\": 1},\n  {\"epoch\": 1.0, \"eval_loss\": 1.5, \"step\": 1},\n"
                          "  {\"epoch\": 1.0, \"loss\": 1.0, \"step\": 2}\n ],\n \"max_steps\": 2\n}\n")
            << "loss" << 2 << 2.0 << 1.0;
        QTest::newRow("a list of objects")
            << QByteArray("[{\"step\": 1, \"l\": 9}, {\"step\": 4, \"l\": 8}]") << "l" << 2 << 4.0 << 8.0;
        QTest::newRow("a list of objects without a step")
            << QByteArray("[{\"loss\": 3, \"acc\": 0.5}, {\"loss\": 2, \"acc\": 0.75}]") << "acc" << 2 << 1.0 << 0.75;
        QTest::newRow("lines without a step")
            << QByteArray("{\"train_loss\": 3}\n{\"train_loss\": 2}\n{\"train_loss\": 1}\n") << "train_loss" << 3 << 2.0
            << 1.0;
        QTest::newRow("the history of Keras")
            << QByteArray("{\"loss\": [3, 2, 1], \"val_loss\": [4, NaN, 2.5]}") << "val_loss" << 3 << 2.0 << 2.5;
        QTest::newRow("the history of Keras with its epochs")
            << QByteArray("{\"params\": {\"epochs\": 2}, \"epoch\": [1, 2], \"history\": {\"loss\": [3, 2]}}") << "loss"
            << 2 << 2.0 << 2.0;
        QTest::newRow("one object over several lines")
            << QByteArray("{\n \"step\": 5,\n \"loss\": 0.5\n}\n") << "loss" << 1 << 5.0 << 0.5;
        QTest::newRow("a restart of the program")
            << QByteArray("{\"step\":1,\"l\":9}\n{\"step\":2,\"l\":9}\n{\"step\":3,\"l\":9}\n{\"step\":2,\"l\":5}\n")
            << "l" << 2 << 2.0 << 5.0;
    }
    void linesOfJsonAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(QString, series);
        QFETCH(int, points);
        QFETCH(double, step);
        QFETCH(double, value);
        writeBytes(m_source / "any-name", text);
        const auto found = run::findImports(m_source);
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().c_str());
        QVERIFY(found->front().kind == run::ImportKind::JsonLines);
        const auto run = imports::readJsonLines(m_source / "any-name");
        QCOMPARE(run->skippedCount, 0);
        const auto& read = run->series.at(series.toStdString());
        QCOMPARE(static_cast<int>(read.size()), points);
        QCOMPARE(static_cast<double>(read.back().step), step);
        if (std::isnan(value)) QVERIFY(std::isnan(read.back().value));
        else QCOMPARE(read.back().value, value);
    }

    void whatIsNoLogInJsonIsLeftAlone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a run file") << QByteArray(
            "{\"version\": 1, \"model\": \"mlp\", \"steps\": 100, \"accuracy\": 1}\n");
        QTest::newRow("settings over several lines") << QByteArray("{\n  \"epochs\": 5,\n  \"loss\": 1\n}\n");
        QTest::newRow("settings in a line") << QByteArray("{\"batch\": 32, \"lr\": 0.1}\n");
        QTest::newRow("a summary") << QByteArray("{\"loss\": 0.5, \"acc\": 0.75}\n");
        QTest::newRow("a configuration") << QByteArray("{\"hidden\": [64, 64], \"lr\": 0.1}");
        QTest::newRow("annotations") << QByteArray(
            "{\"images\": [{\"id\": 1}, {\"id\": 2}], \"info\": {\"year\": 2017}}");
        QTest::newRow("a list of numbers") << QByteArray("[1, 2, 3]");
        QTest::newRow("cut off") << QByteArray("{\"log_history\": [{\"step\": 1, \"loss\": 2}");
    }
    void whatIsNoLogInJsonIsLeftAlone() {
        QFETCH(QByteArray, text);
        writeBytes(m_source / "some.json", text);
        QVERIFY(!run::findImports(m_source).ok());
    }

    void whatStandsBelowConfigBecomesSettings() {
        writeBytes(m_source / "result.json",
                   "{\"step\":1,\"loss\":2,\"config\":{\"lr\":0.5,\"net\":\"m\\nl\",\"n\":[8, 8]}}\n");
        const auto run = imports::readJsonLines(m_source / "result.json");
        QVERIFY(settingOf(*run, "lr") == imports::Setting(0.5));
        QVERIFY(settingOf(*run, "net") == imports::Setting(std::string("m\nl")));
        QVERIFY(settingOf(*run, "n") == imports::Setting(std::string("[8, 8]")));
        QCOMPARE(run->series.size(), 1u);
    }

    // Bad inputs: lines of JSON to import. A bad line is left out alone.
    void badLinesOfJsonAreNamedAndTheRestIsKept_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("complaint");
        QTest::newRow("a line that is cut") << QByteArray("{\"step\": 2, \"loss\": ") << "a line is not a JSON object";
        QTest::newRow("a line that is a list") << QByteArray("[2, 1]") << "a line is not a JSON object";
        QTest::newRow("a line without a step") << QByteArray("{\"loss\": 1}") << "no whole number as its step";
        QTest::newRow("a line with a step between two")
            << QByteArray("{\"step\": 1.5}") << "no whole number as its step";
        QTest::newRow("a line with a value of 1e400")
            << QByteArray("{\"step\": 2, \"loss\": 1e400}") << "1e400 does not fit into a double";
        QTest::newRow("a line that is too deep")
            << "{\"step\": 2, \"a\": " + QByteArray(99, '[') + QByteArray(99, ']') + "}"
            << "a line is not a JSON object";
    }
    void badLinesOfJsonAreNamedAndTheRestIsKept() {
        QFETCH(QByteArray, line);
        QFETCH(QString, complaint);
        writeBytes(m_source / "m.jsonl", "{\"step\": 1, \"loss\": 0.5}\n" + line + "\n{\"step\": 3, \"loss\": 0.25}\n");
        const auto run = imports::readJsonLines(m_source / "m.jsonl");
        QVERIFY(run.ok());
        QCOMPARE(run->series.at("loss").size(), 2u);
        QCOMPARE(run->skippedCount, 1);
        showsAll(run->skipped, complaint, "m.jsonl, line 2");
    }

    void aFolderOfRayIsOneRun() {
        writeBytes(m_source / "result.json", "{\"training_iteration\": 1, \"loss\": 2}\n");
        writeBytes(m_source / "progress.csv", "training_iteration,loss\n1,2\n");
        QCOMPARE(run::findImports(m_source)->size(), 1u);
    }

    // Bad inputs: a line of megabytes among good files to import.
    void oneSourceThatCannotBeReadLeavesTheOthers() {
        writeBytes(m_source / "a.csv", "step,loss\n1,2\n");
        writeBytes(m_source / "b.csv", "step,loss\n1,2\n" + QByteArray(3 << 20, '3'));
        const auto imported = run::importRuns(m_workspace, m_source);
        QVERIFY(imported.ok());
        QVERIFY(imported->at(0).outcome == run::ImportedSource::Outcome::Added);
        QVERIFY(imported->at(1).outcome == run::ImportedSource::Outcome::Failed);
        QVERIFY2(imported->at(1).failure.message.starts_with("a line has more than"),
                 imported->at(1).failure.message.c_str());
        QCOMPARE(run::importRuns(m_workspace, m_source / "b.csv").error().message, imported->at(1).failure.message);
    }

    void anImportCanBeStopped() {
        for (const char* name : {"a.csv", "b.csv", "c.csv"}) writeBytes(m_source / name, "step,loss\n1,2\n");
        const auto found = run::findImports(m_source);
        const auto imported =
            run::importFound(m_workspace, *found, {.told = {}, .begins = [](std::size_t index) { return index < 1; }});
        QCOMPARE(imported->size(), 1u);
    }
};

QTEST_GUILESS_MAIN(ImportProgramsTest)
#include "import_programs_test.moc"
