// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that window, terminal and worker ask the engine for: which value is better, where a rank runs, the tasks'
// words.
#include "engine/spec/run/better.h"
#include "engine/spec/run/host_list_ranks.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/task_kind.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::spec;

class SpecRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNameOfASeriesSaysWhatIsBetter_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("better");
        for (const char* name :
             {"train/loss", "val/loss", "val/rmse", "val/mae", "val/mse", "val/perplexity", "val/l1", "val/error",
              "time/step", "grad_norm", "val/focal_loss", "valLoss", "val/MAE", "mae", "val/brier", "val/ece"})
            QTest::newRow(name) << name << "min";
        for (const char* name :
             {"val/accuracy", "val/f1", "val/r2", "val/top5", "val/recall", "lr", "samples_per_s", "val1/accuracy",
              "val/balancedAccuracy", "val/prAuc", "val/kappa", "val/mcc", "val/maestro", "val/lossless", ""})
            QTest::newRow(name) << name << "max";
    }
    void theNameOfASeriesSaysWhatIsBetter() {
        QFETCH(QString, series);
        QFETCH(QString, better);
        QCOMPARE(QString(toString(betterOf(series.toStdString()))), better);
        QCOMPARE(QString(toString(betterOf(series.toStdString(), "auto"))), better);
        QCOMPARE(toString(betterOf(series.toStdString(), "min")), "min"); // what a file says goes first
        QCOMPARE(toString(betterOf(series.toStdString(), "max")), "max");
    }

    void aValueThatIsNotFiniteIsNeverBetter() {
        for (const auto better : {Better::Smaller, Better::Larger}) {
            for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
                QVERIFY(!isBetter(better, bad, 1));
                QVERIFY(!isBetter(better, bad, std::nan("")));
                QVERIFY(isBetter(better, 1, bad));
            }
            QVERIFY(!isBetter(better, 1, 1));
        }
        QVERIFY(isBetter(Better::Smaller, 1, 2) && !isBetter(Better::Smaller, 2, 1));
        QVERIFY(isBetter(Better::Larger, 2, 1) && !isBetter(Better::Larger, 1, 2));
    }

    void aFileThatGivesNoModeIsJudgedByTheSeries_data() {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("earlyStop");
        const auto row = [](const char* name, const char* fields, const char* checkpoint, const char* earlyStop) {
            QTest::newRow(name) << fields << checkpoint << earlyStop;
        };
        row("a loss", R"("checkpoint":{"scoreBy":"val/loss"})", "min", "min");
        row("an error of a regression", R"("task":"regression","dataset":"waves","checkpoint":{"scoreBy":"val/mae"})",
            "min", "min");
        row("a share of a regression", R"("task":"regression","dataset":"waves","checkpoint":{"scoreBy":"val/r2"})",
            "max", "min");
        row("a mode that is given", R"("checkpoint":{"scoreBy":"val/loss","mode":"max"})", "max", "min");
        row("early stop by accuracy", R"("earlyStop":{"metric":"val/accuracy"})", "max", "max");
        row("early stop with its mode", R"("earlyStop":{"metric":"val/accuracy","mode":"min"})", "max", "min");
    }
    void aFileThatGivesNoModeIsJudgedByTheSeries() {
        QFETCH(QString, fields);
        QFETCH(QString, checkpoint);
        QFETCH(QString, earlyStop);
        const auto spec = parseRunSpec("{\"version\":1," + fields.toStdString() + "}");
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        QCOMPARE(QString::fromStdString(spec->checkpoint.mode), checkpoint);
        QCOMPARE(QString::fromStdString(spec->earlyStop.mode), earlyStop);
        QCOMPARE(parseRunSpec(toJson(*spec))->checkpoint, spec->checkpoint); // what is written says it
    }

    void aSweepThatGivesNoModeIsJudgedByTheSeries() {
        const auto modeOf = [](const std::string& rest) {
            return parseSweepSpec(R"({"version":1,"run":{},"space":{"optimizer.lr":[1]})" + rest + "}")->mode;
        };
        QCOMPARE(modeOf(R"(,"scoreBy":"val/mae")"), std::string("min"));
        QCOMPARE(modeOf(R"(,"scoreBy":"val/f1")"), std::string("max"));
        QCOMPARE(modeOf(R"(,"scoreBy":"val/mae","mode":"max")"), std::string("max"));
    }

    void waysBetweenHostsAreTried_data() {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("ways");
        QTest::newRow("this computer") << "local" << "";
        QTest::newRow("a job of Slurm") << "slurm" << "";
        QTest::newRow("one host") << "a" << "a>a";
        QTest::newRow("one host and this computer") << "local a" << "here>a";
        QTest::newRow("two hosts") << "a b" << "b>a a>b";
        QTest::newRow("two hosts and this computer") << "a local b" << "here>a b>a here>b a>b";
        QTest::newRow("a host named twice") << "a b a" << "b>a a>b";
        QTest::newRow("many hosts") << "a b c d e" << "e>a a>b b>c c>d d>e";
    }
    void waysBetweenHostsAreTried() {
        QFETCH(QString, hosts);
        QFETCH(QString, ways);
        std::vector<std::string> names;
        for (const auto& host : hosts.split(' ', Qt::SkipEmptyParts)) names.push_back(host.toStdString());
        QStringList words;
        for (const auto& [from, to] : waysToTry(names))
            words << QString::fromStdString((from.empty() ? "here" : from) + '>' + to);
        QCOMPARE(words.join(' '), ways);
    }

    void ranksAreDealtInBlocks_data() {
        QTest::addColumn<QStringList>("hosts");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QStringList>("dealt"); // host of each rank
        QTest::addColumn<int>("most");          // of one host
        const QStringList three{"a", "b", "c"};
        QTest::newRow("no hosts") << QStringList{} << 3 << QStringList{"", "", ""} << 3;
        QTest::newRow("this computer by either name")
            << QStringList{"local", "localhost"} << 2 << QStringList{"", ""} << 2;
        QTest::newRow("as many as hosts") << three << 3 << three << 1;
        QTest::newRow("neighbours share") << three << 6 << QStringList{"a", "a", "b", "b", "c", "c"} << 2;
        QTest::newRow("a rest") << QStringList{"local", "b"} << 5 << QStringList{"", "", "", "b", "b"} << 3;
        QTest::newRow("a host named twice") << QStringList{"a", "a", "b"} << 3 << QStringList{"a", "a", "b"} << 2;
        QTest::newRow("fewer ranks than hosts") << three << 2 << QStringList{"a", "b"} << 1;
        QTest::newRow("one rank") << three << 1 << QStringList{"a"} << 1;
    }
    void ranksAreDealtInBlocks() {
        QFETCH(QStringList, hosts);
        QFETCH(int, ranks);
        QFETCH(QStringList, dealt);
        QFETCH(int, most);
        std::vector<std::string> names;
        for (const QString& host : hosts) names.push_back(host.toStdString());
        QStringList found;
        for (int rank = 0; rank < ranks; ++rank) found << QString::fromStdString(hostOfRank(names, {rank, ranks}));
        QCOMPARE(found, dealt);
        QCOMPARE(mostRanksOfOneHost(names, ranks), most);
    }

    void ranksOfHostsGiveTheirList_data() {
        QTest::addColumn<QStringList>("hosts"); // of the run file
        QTest::addColumn<int>("workers");
        QTest::addColumn<QStringList>("ranks"); // "host ranks"
        QTest::newRow("this computer") << QStringList{} << 3 << QStringList{" 3"};
        QTest::newRow("one host") << QStringList{"a"} << 2 << QStringList{"a 2"};
        QTest::newRow("evenly") << QStringList{"a", "b"} << 4 << QStringList{"a 2", "b 2"};
        QTest::newRow("one has more") << QStringList{"a", "a", "b"} << 3 << QStringList{"a 2", "b 1"};
        QTest::newRow("three to one") << QStringList{"local", "b", "b", "b"} << 8 << QStringList{" 2", "b 6"};
    }
    void ranksOfHostsGiveTheirList() {
        QFETCH(QStringList, hosts);
        QFETCH(int, workers);
        QFETCH(QStringList, ranks);
        std::vector<std::string> names;
        for (const QString& host : hosts) names.push_back(host.toStdString());
        const auto found = ranksOfHosts(names, workers);
        QStringList words;
        for (const auto& each : found) words << QString::fromStdString(each.host + ' ' + std::to_string(each.ranks));
        QCOMPARE(words, ranks);
        QCOMPARE(hostsWithRanks(found), names);
    }

    void sparesThatTrainAreDropped() {
        spec::RunSpec run;
        run.hosts = {"a", "b"};
        run.spareHosts = {"b", "c"};
        spec::dropUsedSpares(run);
        QCOMPARE(run.spareHosts, std::vector<std::string>{"c"});
        run.hosts.clear();
        spec::dropUsedSpares(run);
        QVERIFY(run.spareHosts.empty());
    }

    void everyTaskHasOneWord() {
        QCOMPARE(taskWords().size(), std::size_t{4});
        for (std::size_t i = 0; i < taskWords().size(); ++i) {
            QCOMPARE(*taskFromString(taskWords()[i]), static_cast<TaskKind>(i));
            QCOMPARE(std::string(toString(static_cast<TaskKind>(i))), taskWords()[i]);
            QVERIFY(parseRunSpec("{\"version\":1,\"task\":\"" + taskWords()[i] + "\"}").ok());
        }
        const auto wrong = taskFromString("clasification");
        QVERIFY(!wrong.ok());
        QCOMPARE(wrong.error().kind, ErrorKind::Input);
        QCOMPARE(QString::fromStdString(wrong.error().remedy),
                 QString("one of: classification, regression, language, multi-label"));
    }

    void theDefaultLearningRateIsTheCatalogs() {
        Entry entry;
        entry.name = "sgd";
        QVERIFY(!defaultLearningRate(nullptr) && !defaultLearningRate(&entry));
        entry.params.push_back({.name = "lr", .title = "Learning rate", .defaultValue = 0.05});
        QCOMPARE(*defaultLearningRate(&entry), 0.05);
    }

    void aModelTellsHowItIsUsuallyTrained() {
        Catalog catalog;
        catalog.models = {{.name = "mlp", .title = "", .help = ""},
                          {.name = "gpt", .title = "", .help = "", .facts = {{"optimizer", "adamw"}, {"lr", "0.002"}}},
                          {.name = "half", .title = "", .help = "", .facts = {{"optimizer", "adamw"}}},
                          {.name = "bad", .title = "", .help = "", .facts = {{"optimizer", "adamw"}, {"lr", "fast"}}}};
        QVERIFY(!usualOptimizer(nullptr));
        const Choice own{"sgd", {{"lr", 0.1}, {"momentum", 0.9}}}, usual{"adamw", {{"lr", 0.002}}};
        for (const auto& model : catalog.models) {
            const bool tells = model.name == "gpt";
            QVERIFY2(usualOptimizer(&model) == (tells ? std::optional(usual) : std::nullopt), model.name.c_str());
            RunSpec spec;
            spec.model = {model.name, {}};
            spec.optimizer = own;
            fitOptimizer(spec, catalog);
            QVERIFY2(spec.optimizer == (tells ? usual : own), model.name.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(SpecRulesTest)
#include "spec_rules_test.moc"
