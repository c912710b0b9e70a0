// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/atomic_file.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "tests/texts.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace trainyard;
using namespace trainyard::spec;
using trainyard::test::text;

namespace {

Result<SweepSpec> sweepOf(const std::string& space, const std::string& rest = {}) {
    return parseSweepSpec("{\"version\":1,\"run\":{\"epochs\":2},\"space\":" + space + rest + "}");
}

std::vector<double> numbers(const std::vector<Params>& trials, const std::string& path) {
    std::vector<double> list;
    for (const Params& params : trials) list.push_back(Choice{"", params}.number(path, -1));
    return list;
}

} // namespace

class SpecSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gridTakesEveryCombination() {
        const auto sweep = *sweepOf(R"({"optimizer.lr":[0.1,0.2],"batch.perRank":[16,32,64]})");
        const auto trials = *foreseenConfigurations(sweep);
        QCOMPARE(trials.size(), 6u);
        QCOMPARE(numbers(trials, "optimizer.lr"), (std::vector<double>{0.1, 0.1, 0.1, 0.2, 0.2, 0.2}));
        QCOMPARE(numbers(trials, "batch.perRank"), (std::vector<double>{16, 32, 64, 16, 32, 64}));
        SweepSpec some = sweep;
        some.trials = 4;
        QCOMPARE(foreseenConfigurations(some)->size(), 4u);
    }
    void rangesHaveExactEnds() {
        auto log = numbers(
            *foreseenConfigurations(*sweepOf(R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log","count":4}})")),
            "optimizer.lr");
        QCOMPARE(log.front(), 0.001);
        QCOMPARE(log.back(), 1.0);
        QCOMPARE(log, (std::vector<double>{0.001, 0.01, 0.1, 1}));
        const auto linear = numbers(
            *foreseenConfigurations(*sweepOf(R"({"optimizer.lr":{"from":1,"to":2,"count":3}})")), "optimizer.lr");
        QCOMPARE(linear, (std::vector<double>{1, 1.5, 2}));
        const auto one = numbers(*foreseenConfigurations(*sweepOf(R"({"optimizer.lr":{"from":1,"to":2,"count":1}})")),
                                 "optimizer.lr");
        QCOMPARE(one, (std::vector<double>{1}));
    }
    void stepsAreNumbersAsOneWouldWriteThem() {
        const auto steps = numbers(
            *foreseenConfigurations(*sweepOf(R"({"optimizer.lr":{"from":0.1,"to":0.7,"step":0.1}})")), "optimizer.lr");
        QCOMPARE(steps, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}));
        const auto drawn =
            numbers(*foreseenConfigurations(*sweepOf(R"({"optimizer.lr":{"from":0.1,"to":0.7,"step":0.1}})",
                                                     R"(,"searcher":"random","trials":50)")),
                    "optimizer.lr");
        for (const double one : drawn) QVERIFY(std::find(steps.begin(), steps.end(), one) != steps.end());
    }
    void wholeFieldsGetWholeNumbersOnce() {
        const auto sweep = *sweepOf(R"({"epochs":{"from":1,"to":4,"scale":"log","count":9}})");
        const auto trials = *foreseenConfigurations(sweep);
        QCOMPARE(numbers(trials, "epochs"), (std::vector<double>{1, 2, 3, 4}));
        QVERIFY(std::holds_alternative<std::int64_t>(trials[0].at("epochs")));
        const auto kept = *foreseenConfigurations(*sweepOf(R"({"checkpoint.keep":{"from":1,"to":3,"count":4}})"));
        QCOMPARE(numbers(kept, "checkpoint.keep"), (std::vector<double>{1, 2, 3}));
        QVERIFY(std::holds_alternative<std::int64_t>(kept[1].at("checkpoint.keep")));
        const auto widths = *foreseenConfigurations(*sweepOf(
            R"({"model.params.width":{"from":8,"to":64,"whole":true}})", R"(,"searcher":"random","trials":50)"));
        for (const Params& p : widths) QVERIFY(std::holds_alternative<std::int64_t>(p.at("model.params.width")));
    }
    void randomDrawsAreTheSameForASeed() {
        const std::string space =
            R"({"optimizer.lr":{"from":0.001,"to":0.1,"scale":"log"},"optimizer":["sgd","adamw"]})";
        const auto sweep = *sweepOf(space, R"(,"searcher":"random","trials":200,"seed":5)");
        const auto trials = *foreseenConfigurations(sweep);
        QCOMPARE(trials.size(), 200u);
        QVERIFY(trials == *foreseenConfigurations(sweep));
        SweepSpec other = sweep;
        other.seed = 6;
        QVERIFY(trials != *foreseenConfigurations(other));
        int below = 0;
        for (const double lr : numbers(trials, "optimizer.lr")) {
            QVERIFY(lr >= 0.001 && lr <= 0.1);
            below += lr < 0.01 ? 1 : 0;
        }
        QVERIFY(below > 70 && below < 130); // half of the draws on a log scale
        // Frozen: a sweep that is run again elsewhere must draw the same trials.
        const auto first = *foreseenConfigurations(
            *sweepOf(R"({"optimizer.lr":{"from":0,"to":1}})", R"(,"searcher":"random","trials":1,"seed":1)"));
        QCOMPARE(numbers(first, "optimizer.lr").front(), 0.7867101553239042);
    }
    void aRandomSearchTakesNoPointTwice_data() {
        QTest::addColumn<QByteArray>("space");
        QTest::addColumn<int>("trials");
        QTest::addColumn<int>("different"); // all of them are
        const auto row = [](const char* name, const char* space, int trials, int different) {
            QTest::newRow(name) << QByteArray(space) << trials << different;
        };
        row("fewer values than trials", R"({"model.params.hidden":[[8],[16,8],[]]})", 6, 3);
        row("as many", R"({"optimizer.lr":[1,2,3,4,5,6,7,8]})", 8, 8);
        row("two axes", R"({"optimizer.lr":[1,2,3],"batch.perRank":{"from":2,"to":8,"step":2}})", 12, 12);
        row("a part of them", R"({"optimizer.lr":{"from":0,"to":1,"step":0.01}})", 60, 60);
        row("with every value", R"({"optimizer.lr":{"grid":[1,2]},"seed":[1,2,3]})", 3, 6);
        row("with a condition",
            R"({"optimizer":["sgd","adam"],"optimizer.momentum":{"choice":[0,0.5,0.9],)"
            R"("when":{"optimizer":"sgd"}}})",
            9, 4);
        row("whole numbers on a log scale", R"({"batch.perRank":{"from":1,"to":5,"scale":"log"}})", 9, 5);
        row("Tune's multiples on a log scale", R"({"model.params.x":{"qlograndint":[3,50,10]}})", 12, 5);
    }
    void aRandomSearchTakesNoPointTwice() {
        QFETCH(QByteArray, space);
        QFETCH(int, trials);
        QFETCH(int, different);
        for (int seed = 1; seed <= 20; ++seed) {
            const auto sweep =
                sweepOf(space.toStdString(), R"(,"searcher":"random","trials":)" + std::to_string(trials) +
                                                 R"(,"seed":)" + std::to_string(seed));
            QVERIFY2(sweep.ok(), text(sweep).c_str());
            const auto drawn = *foreseenConfigurations(*sweep);
            QCOMPARE(static_cast<int>(drawn.size()), different);
            QCOMPARE(static_cast<int>(std::set<Params>(drawn.begin(), drawn.end()).size()), different);
            QCOMPARE(*countConfigurations(*sweep), different);
        }
    }
    // Feature: the space of a sweep: lists, ranges, steps, normal distributions, conditions, Ray Tune's words. Also in
    // sweep_searchers_test.
    void placesAndValuesAgree_data() {
        QTest::addColumn<QByteArray>("axis");
        QTest::addColumn<int>("cells");
        QTest::addColumn<std::vector<double>>("values"); // at 0, 1/4, 1/2, 3/4, 1
        const auto row = [](const char* name, const char* axis, int cells, std::vector<double> values) {
            QTest::newRow(name) << QByteArray(axis) << cells << values;
        };
        row("range", R"({"from":1,"to":3})", 0, {1, 1.5, 2, 2.5, 3});
        row("log", R"({"from":1,"to":16,"scale":"log"})", 0, {1, 2, 4, 8, 16});
        row("step", R"({"from":1,"to":3,"step":1})", 3, {1, 1, 2, 3, 3});
        row("whole", R"({"from":0.5,"to":4.5,"whole":true})", 4, {1, 2, 3, 4, 4});
        row("log of whole numbers", R"({"from":1,"to":16,"scale":"log","whole":true})", 0, {1, 2, 4, 8, 16});
        row("list", R"([5,7,6])", 3, {5, 5, 7, 6, 6});
        row("choice", R"({"choice":[5,7]})", 2, {5, 5, 7, 7, 7});
        row("normal", R"({"mean":0,"sd":1,"from":-1,"to":1})", 0, {-1, -0.4418, 0, 0.4418, 1});
        row("normal cut at 4 sd", R"({"mean":10,"sd":2})", 0, {2, 8.651, 10, 11.349, 18});
        row("Tune's uniform", R"({"uniform":[0,4]})", 0, {0, 1, 2, 3, 4});
        row("Tune's quniform", R"({"quniform":[0,4,2]})", 3, {0, 0, 2, 4, 4});
        row("Tune's loguniform", R"({"loguniform":[1,16]})", 0, {1, 2, 4, 8, 16});
        row("Tune's randint has no upper end", R"({"randint":[1,5]})", 4, {1, 2, 3, 4, 4});
        row("Tune's qrandint has it", R"({"qrandint":[2,8,2]})", 4, {2, 4, 6, 8, 8});
        row("Tune's qrandint rounds to multiples", R"({"qrandint":[1,10,3]})", 3, {3, 3, 6, 9, 9});
        row("Tune's qrandint between multiples", R"({"qrandint":[-5,8,4]})", 4, {-4, 0, 4, 8, 8});
        row("Tune's quniform from a multiple", R"({"quniform":[0.1,0.5,0.1]})", 5, {0.1, 0.2, 0.3, 0.4, 0.5});
        row("Tune's qlograndint", R"({"qlograndint":[3,50,10]})", 0, {10, 10, 20, 30, 50});
        row("Tune's qrandn", R"({"qrandn":[0.45,0.25,0.2]})", 0, {-0.6, 0.2, 0.4, 0.6, 1.6});
        row("Tune's lograndint", R"({"lograndint":[1,17]})", 0, {1, 2, 4, 8, 16});
        row("Tune's randn", R"({"randn":[10,2]})", 0, {2, 8.651, 10, 11.349, 18});
    }
    void placesAndValuesAgree() {
        QFETCH(QByteArray, axis);
        QFETCH(int, cells);
        QFETCH(std::vector<double>, values);
        const auto sweep = sweepOf("{\"model.params.x\":" + axis.toStdString() + "}", R"(,"trials":3)");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        const Axis& read = sweep->space.front();
        QCOMPARE(cellsOf(read), cells);
        for (int i = 0; i <= 4; ++i) {
            const Value value = valueAt(read, i / 4.0);
            const double number = Choice{{}, {{"v", value}}}.number("v", -99);
            QVERIFY2(std::abs(number - values[static_cast<std::size_t>(i)]) < 1e-3, toText(value).c_str());
            QVERIFY(valueAt(read, placeOf(read, value)) == value ||
                    std::abs(Choice{{}, {{"v", valueAt(read, placeOf(read, value))}}}.number("v", -99) - number) <
                        1e-9);
        }
        const auto back = parseSweepSpec(toJson(*sweep));
        QVERIFY2(back.ok() && *back == *sweep, text(back).c_str());
    }
    void conditionsLeaveFieldsOut() {
        const auto sweep = *sweepOf(R"({"optimizer.name":["sgd","adamw"],"optimizer.momentum":{"choice":[0.5,0.9],)"
                                    R"("when":{"optimizer.name":"sgd"}},"optimizer.dampening":{"choice":[0,0.1],)"
                                    R"("when":{"optimizer.momentum":0.9}}})");
        const auto trials = *foreseenConfigurations(sweep); // sgd with .5, with .9 and two dampenings, and adamw
        QCOMPARE(trials.size(), 4u);
        QCOMPARE(*countTrials(sweep), 4);
        QVERIFY(trials.back() == (Params{{"optimizer.name", std::string("adamw")}}));
        QVERIFY(*parseSweepSpec(toJson(sweep)) == sweep);
    }
    void theSearcherFollowsFromTheFile() {
        const auto searcher = [](const char* space, const char* rest) {
            const auto sweep = sweepOf(space, rest);
            return sweep.ok() ? sweep->searcher.name + " " + sweep->scheduler.name : text(sweep);
        };
        QCOMPARE(searcher(R"({"optimizer.lr":[1,2]})", ""), std::string("grid fifo"));
        QCOMPARE(searcher(R"({"optimizer.lr":[1,2]})", R"(,"trials":1)"), std::string("grid fifo"));
        QCOMPARE(searcher(R"({"optimizer.lr":{"from":1,"to":2}})", R"(,"trials":9)"), std::string("auto fifo"));
        QCOMPARE(searcher(R"({"optimizer.lr":[1]})", R"(,"searcher":"random","trials":9,"scheduler":"asha")"),
                 std::string("random asha"));
        const auto tpe = *sweepOf(R"({"optimizer.lr":[1]})", R"(,"searcher":{"name":"tpe","startup":4},"trials":9)");
        QCOMPARE(tpe.searcher.integer("startup", 0), 4);
    }
    // The trials of a search that learns are not known in advance: every listed value and every end of a range is
    // checked instead.
    void valuesAndEndsAreForeseen() {
        const auto sweep = *sweepOf(R"({"optimizer.lr":{"from":0.1,"to":1},"batch.perRank":[8,16,32]})",
                                    R"(,"searcher":"tpe","trials":50)");
        const auto trials = *foreseenConfigurations(sweep);
        QCOMPARE(numbers(trials, "optimizer.lr"), (std::vector<double>{0.1, 1, 0.1, 0.1}));
        QCOMPARE(numbers(trials, "batch.perRank"), (std::vector<double>{8, 8, 16, 32}));
        QCOMPARE(*countTrials(sweep), 50);
    }
    void trialIsTheRunWithItsParameters() {
        const auto sweep =
            *sweepOf(R"({"optimizer.lr":[0.25],"steps":[7],"model.params.hidden":[8]})", R"(,"name":"s")");
        const auto trial = trialSpec(sweep, foreseenConfigurations(sweep)->front(), 3);
        QVERIFY2(trial.ok(), text(trial).c_str());
        QCOMPARE(trial->name, std::string("s-3"));
        QCOMPARE(trial->optimizer.number("lr", 0), 0.25);
        QCOMPARE(*trial->steps, 7);
        QVERIFY(!trial->epochs);
        QCOMPARE(trial->model.integer("hidden", 0), 8);
    }
    void trialsAreComparedByTheScoreOfTheRun() {
        const auto scoreOf = [](const char* run, const char* rest = "") {
            const auto sweep = parseSweepSpec(R"({"version":1,"space":{"optimizer.lr":[1]},"run":{)" +
                                              std::string(run) + "}" + rest + "}");
            return sweep.ok() ? sweep->scoreBy + " " + sweep->mode : text(sweep);
        };
        QCOMPARE(scoreOf(""), std::string("val/accuracy max"));
        QCOMPARE(scoreOf(R"("task":"regression","dataset":"waves")"), std::string("val/loss min"));
        QCOMPARE(scoreOf(R"("checkpoint":{"scoreBy":"val/f1"})"), std::string("val/f1 max"));
        QCOMPARE(scoreOf(R"("task":"regression")", R"(,"scoreBy":"val/mae","mode":"min")"), std::string("val/mae min"));
    }
    // A program reports what it likes, and what it prints becomes a name with blanks; a near miss of a known name is
    // meant.
    void theSeriesOfAProgramHaveAnyName_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("said");
        const QString refused = QStringLiteral("is not the name of a series");
        QTest::newRow("printed") << "val accuracy" << "";
        QTest::newRow("near a known one") << "val_accuracy" << "";
        QTest::newRow("of Ultralytics") << "metrics/mAP50-95(B)" << "";
        QTest::newRow("of another language") << "Präzision@1" << "";
        QTest::newRow("two lines") << "a\\nb" << refused;
        QTest::newRow("too long") << QString(201, 'a') << refused;
    }
    void theSeriesOfAProgramHaveAnyName() {
        QFETCH(QString, series);
        QFETCH(QString, said);
        for (const char* where : {R"("scoreBy":"%1")", R"("scoreBy":["%1","time"])",
                                  R"("stop":[{"series":"%1","above":1}])", R"("trials":1)"}) { // the last: of its run
            const bool ofRun = QLatin1String(where) == QLatin1String(R"("trials":1)");
            if (ofRun && !said.isEmpty()) continue; // each trial's run file is checked when it starts
            const QString file =
                QStringLiteral(
                    R"({"version":1,"space":{"program.arguments.lr":[1]},"run":{"program":{"script":"a.py"}%2},%1})")
                    .arg(QString(where).replace("%1", series),
                         ofRun ? QStringLiteral(R"(,"checkpoint":{"scoreBy":"%1"})").arg(series)
                               : QStringLiteral(R"(,"checkpoint":{"scoreBy":"loss"})"));
            const auto sweep = parseSweepSpec(file.toStdString());
            const QString told = sweep.ok() ? QString() : QString::fromStdString(text(sweep));
            QVERIFY2(said.isEmpty() ? sweep.ok() : told.contains(said), qPrintable(file + " says " + told));
        }
    }
    void sweepComesBackWhole() {
        const auto sweep = *sweepOf(
            R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log","count":4},"model":["mlp","resnet18"],)"
            R"("epochs":{"from":1,"to":3,"count":3}})",
            R"(,"name":"n","searcher":"random","trials":5,"parallel":2,"scoreBy":"val/loss","mode":"min","seed":9,)"
            R"("reuse":false,"perDevice":3,)"
            R"("score":"last","stop":[{"series":"val/loss","below":0.1,"after":2},{"series":"train/loss","above":9}],)"
            R"("failure":{"retries":2,"maxShare":0.25},)"
            R"("budget":{"seconds":60,"epochs":7.5,"target":0.2,"idleTrials":4},"atEnd":"finish")");
        const auto back = parseSweepSpec(toJson(sweep));
        QVERIFY2(back.ok(), text(back).c_str());
        QVERIFY(*back == sweep);
    }
    void aBudgetMakesTheNumberOfTrialsUnnecessary() {
        const std::string range = R"({"optimizer.lr":{"from":0.1,"to":1}})";
        const auto open = *sweepOf(range, R"(,"budget":{"seconds":60})");
        QVERIFY(isOpenEnded(open));
        QCOMPARE(*countTrials(open), kMaxTrials);
        QCOMPARE(foreseenConfigurations(*sweepOf(range, R"(,"searcher":"random","budget":{"seconds":60})"))->size(),
                 2u);
        QVERIFY(!isOpenEnded(*sweepOf(range, R"(,"budget":{"seconds":60},"trials":3)")));
        QVERIFY(!isOpenEnded(*sweepOf(R"({"optimizer.lr":[1,2]})", R"(,"budget":{"seconds":60})"))); // a grid
        QCOMPARE(*countTrials(*sweepOf(R"({"optimizer.lr":{"from":0.1,"to":1},"seed":{"grid":[1,2,3]}})",
                                       R"(,"budget":{"idleTrials":6})")),
                 kMaxTrials / 3 * 3);
    }
    // Feature: several seeds for each configuration: ranked by their mean, shown with its spread, a small lead is
    // called noise; a searcher learns from the mean. Also in same_answers_test, sweep_result_test,
    // sweep_searchers_test.
    void everyConfigurationHasItsSeeds() {
        const auto sweep = *sweepOf(R"({"optimizer.lr":[0.1,0.2]})", R"(,"seeds":{"count":3})");
        QCOMPARE(*countConfigurations(sweep), 2);
        QCOMPARE(*countTrials(sweep), 6);
        QCOMPARE(foreseenConfigurations(sweep)->size(), 2u);
        for (int trial = 0; trial < 6; ++trial) QCOMPARE(trialSpec(sweep, {}, trial)->seed, RunSpec().seed + trial % 3);
        QVERIFY(*parseSweepSpec(toJson(sweep)) == sweep);
    }
    void overridesReachTheRunInIt() {
        QTemporaryDir dir;
        const std::string file = dir.filePath("sweep.json").toStdString();
        QVERIFY(writeFileAtomic(file, R"({"version":1,"run":{"optimizer":"sgd","steps":9},)"
                                      R"("space":{"seed":[1,2]},"trials":2})")
                    .ok());
        const auto text = readWithOverrides(file, {"optimizer.lr=0.25", "epochs=3", "task=regression", "trials=1"});
        QVERIFY2(text.ok(), ::text(text).c_str());
        const auto sweep = parseSweepSpec(*text);
        QVERIFY2(sweep.ok(), ::text(sweep).c_str());
        QCOMPARE(sweep->trials, 1);
        QCOMPARE(sweep->scoreBy + " " + sweep->mode, std::string("val/loss min")); // as the task has it
        const auto other = readWithOverrides(file, {"searcher=random", "scheduler=asha", "scheduler.factor=4"});
        QVERIFY2(other.ok(), ::text(other).c_str());
        const auto searched = parseSweepSpec(*other);
        QVERIFY2(searched.ok(), ::text(searched).c_str());
        QCOMPARE(searched->searcher.name, std::string("random"));
        QCOMPARE(searched->scheduler.name, std::string("asha"));
        QCOMPARE(searched->scheduler.number("factor", 0), 4.0);
        const auto ruled = parseSweepSpec(*readWithOverrides(
            file, {"failure.retries=3", "failure.maxRestarts=7", "budget.seconds=9", "atEnd=finish", "score=last"}));
        QVERIFY2(ruled.ok(), ::text(ruled).c_str());
        QCOMPARE(ruled->rules.failure.retries, 3); // of trials, and of the ranks of each one
        QCOMPARE(trialSpec(*ruled, foreseenConfigurations(*ruled)->front(), 0)->failure.maxRestarts, 7);
        QCOMPARE(ruled->rules.budget.seconds, 9.0);
        QVERIFY(ruled->rules.budget.finish && ruled->rules.score == ScoreAt::Last);
        const RunSpec trial = *trialSpec(*sweep, foreseenConfigurations(*sweep)->front(), 0);
        QCOMPARE(trial.optimizer.name, std::string("sgd"));
        QCOMPARE(trial.optimizer.number("lr", 0), 0.25);
        QCOMPARE(*trial.epochs, 3);
        QVERIFY(!trial.steps);
    }
    void runFileIsReadBesideTheSweepFile() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        QVERIFY(writeFileAtomic(folder / "base.json", R"({"batch":{"perRank":8},"epochs":4})").ok());
        QVERIFY(writeFileAtomic(folder / "sweep.json", R"({"runFile":"base.json","space":{"optimizer.lr":[1]}})").ok());
        const auto sweep = readSweepSpec(folder / "sweep.json");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        const RunSpec trial = *trialSpec(*sweep, foreseenConfigurations(*sweep)->front(), 0);
        QCOMPARE(*trial.epochs, 4);
        QCOMPARE(*trial.batch.perRank, 8);
        QVERIFY(isSweepFile(*readFile(folder / "sweep.json")));
        QVERIFY(!isSweepFile(*readFile(folder / "base.json")));
        QVERIFY(writeFileAtomic(folder / "bad.json", R"({"runFile":"none.json","space":{"optimizer.lr":[1]}})").ok());
        QVERIFY2(text(readSweepSpec(folder / "bad.json")).find("none.json: there is no such file") != std::string::npos,
                 text(readSweepSpec(folder / "bad.json")).c_str());
    }

    // After the searched trials, and with seeds that none of them had.
    // Feature: fresh seeds for the best configurations once the search is over, which alone rank them. Also in
    // sweep_result_test, sweep_searchers_test, sweep_test.
    void theBestGetFreshSeeds() {
        const auto sweep =
            *sweepOf(R"({"optimizer.lr":[0.1,0.2,0.3,0.4]})", R"(,"seeds":{"count":3,"for":"best","best":2})");
        QCOMPARE(*countSearched(sweep), 4);
        QCOMPARE(*countTrials(sweep), 10);
        std::vector<std::int64_t> seeds;
        const Params params{{"optimizer.lr", 0.1}};
        for (int trial = 0; trial < 10; ++trial) seeds.push_back(trialSpec(sweep, params, trial)->seed - 42);
        QCOMPARE(seeds, (std::vector<std::int64_t>{0, 0, 0, 0, 1, 2, 3, 1, 2, 3}));
        QCOMPARE(foreseenConfigurations(sweep)->size(), 4u);
        QVERIFY(*parseSweepSpec(toJson(sweep)) == sweep);
    }

    // Those of the file, then the best of earlier sweeps that are configurations of this space, each once.
    // Feature: configurations that come first; a sweep that begins from an earlier one, whose best come first and whose
    // results a searcher knows. Also in sweep_searchers_test, sweep_test.
    void configurationsComeFirst() {
        const auto sweep = *sweepOf(
            R"({"optimizer.lr":{"from":0.01,"to":1},"optimizer.name":["sgd","adam"],
                "optimizer.momentum":{"from":0,"to":1,"when":{"optimizer.name":"sgd"}}})",
            R"(,"searcher":"random","trials":6,"first":[{"optimizer.lr":0.1,"optimizer.name":"adam"}],
                "warmStart":[{"sweep":"coarse","best":2,"results":[
                    {"params":{"optimizer.lr":0.1,"optimizer.name":"adam"},"loss":0.1},
                    {"params":{"optimizer.lr":0.2},"loss":0.2},
                    {"params":{"optimizer.lr":2.5,"optimizer.name":"adam"},"loss":0.3},
                    {"params":{"optimizer.lr":0.5,"optimizer.name":"sgd","optimizer.momentum":1,"seed":3},"loss":0.4},
                    {"params":{"optimizer.lr":0.7,"optimizer.name":"adam"},"loss":0.5}]}])");
        const Params first{{"optimizer.lr", 0.1}, {"optimizer.name", std::string("adam")}};
        const Params second{{"optimizer.lr", 0.5}, {"optimizer.momentum", 1.0}, {"optimizer.name", std::string("sgd")}};
        QCOMPARE(firstConfigurations(sweep), (std::vector<Params>{first, second}));
        QCOMPARE(*countTrials(sweep), 6);
        const auto foreseen = *foreseenConfigurations(sweep);
        QCOMPARE(foreseen.size(), 6u);
        QCOMPARE(foreseen[1], second);
        QVERIFY(*parseSweepSpec(toJson(sweep)) == sweep);
        const auto grid = *sweepOf(R"({"optimizer.lr":[0.1,0.2]})", R"(,"first":[{"optimizer.lr":0.2}])");
        QCOMPARE(*countTrials(grid), 3);
        QCOMPARE(numbers(*foreseenConfigurations(grid), "optimizer.lr"), (std::vector<double>{0.2, 0.1, 0.2}));
    }

    // Long because: a table, one row for each mistake.
    // Bad inputs: sweep files.
    void badSweepsAreExplained_data() {
        QTest::addColumn<QByteArray>("space");
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* space, const char* rest, const char* part) {
            QTest::newRow(name) << QByteArray(space) << QByteArray(rest) << QString(part);
        };
        row("empty space", "{}", "", "the space is empty");
        row("no values", R"({"optimizer.lr":[]})", "", "space.optimizer.lr: has no values");
        row("from > to", R"({"optimizer.lr":{"from":2,"to":1,"count":2}})", "",
            "space.optimizer.lr: from must not be greater than to, found 2 and 1");
        row("log of 0", R"({"optimizer.lr":{"from":0,"to":1,"scale":"log","count":2}})", "",
            "space.optimizer.lr: a log scale needs numbers greater than 0, found 0 (raise from, or, where the field "
            "takes such numbers, use a linear scale)");
        row("log of -1", R"({"optimizer.lr":{"from":-1,"to":1,"scale":"log","count":2}})", "",
            "greater than 0, found -1");
        row("count 0", R"({"optimizer.lr":{"from":0.1,"to":1}})", R"(,"searcher":"grid")",
            "count must be 1 to 100000 for a grid, found 0");
        row("no end", R"({"optimizer.lr":{"from":0.1,"count":2}})", "", "space.optimizer.lr.to: is missing");
        row("no whole number", R"({"epochs":{"from":1.2,"to":1.8,"count":2}})", "", "there is no whole number");
        row("scale", R"({"optimizer.lr":{"from":0.1,"to":1,"scale":"lin","count":2}})", "",
            "must be one of linear, log");
        row("range key", R"({"optimizer.lr":{"from":0.1,"to":1,"cuont":2}})", "", "did you mean \"count\"?");
        row("number", R"({"optimizer.lr":5})", "", "must be a list of values or");
        row("object value", R"({"optimizer.lr":[{}]})", "",
            "space.optimizer.lr.0: must be a number, true, false, text or a list of numbers, found an object");
        row("null value", R"({"optimizer.lr":[null]})", "", "space.optimizer.lr.0: is not a value a field can take");
        row("unknown path", R"({"optimzer.lr":[1]})", "", "optimzer: is not a known key");
        row("wrong type", R"({"epochs":["many"]})", "", "epochs: must be a whole number");
        row("too many", R"({"seed":{"from":0,"to":999,"count":1000},"optimizer.lr":{"from":1,"to":2,"count":1000}})",
            "", "more than 100000 points");
        row("random without trials", R"({"optimizer.lr":[1]})", R"(,"searcher":"random")",
            "trials: must be at least 1, found 0 (say how many to make, or give a budget)");
        row("wrong ends without trials", R"({"optimizer.lr":{"from":1,"to":0.01}})", "",
            "space.optimizer.lr from must not be greater than to, found 1 and 0.01 (swap the two); trials must be");
        row("wrong ends of a searcher without trials", R"({"optimizer.lr":{"from":1,"to":0.01}})",
            R"(,"searcher":"auto")", "space.optimizer.lr from must not be greater than to, found 1 and 0.01");
        row("first is no list", R"({"optimizer.lr":[1,2]})", R"(,"first":{"optimizer.lr":1})", "first: must be a list");
        row("first of no field", R"({"optimizer.lr":[1,2]})", R"(,"first":[{"optimizer.rl":1}])",
            "first.0.optimizer.rl: is not a field of the space, found 1 (did you mean \"optimizer.lr\"?)");
        row("first outside its range", R"({"optimizer.lr":{"from":1,"to":2,"count":2}})",
            R"(,"first":[{"optimizer.lr":3}])", "first.0.optimizer.lr: is not a value of its axis, found 3");
        row("first not in its list", R"({"optimizer.name":["sgd"]})", R"(,"first":[{"optimizer.name":"adam"}])",
            "first.0.optimizer.name: is not a value of its axis, found \"adam\"");
        row("first without a field", R"({"optimizer.lr":[1,2],"seed":[1,2]})", R"(,"first":[{"seed":1}])",
            "first.0.optimizer.lr: is missing (give every field of the space)");
        row("warm start from nothing", R"({"optimizer.lr":[1,2]})", R"(,"warmStart":[{"best":3}])",
            "warmStart.0.sweep: is missing (give the name or id of a sweep)");
        row("warm start from fewer than none", R"({"optimizer.lr":[1,2]})", R"(,"warmStart":[{"sweep":"a","best":-1}])",
            "warmStart.0.best: must be at least 0, found -1");
        row("empty choice", R"({"optimizer.lr":{"choice":[]}})", "", "space.optimizer.lr.choice: has no values");
        row("same ends", R"({"optimizer.lr":{"from":1,"to":1,"count":2}})", "",
            "space.optimizer.lr: from and to are the same, found 1 and 1 (list the one value instead: [1])");
        row("step 0", R"({"optimizer.lr":{"from":1,"to":2,"step":0}})", "",
            "space.optimizer.lr.step: must be greater than 0, found 0");
        row("step over the range", R"({"optimizer.lr":{"from":1,"to":2,"step":3}})", "",
            "space.optimizer.lr.step: is larger than the range, found 3 (take at most 1)");
        row("step that misses the end", R"({"optimizer.lr":{"from":1,"to":2,"step":0.4}})", "",
            "space.optimizer.lr.step: does not lead from 1 to 2, found 0.4 (end the range at 1.8)");
        row("step that misses the end by a digit", R"({"optimizer.lr":{"from":0,"to":1,"step":0.3}})", "",
            "found 0.3 (end the range at 0.9)");
        row("step of half an epoch", R"({"epochs":{"from":1,"to":4,"step":0.5}})", "",
            "space.epochs.step: is a fraction, found 0.5, and the field takes whole numbers");
        row("half an epoch", R"({"epochs":[1.5,2]})", "", "epochs: must be a whole number");
        row("no deviation", R"({"optimizer.lr":{"mean":1,"sd":0}})", R"(,"trials":3)",
            "space.optimizer.lr.sd: must be greater than 0, found 0");
        row("no mean", R"({"optimizer.lr":{"sd":1}})", R"(,"trials":3)", "space.optimizer.lr.mean: is missing");
        row("log of a normal", R"({"optimizer.lr":{"mean":1,"sd":1,"scale":"log"}})", R"(,"trials":3)",
            "space.optimizer.lr.scale: does not go with mean and sd");
        row("two ways", R"({"optimizer.lr":{"uniform":[0,1],"choice":[1]}})", "",
            "space.optimizer.lr: gives its values in two ways");
        row("numbers of a word", R"({"optimizer.lr":{"quniform":[0,1]}})", "",
            "space.optimizer.lr.quniform: must be a list of 3 numbers");
        row("a fraction for randint", R"({"optimizer.lr":{"randint":[1.5,3.5]}})", R"(,"trials":3)",
            "space.optimizer.lr.randint: takes whole numbers, found 1.5 (round it, or use uniform)");
        row("a fraction as the step of qrandint", R"({"optimizer.lr":{"qrandint":[1,9,0.5]}})", R"(,"trials":3)",
            "space.optimizer.lr.qrandint: takes whole numbers, found 0.5");
        row("a step of 0", R"({"optimizer.lr":{"quniform":[0,1,0]}})", R"(,"trials":3)",
            "space.optimizer.lr.quniform: the step must be greater than 0, found 0 (give one, or use uniform without a "
            "step)");
        row("a step below 0", R"({"optimizer.lr":{"qlograndint":[1,8,-2]}})", R"(,"trials":3)",
            "space.optimizer.lr.qlograndint: the step must be greater than 0, found -2");
        row("ends beside the step", R"({"optimizer.lr":{"quniform":[0.05,1,0.1]}})", R"(,"trials":3)",
            "space.optimizer.lr.quniform: the ends must be multiples of the step 0.1, as in Ray Tune, found 0.05 and 1 "
            "(end it at 0.1 and 1)");
        row("no multiple", R"({"optimizer.lr":{"qrandint":[4,5,3]}})", R"(,"trials":3)",
            "space.optimizer.lr.qrandint: there is no multiple of the step 3 between these, found 4 and 5 (take a "
            "smaller step)");
        row("a word's slip", R"({"optimizer.lr":{"logunifrom":[0.1,1]}})", "", "did you mean \"loguniform\"?");
        row("log of a word", R"({"optimizer.lr":{"loguniform":[0,1]}})", R"(,"trials":3)",
            "a log scale needs numbers greater than 0, found 0");
        row("condition on no field", R"({"optimizer.lr":{"choice":[1],"when":{"epoch":1}},"epochs":[1,2]})", "",
            "space.optimizer.lr.when.epoch: is not a field of the space (did you mean \"epochs\"?)");
        row("condition on a range",
            R"({"optimizer.lr":{"choice":[1],"when":{"seed":1}},"seed":{"from":0,"to":9,"count":2}})", "",
            "space.optimizer.lr.when.seed: is a range, and a condition needs a list of values");
        row("condition that never holds", R"({"optimizer.lr":{"choice":[1],"when":{"seed":3}},"seed":[1,2]})", "",
            "space.optimizer.lr.when.seed: is never 3");
        row("conditions in a circle",
            R"({"epochs":{"choice":[1],"when":{"seed":1}},"seed":{"choice":[1],"when":{"epochs":1}}})", "",
            "space.epochs.when: its conditions lead back to itself");
        row("no trials", R"({"optimizer.lr":{"from":1,"to":2}})", "", "trials: must be at least 1, found 0");
        row("too many with every value", R"({"optimizer.lr":{"from":1,"to":2},"seed":{"grid":[1,2]}})",
            R"(,"trials":60000)", "trials: are more than 100000 together with every value of seed");
        row("parallel", R"({"optimizer.lr":[1]})", R"(,"parallel":-1)", "parallel: must be at least 0");
        row("nothing on a device", R"({"optimizer.lr":[1]})", R"(,"perDevice":0)", "perDevice: must be at least 1");
        row("too many on a device", R"({"optimizer.lr":[1]})", R"(,"perDevice":65)", "perDevice: must be at most 64");
        row("reuse", R"({"optimizer.lr":[1]})", R"(,"reuse":"yes")", "reuse: must be true or false, found \"yes\"");
        row("no seeds", R"({"optimizer.lr":[1]})", R"(,"seeds":{"count":0})",
            "seeds.count: must be at least 1, found 0");
        row("a slip of seeds", R"({"optimizer.lr":[1]})", R"(,"seeds":{"cuont":2})", "did you mean \"count\"?");
        row("seeds of seeds", R"({"seed":[1,2]})", R"(,"seeds":{"count":2})",
            "seeds.count: cannot be given together with space.seed, found 2");
        row("seeds for whom", R"({"optimizer.lr":[1]})", R"(,"seeds":{"for":"some"})",
            "seeds.for: must be one of all, best");
        row("seeds of no best", R"({"optimizer.lr":[1]})", R"(,"seeds":{"for":"best","best":0})",
            "seeds.best: must be at least 1, found 0");
        row("the best of all", R"({"optimizer.lr":[1]})", R"(,"seeds":{"best":3})",
            "seeds.best: is only used with the seeds of the best, found 3 (add \"for\": \"best\")");
        row("the best of no number of trials", R"({"optimizer.lr":{"from":1,"to":2}})",
            R"(,"searcher":"tpe","budget":{"seconds":9},"seeds":{"for":"best"})",
            "seeds.for: needs to know when the search is over, found \"best\" (say how many trials to make)");
        row("keeps none", R"({"optimizer.lr":[1]})", R"(,"keep":{"best":0})", "keep.best: must be at least 1, found 0");
        row("keeps for less than no time", R"({"optimizer.lr":[1]})", R"(,"keep":{"minSeconds":-1})",
            "keep.minSeconds: must be at least 0, found -1");
        row("a slip of keep", R"({"optimizer.lr":[1]})", R"(,"keep":{"bset":3})", "did you mean \"best\"?");
        row("too many with their seeds", R"({"optimizer.lr":{"from":1,"to":2}})",
            R"(,"trials":60000,"seeds":{"count":2})",
            "seeds.count: is too many: 60000 configurations with 2 seeds are more than 100000 trials");
        row("mode", R"({"optimizer.lr":[1]})", R"(,"mode":"best")", "mode: must be one of max, min");
        row("score", R"({"optimizer.lr":[1]})", R"(,"score":"lats")",
            "score: must be one of best, last, found \"lats\" (did you mean \"last\"?)");
        const char* const rate = R"({"optimizer.lr":[1]})";
        row("stop of text", rate, R"(,"stop":"val/loss")", "stop: must be a list of rules, found \"val/loss\"");
        row("stop of texts", rate, R"(,"stop":["val/loss"])", "stop.0: must be an object { … }");
        row("stop without a series", rate, R"(,"stop":[{"above":1}])", "stop.0.series: is missing");
        row("stop by a slip", rate, R"(,"stop":[{"series":"val/los","above":1}])",
            "stop.0.series: is not the name of a series, found \"val/los\" (did you mean \"val/loss\"?)");
        row("stop without a limit", rate, R"(,"stop":[{"series":"val/loss"}])",
            "stop.0: needs above or below, one of the two");
        row("stop with two limits", rate, R"(,"stop":[{"series":"val/loss","above":1,"below":0}])",
            "stop.0: needs above or below, one of the two");
        row("stop before the start", rate, R"(,"stop":[{"series":"val/loss","above":1,"after":-1}])",
            "stop.0.after: must be at least 0, found -1");
        row("stop with another key", rate, R"(,"stop":[{"series":"val/loss","above":1,"afte":1}])",
            "did you mean \"after\"?");
        row("retries", rate, R"(,"failure":{"retries":-1})", "failure.retries: must be at least 0, found -1");
        row("a field of the run's failure", rate, R"(,"failure":{"maxRestarts":1})",
            R"(failure.maxRestarts: is not a known key, found 1 (it goes into "failure" of "run"))");
        row("share of failures", rate, R"(,"failure":{"maxShare":50})",
            "failure.maxShare: must be at most 1, found 50");
        row("no number of seconds", rate, R"(,"budget":{"seconds":"10m"})", "budget.seconds: must be a number");
        row("less than no epochs", rate, R"(,"budget":{"epochs":-1})", "budget.epochs: must be at least 0, found -1");
        row("half an idle trial", rate, R"(,"budget":{"idleTrials":0.5})",
            "budget.idleTrials: must be a whole number, found 0.5");
        row("target of text", rate, R"(,"budget":{"target":"best"})", "budget.target: must be a number");
        row("a budget's slip", rate, R"(,"budget":{"second":1})", "did you mean \"seconds\"?");
        row("atEnd", rate, R"(,"atEnd":"save")", "atEnd: must be one of stop, finish, found \"save\"");
        row("unknown key", R"({"optimizer.lr":[1]})", R"(,"sercher":"grid")",
            "sercher: is not a known key, found \"grid\" (did you mean \"searcher\"?)");
        row("a field of the run", rate, R"(,"model":"mlp")",
            R"(model: is not a known key, found "mlp" (it goes into "run"))");
        row("a section of the run", rate, R"(,"optimizer":{"lr":1})",
            R"(optimizer: is not a known key, found an object (it goes into "run"))");
        row("the length of the run", rate, R"(,"steps":9)",
            R"(steps: is not a known key, found 9 (it goes into "run"))");
        row("both runs", R"({"optimizer.lr":[1]})", R"(,"runFile":"x.json")", "cannot be given together with run");
        row("doubled field", R"({"optimizer.lr":[1],"optimizer.lr":[2]})", "", "is there twice");
    }
    void badSweepsAreExplained() {
        QFETCH(QByteArray, space);
        QFETCH(QByteArray, rest);
        QFETCH(QString, part);
        const auto sweep = sweepOf(space.toStdString(), rest.toStdString());
        QVERIFY(!sweep.ok());
        QCOMPARE(sweep.error().kind, ErrorKind::Input);
        QVERIFY2(text(sweep).find(part.toStdString()) != std::string::npos, text(sweep).c_str());
        QVERIFY2(!sweep.error().remedy.empty() || text(sweep).find("must be ") != std::string::npos,
                 text(sweep).c_str());
    }
    void badBaseRunIsExplained() {
        QVERIFY2(
            text(parseSweepSpec(R"({"run":{"epoch":1},"space":{"seed":[1]}})")).find("run.epoch: is not a known key") !=
                std::string::npos,
            text(parseSweepSpec(R"({"run":{"epoch":1},"space":{"seed":[1]}})")).c_str());
        QVERIFY(text(parseSweepSpec(R"({"space":{"seed":[1]}})")).find("run: is missing") != std::string::npos);
        QVERIFY(text(parseSweepSpec(R"({"run":5,"space":{"seed":[1]}})")).find("run: must be an object") !=
                std::string::npos);
        QVERIFY(text(parseSweepSpec(R"({"version":9,"run":{},"space":{"seed":[1]}})")).find("up to version 1") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(SpecSweepTest)
#include "spec_sweep_test.moc"
