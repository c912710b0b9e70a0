// SPDX-License-Identifier: GPL-3.0-or-later
// Folders as Lightning, W&B, Hugging Face and OpenMMLab leave them: one run each, with its name, settings, date and
// score. The files are written here as those programs write them.
#include "engine/run/record/run_score.h"
#include "engine/run/share/import_names.h"
#include "engine/run/share/import_runs.h"
#include "engine/run/share/import_score.h"
#include "tests/unit/file_bytes.h"

#include <QDateTime>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
namespace fs = std::filesystem;
using tests::writeBytes;

namespace {

const QByteArray kTable = "epoch,step,train_loss,val_acc\n0,49,0.5,\n0,49,,0.75\n1,99,0.25,\n";

// The state that Hugging Face's Trainer saves after so many steps.
QByteArray trainerState(int steps) {
    QByteArray rows;
    for (int step = 10; step <= steps; step += 10)
        rows += QByteArray(rows.isEmpty() ? "" : ",") + "\n  {\"epoch\": " + QByteArray::number(step / 20.0) +
                ", \"loss\": " + QByteArray::number(20.0 / step) + ", \"step\": " + QByteArray::number(step) +
                "},\n  {\"epoch\": " + QByteArray::number(step / 20.0) +
                ", \"eval_accuracy\": 0.5, \"eval_runtime\": 1.5, \"step\": " + QByteArray::number(step) + "}";
    return "{\n \"best_metric\": null,\n \"global_step\": " + QByteArray::number(steps) + ",\n \"log_history\": [" +
           rows + "\n ],\n \"max_steps\": 30,\n \"train_batch_size\": 8\n}\n";
}

// OpenMMLab 2 counts training by iterations and validation by epochs.
const QByteArray kScalars = "{\"lr\": 0.1, \"loss\": 2, \"epoch\": 1, \"iter\": 50, \"step\": 50}\n"
                            "{\"lr\": 0.1, \"loss\": 1, \"epoch\": 1, \"iter\": 100, \"step\": 100}\n"
                            "{\"accuracy/top1\": 60.5, \"time\": 0.25, \"step\": 1}\n"
                            "{\"lr\": 0.1, \"loss\": 0.5, \"epoch\": 2, \"iter\": 150, \"step\": 150}\n"
                            "{\"accuracy/top1\": 70.5, \"time\": 0.25, \"step\": 2}\n";

} // namespace

class ImportFormsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    fs::path m_source;

    void write(const char* path, const QByteArray& text) const { writeBytes(m_source / path, text); }
    QStringList namesBelow(const fs::path& path) const {
        QStringList names;
        const auto found = run::findImports(path);
        if (found)
            for (const auto& each : *found) names << QString::fromStdString(each.name);
        return names;
    }
    // The run of the only source below the folder.
    store::RunRow imported() const {
        const auto all = run::importRuns(m_workspace, m_source);
        if (!all || all->size() != 1) {
            QTest::qFail(all ? "several runs" : all.error().text().c_str(), __FILE__, __LINE__);
            return {};
        }
        return *(*store::RunQuery::open(m_workspace))->run(all->front().run);
    }
    std::vector<wire::Point> pointsOf(const store::RunRow& row, const char* series) const {
        return *(*store::RunQuery::open(m_workspace))->points(RunId(row.id), series);
    }

