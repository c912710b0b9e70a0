// SPDX-License-Identifier: GPL-3.0-or-later
// Every task, every loss and every model of the catalog, trained by real worker processes.
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"
#include "tests/multiproc/lab/rank_group.h"
#include "tests/multiproc/lab/test_runs.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using trainyard::test::RankGroup;
using trainyard::test::RunJson;

namespace {

const std::string kRegression = "regression", kLanguage = "language", kLabels = "multi-label";
const std::string kSmallNet = R"({"name": "mlp", "params": {"hidden": [24]}})";
const std::string kGpt = R"({"name": "gpt", "params": {"width": 16, "depth": 1, "heads": 2}})";
const std::string kLstm = R"({"name": "lstm", "params": {"hidden": 24, "embedding": 8}})";
const std::string kWaves = R"({"name": "waves", "params": {"samples": 605, "targets": 3, "validation": 20}})";
const std::string kGlyphs = R"({"name": "glyphs", "params": {"samples": 605, "validation": 20}})";
const std::string kTags = R"({"name": "labels", "params": {"samples": 605, "labels": 5, "validation": 20}})";
const std::string kSentences = R"({"name": "sentences", "params": {"sentences": 300, "sequenceLength": 12}})";

// The largest difference of two numbers at the same place, in shares of what it should be; infinite where anything else
// differs.
double difference(const QJsonValue& found, const QJsonValue& wanted) {
    constexpr double kOther = std::numeric_limits<double>::infinity();
    if (found.type() != wanted.type()) return kOther;
    if (wanted.isDouble())
        return std::abs(found.toDouble() - wanted.toDouble()) / std::max(1.0, std::abs(wanted.toDouble()));
    double most = 0;
    if (wanted.isArray()) {
        const QJsonArray a = found.toArray(), b = wanted.toArray();
        if (a.size() != b.size()) return kOther;
        for (int i = 0; i < b.size(); ++i) most = std::max(most, difference(a[i], b[i]));
        return most;
    }
    if (!wanted.isObject()) return found == wanted ? 0 : kOther;
    const QJsonObject a = found.toObject(), b = wanted.toObject();
    if (a.keys() != b.keys()) return kOther;
    for (const QString& key : b.keys()) most = std::max(most, difference(a[key], b[key]));
    return most;
}

bool near(double found, double wanted) { return std::abs(found - wanted) <= 1e-6 * std::max(1.0, std::abs(wanted)); }

QJsonObject evaluationOf(const RankGroup& group) {
    const auto& all = group.rank(0).evaluations;
    return all.empty() ? QJsonObject() : QJsonDocument::fromJson(QByteArray::fromStdString(all.back().json)).object();
}

// What the metrics of one evaluation say of one another; empty when they agree.
QString contradiction(const QJsonObject& metrics) {
    const auto number = [&metrics](const char* name) { return metrics[QLatin1String(name)].toDouble(); };
    if (metrics["task"] == "language")
        return near(number("perplexity"), std::exp(number("loss"))) && number("tokens") > 0 ? "" : "perplexity";
    if (metrics["task"] == "regression") {
        double squares = 0, r2 = 0;
        const QJsonArray columns = metrics["columns"].toArray();
        for (const auto& column : columns) {
            squares += std::pow(column.toObject()["rmse"].toDouble(), 2) / static_cast<double>(columns.size());
            r2 += column.toObject()["r2"].toDouble() / static_cast<double>(columns.size());
        }
        return near(std::sqrt(squares), number("rmse")) && near(r2, number("r2")) ? "" : "the columns";
    }
    if (metrics["task"] == "multi-label") {
        double precision = 0, f1 = 0;
        const QJsonArray labels = metrics["classes"].toArray();
        for (const auto& label : labels) {
            precision += label.toObject()["prAuc"].toDouble() / static_cast<double>(labels.size());
            f1 += label.toObject()["f1"].toDouble() / static_cast<double>(labels.size());
        }
        return near(precision, number("map")) && near(f1, number("f1")) ? "" : "the labels";
    }
    double all = 0, right = 0;
    const QJsonArray table = metrics["confusion"].toArray(), classes = metrics["classes"].toArray();
    for (int row = 0; row < table.size(); ++row) {
        double samples = 0;
        for (const auto& count : table[row].toArray()) samples += count.toDouble();
        if (samples != classes[row].toObject()["samples"].toDouble()) return "a row of the confusion table";
        all += samples;
        right += table[row].toArray().at(row).toDouble();
    }
    if (all != number("samples") || !near(right / all, number("accuracy"))) return "the confusion table";
    const bool topFive = metrics.contains("top5");
    if (topFive != (classes.size() > 5)) return "whether there is a top five";
    return !topFive || (number("top5") >= number("accuracy") && number("top5") < 1) ? "" : "top five";
}

} // namespace

class WorkerTasksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QFile file(m_folder.filePath("leaves.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("length,width,area,share\n");
        for (int i = 0; i < 211; ++i) {
            const double length = 3 + i % 17 * 0.25, width = 1 + i % 11 * 0.2;
            const double share = 1 / (1 + std::exp(5 - 0.6 * length - 0.7 * width));
            file.write(QString("%1,%2,%3,%4\n").arg(length).arg(width).arg(length * width * 0.7).arg(share).toUtf8());
        }
    }

    void metricsAreExactForAnyWorldSize_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("loss");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("model");
        const auto row = [](const char* name, const std::string& task, const char* loss, const std::string& dataset,
                            const std::string& model) {
            QTest::newRow(name) << QString::fromStdString(task) << loss << QString::fromStdString(dataset)
                                << QString::fromStdString(model);
        };
        const std::string classes = "classification";
        row("ten classes", classes, R"({"name": "cross-entropy"})", kGlyphs, kSmallNet);
        row("smoothed and weighted", classes,
            R"({"name": "cross-entropy", "labelSmoothing": 0.2, "classWeights": [1, 2, 0.5, 1, 1, 3, 1, 1, 0.1, 1]})",
            kGlyphs, kSmallNet);
        row("yes or no of each class", classes, R"("bce")", kGlyphs, kSmallNet);
        row("squared errors", kRegression, R"("mse")", kWaves, kSmallNet);
        row("errors", kRegression, R"("l1")", kWaves, kSmallNet);
        row("a table", kRegression, R"("mse")", table("area", true), kSmallNet);
        row("shares", kRegression, R"("bce")", table("share", false), kSmallNet);
        row("labels", kLabels, R"({"name": "bce", "posWeight": "balanced"})", kTags, kSmallNet);
        row("gpt", kLanguage, R"("cross-entropy")", kSentences, kGpt);
        row("lstm", kLanguage, R"("cross-entropy")", kSentences, kLstm);
    }
    // The weights hardly move, so every world size trains and validates the same model: series and tables are alike.
    void metricsAreExactForAnyWorldSize() {
        std::map<std::string, std::vector<double>> series;
        QJsonObject metrics;
        for (const int ranks : {1, 3}) {
            RunJson run = fetched(ranks, 24 / ranks);
            run.lr = 1e-30;
            run.dropLast = true; // what is left at the end of an epoch differs with the ranks
            RankGroup group({.ranks = ranks, .runJson = run.text()});
            QVERIFY2(group.serve(60) && group.rank(0).finished, group.report().c_str());
            const QJsonObject found = evaluationOf(group);
            QVERIFY2(contradiction(found).isEmpty(), qPrintable(contradiction(found)));
            std::map<std::string, std::vector<double>> learned;
            for (const auto& [name, points] : group.rank(0).series)
                if (name.starts_with("train/") || name.starts_with("val/")) learned[name] = group.values(name);
            if (ranks == 1) {
                metrics = found;
                series = learned;
                continue;
            }
            // Values of single samples are written with six digits: rounding may go either way.
            const QString single = QStringLiteral("examples");
            QVERIFY2(difference(found[single], metrics[single]) < 1.5e-6, QJsonDocument(found).toJson().constData());
            QJsonObject rest = found, wanted = metrics;
            for (QJsonObject* each : {&rest, &wanted}) each->remove(single);
            QVERIFY2(difference(rest, wanted) < 1e-6, QJsonDocument(found).toJson().constData());
            QVERIFY(series.size() > 3 && series.size() == learned.size());
            for (const auto& [name, values] : series) {
                QCOMPARE(learned[name].size(), values.size());
                for (std::size_t i = 0; i < values.size(); ++i)
                    QVERIFY2(std::abs(learned[name][i] - values[i]) < 1e-5 * std::max(1.0, std::abs(values[i])),
                             name.c_str());
            }
        }
    }

    void everyTaskLearns_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("loss");
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<bool>("rises"); // to the limit, or falls to it
        QTest::addColumn<double>("limit");
        const auto row = [](const char* name, const std::string& task, const char* loss, const std::string& dataset,
                            const std::string& model, const char* metric, bool rises, double limit) {
            QTest::newRow(name) << QString::fromStdString(task) << loss << QString::fromStdString(dataset)
                                << QString::fromStdString(model) << metric << rises << limit;
        };
        row("smoothed labels", "classification", R"({"name": "cross-entropy", "labelSmoothing": 0.1})", kGlyphs,
            kSmallNet, "val/accuracy", true, 0.5);
        row("squared errors", kRegression, R"("mse")", kWaves, kSmallNet, "val/r2", true, 0.8);
        row("errors", kRegression, R"("l1")", kWaves, kSmallNet, "val/r2", true, 0.8);
        row("a table", kRegression, R"("mse")", table("area", true), kSmallNet, "val/rmse", false, 0.5); // of 2 to 15
        row("shares", kRegression, R"("bce")", table("share", false), kSmallNet, "val/r2", true, 0.3);
        row("labels", kLabels, R"("bce")", kTags, kSmallNet, "val/map", true, 0.8);
        row("gpt", kLanguage, R"("cross-entropy")", kSentences, kGpt, "val/perplexity", false, 10); // of 29 letters
        row("lstm", kLanguage, R"("cross-entropy")", kSentences, kLstm, "val/perplexity", false, 10);
    }
    void everyTaskLearns() {
        QFETCH(QString, metric);
        QFETCH(bool, rises);
        QFETCH(double, limit);
        RunJson run = fetched(2, 12);
        run.epochs = 15;
        run.optimizer = "adam";
        run.optimizerParams = "";
        run.lr = 0.01;
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60) && group.rank(0).finished && group.rank(1).finished, group.report().c_str());
        QCOMPARE(group.rank(1).finished->parameterDigest, group.rank(0).finished->parameterDigest);
        const auto losses = group.values("val/loss"), metrics = group.values(metric.toStdString());
        QVERIFY(!metrics.empty() && losses.back() < losses.front());
        qInfo("%s %.4f -> %.4f", qPrintable(metric), metrics.front(), metrics.back());
        QVERIFY(rises ? metrics.back() >= limit : metrics.back() <= limit);
    }

    // What bce is given must lie between 0 and 1, which brought to mean 0 it does not.
    void bceOfStandardisedTargetsIsRefused() {
        RunJson run{.ranks = 1, .model = kSmallNet, .dataset = table("share", true), .loss = R"("bce")"};
        run.task = kRegression;
        RankGroup group({.ranks = 1, .runJson = run.text()});
        QVERIFY2(group.serve(60) && group.rank(0).failed, group.report().c_str());
        QCOMPARE(group.rank(0).failed->error.kind, trainyard::ErrorKind::Input);
        QVERIFY2(group.rank(0).failed->error.remedy.find("dataset.params.standardise") != std::string::npos,
                 group.report().c_str());
    }

    void everyModelTrains_data() {
        QTest::addColumn<QString>("model");
        const auto catalog = trainyard::run::refreshCatalog(trainyard::run::workerProgram());
        QVERIFY2(catalog.ok(), catalog ? "" : catalog.error().text().c_str());
        for (const auto& entry : (*catalog)->models)
            if (entry.name != "torchscript" && entry.name != "plugin") // files: model_files_test trains them
                QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    }
    // The same samples in every step: their loss comes down.
    void everyModelTrains() {
        QFETCH(QString, model);
        static const std::map<QString, std::string> kSmall{
            {"mlp", R"("hidden": [32])"},
            {"convnet", R"("width": 8)"},
            {"vgg11", R"("width": 4)"},
            {"mobilenet_v2", R"("width": 0.25, "dropout": 0)"},
            {"efficientnet", R"("width": 0.25, "dropout": 0, "dropPath": 0)"},
            {"convnext", R"("width": 8, "depth": 1, "dropPath": 0)"},
            {"vit", R"("width": 16, "depth": 2, "heads": 2, "patch": 7)"},
            {"gpt", R"("width": 16, "depth": 2, "heads": 2)"},
            {"lstm", R"("hidden": 16)"}};
        RunJson run{.epochs = 0,
                    .steps = 8,
                    .perRank = 8,
                    .dataset = kGlyphs,
                    .optimizer = "adam",
                    .optimizerParams = "",
                    .lr = 0.001,
                    .more = R"("debug": {"overfitBatches": 1}, )"};
        const auto params = kSmall.find(model);
        run.model = "{\"name\": \"" + model.toStdString() + "\", \"params\": {" +
                    (params == kSmall.end() ? "" : params->second) + "}}";
        if (model == "gpt") {
            run.task = kLanguage;
            run.dataset = kSentences;
        }
        RankGroup group({.ranks = 2, .runJson = run.text()});
        QVERIFY2(group.serve(60) && group.rank(0).finished && group.rank(1).finished, group.report().c_str());
        QCOMPARE(group.rank(0).finished->step, 8);
        QCOMPARE(group.rank(1).finished->parameterDigest, group.rank(0).finished->parameterDigest);
        const auto losses = group.values("train/loss");
        QCOMPARE(losses.size(), 8u);
        qInfo("loss %.4f -> %.4f", losses.front(), losses.back());
        QVERIFY(losses.back() < losses.front());
    }

private:
    // leaves.csv: `target` from length and width.
    std::string table(const std::string& target, bool standardise) const {
        return "{\"name\": \"csv\", \"params\": {\"file\": \"" + m_folder.filePath("leaves.csv").toStdString() +
               R"(", "target": ")" + target + R"(", "ignore": ")" + (target == "area" ? "share" : "area") +
               "\", \"standardise\": " + (standardise ? "true}}" : "false}}");
    }
    static RunJson fetched(int ranks, int perRank) {
        QFETCH(QString, task);
        QFETCH(QString, loss);
        QFETCH(QString, dataset);
        QFETCH(QString, model);
        RunJson run{.ranks = ranks,
                    .perRank = perRank,
                    .model = model.toStdString(),
                    .dataset = dataset.toStdString(),
                    .loss = loss.toStdString()};
        run.task = task.toStdString();
        return run;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(WorkerTasksTest)
#include "worker_tasks_test.moc"