private Q_SLOTS:
    void init() {
        const fs::path root = fs::path(m_folder.path().toStdString()) / QTest::currentTestFunction() /
                              (QTest::currentDataTag() == nullptr ? "" : QTest::currentDataTag());
        fs::remove_all(root);
        m_workspace = *store::Workspace::open((root / "workspace").string());
        m_source = root / "study";
        fs::create_directories(m_source);
    }

    // Feature: imported runs are named by what tells them apart, dated by their source, and ranked by a series of a
    // validation.
    void runsAreNamedByWhatTellsThemApart_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QStringList>("names");
        const auto row = [](const char* what, const QStringList& files, const QStringList& names) {
            QTest::newRow(what) << files << names;
        };
        row("experiments", {"mlp/lightning_logs/version_0/metrics.csv", "cnn/lightning_logs/version_0/metrics.csv"},
            {"cnn", "mlp"});
        row("several starts of each",
            {"mlp/lightning_logs/version_0/metrics.csv", "mlp/lightning_logs/version_1/metrics.csv",
             "cnn/lightning_logs/version_0/metrics.csv"},
            {"cnn-version_0", "mlp-version_0", "mlp-version_1"});
        row("starts of one", {"lightning_logs/version_0/metrics.csv", "lightning_logs/version_1/metrics.csv"},
            {"study-version_0", "study-version_1"});
        row("one", {"lightning_logs/version_7/metrics.csv"}, {"study-version_7"});
        row("a folder in the middle that all have", {"a/run/s1/log.csv", "b/run/s1/log.csv", "b/run/s2/log.csv"},
            {"a-s1", "b-s1", "b-s2"});
        row("different depths", {"log.csv", "deep/er/log.csv"}, {"deep-er", "study"});
        row("files of one folder", {"resnet.csv", "vgg.csv"}, {"resnet", "vgg"});
        row("common names that are several", {"metrics.csv", "log.csv"}, {"log", "metrics"});
        row("one stem", {"a.csv", "a.tsv"}, {"a.csv", "a.tsv"});
        row("folders that say nothing", {"logs/log.csv", "runs/log.csv"}, {"logs", "runs"});
        row("too long", {QString(90, 'x') + "/" + QString(80, 'y') + "/log.csv"}, {QString(80, 'y')});
    }
    void runsAreNamedByWhatTellsThemApart() {
        QFETCH(QStringList, files);
        QFETCH(QStringList, names);
        for (const QString& file : files) writeBytes(m_source / file.toStdString(), kTable);
        QCOMPARE(namesBelow(m_source), names);
    }

    void pathsThatAreNamedTogetherAreToldApart() {
        write("mlp/version_0/metrics.csv", kTable);
        write("cnn/version_0/metrics.csv", kTable);
        const std::array paths{m_source / "mlp/version_0", m_source / "cnn/version_0"};
        QCOMPARE(namesBelow(paths[0]), QStringList("mlp-version_0"));
        const auto all = run::importRuns(m_workspace, paths);
        QCOMPARE(all->at(0).name, std::string("mlp"));
        QCOMPARE(all->at(1).name, std::string("cnn"));
    }

    // What is left of a run of W&B without its log, or was downloaded from its server.
    void theFilesOfWandbAreOneRun_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::newRow("with descriptions") << QByteArray(
            "wandb_version: 1\n\n_wandb:\n  desc: null\n  value:\n    cli_version: 0.15.0\n    t:\n      1:\n      - "
            "1\n"
            "lr:\n  desc: the rate\n  value: 0.5\nnet:\n  desc: null\n  value:\n    depth: 3\n    sizes:\n    - 8\n");
        QTest::newRow("without") << QByteArray("_wandb:\n    value:\n        cli_version: 0.19.1\nlr:\n    value: 0.5\n"
                                               "net:\n    value:\n        depth: 3\n        sizes:\n            - 8\n");
    }
    void theFilesOfWandbAreOneRun() {
        QFETCH(QByteArray, config);
        write("run-a/config.yaml", config);
        write("run-a/wandb-summary.json", "{\"_step\": 20, \"loss\": 0.25, \"best.acc\": 0.875, \"_runtime\": 9,"
                                          " \"graph\": {\"_type\": \"graph-file\", \"size\": 12}}");
        write("run-a/history.csv",
              ",_step,_runtime,_timestamp,loss,val/acc\n0,0,1,1760000001,1,\n1,20,31,1760000031,0.25,0.75\n");
        const auto row = imported();
        QCOMPARE(row.name, std::string("run-a"));
        QCOMPARE(row.specJson, std::string(R"({"name":"run-a","lr":0.5,"net.depth":3.0,"net.sizes":"[8]",)"
                                           R"("checkpoint":{"scoreBy":"val/acc"}})"));
        QCOMPARE(row.startedMs, 1'760'000'001'000);
        QCOMPARE(row.finishedMs, 1'760'000'031'000);
        QCOMPARE(pointsOf(row, "best.acc").front().step, 20);
        QVERIFY(pointsOf(row, "_runtime").empty());
        QVERIFY(pointsOf(row, "graph.size").empty());
    }

    void theSummaryOfWandbAloneIsARun() {
        write("wandb/run-20251009_101500-ab1/files/wandb-summary.json",
              "{\"_step\": 20, \"loss\": 0.25, \"graph\": {\"_type\": \"graph-file\", \"size\": 12}}");
        write("wandb/run-20251009_101500-ab1/files/config.yaml", "_wandb:\n  value:\n    a: 1\nlr:\n  value: 0.5\n");
        write("wandb/run-20251009_101500-ab1/files/wandb-metadata.json",
              "{\"os\": \"Linux\", \"startedAt\": \"2025-10-09T10:15:00.123456\"}");
        const auto row = imported();
        QCOMPARE(row.name, std::string("run-20251009_101500-ab1"));
        QCOMPARE(row.startedMs, 1'760'004'900'000);
        QCOMPARE(pointsOf(row, "loss").front().step, 20);
        QVERIFY(pointsOf(row, "graph/size").empty());
        QVERIFY(row.specJson.find("\"lr\":0.5") != std::string::npos);
    }

    void checkpointsOfATrainerAreOneRun() {
        for (const int steps : {10, 20})
            writeBytes(m_source / ("bert/checkpoint-" + std::to_string(steps)) / "trainer_state.json",
                       trainerState(steps));
        const auto first = run::importRuns(m_workspace, m_source);
        QCOMPARE(first->size(), 1u);
        QCOMPARE(first->front().name, std::string("bert"));
        const auto row = *(*store::RunQuery::open(m_workspace))->run("bert");
        QCOMPARE(pointsOf(row, "loss").size(), 2u);
        QCOMPARE(run::scoreOf(row).series, std::string("eval_accuracy"));
        QVERIFY(row.specJson.find("\"train_batch_size\":8") != std::string::npos);
        // It went on, and was saved at its end.
        write("bert/checkpoint-100/trainer_state.json", trainerState(30)); // after 20 as a number, before it as a text
        write("bert/trainer_state.json", trainerState(30));
        const auto again = run::importRuns(m_workspace, m_source);
        QCOMPARE(again->size(), 1u);
        QVERIFY(again->front().outcome == run::ImportedSource::Outcome::Changed);
        QCOMPARE(again->front().run, first->front().run);
        QCOMPARE(pointsOf(row, "loss").size(), 3u);
    }

    void theScalarsOfOpenMMLabAreOneRun() {
        write("swin/20251010_080000/vis_data/20251010_080000.json", kScalars);
        write("swin/20251010_080000/vis_data/scalars.json", kScalars);
        const auto row = imported();
        QCOMPARE(row.name, std::string("swin-20251010_080000"));
        const auto top = pointsOf(row, "val/accuracy/top1");
        QCOMPARE(top.size(), 2u);
        QCOMPARE(top[0].step, 100); // of the training, not of its epoch
        QCOMPARE(top[1].step, 150);
        QCOMPARE(top[1].epoch, 2.0);
        QVERIFY(pointsOf(row, "iter").empty());
        QCOMPARE(pointsOf(row, "loss").size(), 3u);
        const QDateTime began(QDate(2025, 10, 10), QTime(8, 0)); // as the clock on the wall said
        QCOMPARE(row.startedMs, began.toMSecsSinceEpoch());
    }

    void aSeriesOfAValidationRanksARun_data() {
        QTest::addColumn<QStringList>("series");
        QTest::addColumn<QString>("score");
        const auto row = [](const QStringList& series, const char* score) {
            QTest::newRow(series.join(QLatin1Char(' ')).toUtf8().constData()) << series << QString::fromLatin1(score);
        };
        row({"loss", "val_loss", "val_acc"}, "val_acc");
        row({"train_loss", "valid_loss"}, "valid_loss");
        row({"eval_loss", "eval_wer", "eval_runtime"}, "eval_wer");
        row({"test_acc", "val_loss"}, "val_loss");
        row({"test_acc", "train_acc"}, "test_acc");
        row({"metrics/mAP50(B)", "val/box_loss"}, "metrics/mAP50(B)");
        row({"eval/samples_per_second", "eval/runtime", "loss"}, "");
        row({"loss", "accuracy"}, "");
    }
    void aSeriesOfAValidationRanksARun() {
        QFETCH(QStringList, series);
        QFETCH(QString, score);
        imports::ImportedRun run;
        for (const QString& each : series) run.add(each.toStdString(), {.step = 1, .value = 1});
        QCOMPARE(QString::fromStdString(run::importedScore(run)), score);
    }

    void theNameOfAScoreTellsWhichIsBetter() {
        for (const char* series : {"eval_wer", "val/mape", "val_loss", "val_rmse", "ppl"})
            QVERIFY2(spec::betterOf(series) == spec::Better::Smaller, series);
        for (const char* series : {"val_acc", "metrics/mAP50(B)", "eval_f1", "val/dice"})
            QVERIFY2(spec::betterOf(series) == spec::Better::Larger, series);
    }

    // Bad inputs: a file to import that is not what its name or beginning says.
    void aFileThatIsNamedIsExplained_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("complaint");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* what, const char* name, const char* text, const char* complaint,
                            const char* place) {
            QTest::newRow(what) << QString::fromLatin1(name) << QByteArray(text) << QString::fromLatin1(complaint)
                                << QString::fromLatin1(place);
        };
        row("cut off", "trainer_state.json", "{\"log_history\": [\n {\"step\": 1, \"loss\": 2},\n {\"st",
            "is cut off: its JSON has no end", "trainer_state.json, line 3");
        row("no JSON", "h.json", "[\n {\"step\": 1, \"loss\": 2},\n {\"step\": 2, loss: 3}\n]", "is not JSON from here",
            "h.json, line 3");
        row("another JSON", "h.json", "{\"a\": 1}", "is not a table of metrics", "h.json");
        row("an empty list", "h.json", "[]", "is not a table of metrics", "h.json");
        row("an empty file", "h.csv", "", "is empty", "h.csv");
        row("no step", "h.csv", "# a comment\na,b\n1,2\n", "its header has neither a step nor an epoch nor a loss",
            "h.csv, line 2");
        row("a workspace", "trainyard.db", "SQLite format 3", "is the database of a workspace", "trainyard.db");
        row("no columns", "h.csv", "some words\n", "has no columns", "h.csv, line 1");
    }
    void aFileThatIsNamedIsExplained() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QString, complaint);
        QFETCH(QString, place);
        const fs::path file = m_source / name.toStdString();
        writeBytes(file, text);
        const auto error = run::importRuns(m_workspace, file).error();
        QVERIFY2(QString::fromStdString(error.message).contains(complaint), error.message.c_str());
        QVERIFY2(QString::fromStdString(error.where).endsWith(place), error.where.c_str());
        QVERIFY(!error.remedy.empty());
    }
};

QTEST_GUILESS_MAIN(ImportFormsTest)
#include "import_forms_test.moc"
