// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/atomic_file.h"
#include "engine/spec/overrides.h"
#include "engine/spec/sweep_spec.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace trainyard;
using namespace trainyard::spec;

namespace {

std::string text(const auto& result) { return result.ok() ? "no error" : result.error().text(); }

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
        const auto trials = *expandTrials(sweep);
        QCOMPARE(trials.size(), 6u);
        QCOMPARE(numbers(trials, "optimizer.lr"), (std::vector<double>{0.1, 0.1, 0.1, 0.2, 0.2, 0.2}));
        QCOMPARE(numbers(trials, "batch.perRank"), (std::vector<double>{16, 32, 64, 16, 32, 64}));
        SweepSpec some = sweep;
        some.trials = 4;
        QCOMPARE(expandTrials(some)->size(), 4u);
    }
    void rangesHaveExactEnds() {
        auto log = numbers(*expandTrials(*sweepOf(R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log","count":4}})")),
                           "optimizer.lr");
        QCOMPARE(log.front(), 0.001);
        QCOMPARE(log.back(), 1.0);
        QVERIFY(std::abs(log[1] - 0.01) < 1e-12 && std::abs(log[2] - 0.1) < 1e-12);
        const auto linear =
            numbers(*expandTrials(*sweepOf(R"({"optimizer.lr":{"from":1,"to":2,"count":3}})")), "optimizer.lr");
        QCOMPARE(linear, (std::vector<double>{1, 1.5, 2}));
        const auto one =
            numbers(*expandTrials(*sweepOf(R"({"optimizer.lr":{"from":1,"to":2,"count":1}})")), "optimizer.lr");
        QCOMPARE(one, (std::vector<double>{1}));
    }
    void wholeFieldsGetWholeNumbersOnce() {
        const auto sweep = *sweepOf(R"({"epochs":{"from":1,"to":4,"scale":"log","count":9}})");
        const auto trials = *expandTrials(sweep);
        QCOMPARE(numbers(trials, "epochs"), (std::vector<double>{1, 2, 3, 4}));
        QVERIFY(std::holds_alternative<std::int64_t>(trials[0].at("epochs")));
        const auto kept = *expandTrials(*sweepOf(R"({"checkpoint.keep":{"from":1,"to":3,"count":4}})"));
        QCOMPARE(numbers(kept, "checkpoint.keep"), (std::vector<double>{1, 2, 3}));
        QVERIFY(std::holds_alternative<std::int64_t>(kept[1].at("checkpoint.keep")));
        const auto widths = *expandTrials(
            *sweepOf(R"({"model.params.width":{"from":8,"to":64,"whole":true}})", R"(,"search":"random","trials":50)"));
        for (const Params& p : widths) QVERIFY(std::holds_alternative<std::int64_t>(p.at("model.params.width")));
    }
    void randomDrawsAreTheSameForASeed() {
        const std::string space =
            R"({"optimizer.lr":{"from":0.001,"to":0.1,"scale":"log"},"optimizer":["sgd","adamw"]})";
        const auto sweep = *sweepOf(space, R"(,"search":"random","trials":200,"seed":5)");
        const auto trials = *expandTrials(sweep);
        QCOMPARE(trials.size(), 200u);
        QVERIFY(trials == *expandTrials(sweep));
        SweepSpec other = sweep;
        other.seed = 6;
        QVERIFY(trials != *expandTrials(other));
        int below = 0;
        for (const double lr : numbers(trials, "optimizer.lr")) {
            QVERIFY(lr >= 0.001 && lr <= 0.1);
            below += lr < 0.01 ? 1 : 0;
        }
        QVERIFY(below > 70 && below < 130); // half of the draws on a log scale
        // Frozen: a sweep that is run again elsewhere must draw the same trials.
        const auto first = *expandTrials(
            *sweepOf(R"({"optimizer.lr":{"from":0,"to":1}})", R"(,"search":"random","trials":1,"seed":1)"));
        QCOMPARE(numbers(first, "optimizer.lr").front(), 0.13387664401253274);
    }
    void trialIsTheRunWithItsParameters() {
        const auto sweep =
            *sweepOf(R"({"optimizer.lr":[0.25],"steps":[7],"model.params.hidden":[8]})", R"(,"name":"s")");
        const auto trial = trialSpec(sweep, expandTrials(sweep)->front(), 3);
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
    void sweepComesBackWhole() {
        const auto sweep = *sweepOf(
            R"({"optimizer.lr":{"from":0.001,"to":1,"scale":"log","count":4},"model":["mlp","resnet18"],)"
            R"("epochs":{"from":1,"to":3,"count":3}})",
            R"(,"name":"n","search":"random","trials":5,"parallel":2,"scoreBy":"val/loss","mode":"min","seed":9)");
        const auto back = parseSweepSpec(toJson(sweep));
        QVERIFY2(back.ok(), text(back).c_str());
        QVERIFY(*back == sweep);
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
        const RunSpec trial = *trialSpec(*sweep, expandTrials(*sweep)->front(), 0);
        QCOMPARE(trial.optimizer.name, std::string("sgd"));
        QCOMPARE(trial.optimizer.number("lr", 0), 0.25);
        QCOMPARE(*trial.epochs, 3);
        QVERIFY(!trial.steps);
    }
    void runFileIsReadBesideTheSweepFile() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        QVERIFY(writeFileAtomic(folder / "base.json", R"({"batchSize":8,"epochs":4})").ok());
        QVERIFY(writeFileAtomic(folder / "sweep.json", R"({"runFile":"base.json","space":{"optimizer.lr":[1]}})").ok());
        const auto sweep = readSweepSpec(folder / "sweep.json");
        QVERIFY2(sweep.ok(), text(sweep).c_str());
        const RunSpec trial = *trialSpec(*sweep, expandTrials(*sweep)->front(), 0);
        QCOMPARE(*trial.epochs, 4);
        QCOMPARE(*trial.batch.perRank, 8);
        QVERIFY(isSweepFile(*readFile(folder / "sweep.json")));
        QVERIFY(!isSweepFile(*readFile(folder / "base.json")));
        QVERIFY(writeFileAtomic(folder / "bad.json", R"({"runFile":"none.json","space":{"optimizer.lr":[1]}})").ok());
        QVERIFY2(text(readSweepSpec(folder / "bad.json")).find("none.json: there is no such file") != std::string::npos,
                 text(readSweepSpec(folder / "bad.json")).c_str());
    }

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
            "space.optimizer.lr: a log scale needs numbers greater than 0");
        row("log of -1", R"({"optimizer.lr":{"from":-1,"to":1,"scale":"log","count":2}})", "",
            "greater than 0, found -1");
        row("count 0", R"({"optimizer.lr":{"from":0.1,"to":1}})", "", "count must be 1 to 100000 for a grid, found 0");
        row("no end", R"({"optimizer.lr":{"from":0.1,"count":2}})", "", "space.optimizer.lr.to: is missing");
        row("no whole number", R"({"epochs":{"from":1.2,"to":1.8,"count":2}})", "", "there is no whole number");
        row("scale", R"({"optimizer.lr":{"from":0.1,"to":1,"scale":"lin","count":2}})", "",
            "must be one of linear, log");
        row("range key", R"({"optimizer.lr":{"from":0.1,"to":1,"cuont":2}})", "", "did you mean \"count\"?");
        row("number", R"({"optimizer.lr":5})", "", "must be a list of values or");
        row("object value", R"({"optimizer.lr":[{}]})", "", "space.optimizer.lr.0: is not a value a field can take");
        row("unknown path", R"({"optimzer.lr":[1]})", "", "optimzer: is not a known key");
        row("wrong type", R"({"epochs":["many"]})", "", "epochs: must be a whole number");
        row("too many", R"({"seed":{"from":0,"to":999,"count":1000},"optimizer.lr":{"from":1,"to":2,"count":1000}})",
            "", "more than 100000 points");
        row("search", R"({"optimizer.lr":[1]})", R"(,"search":"bayes")", "search: must be one of grid, random");
        row("random without trials", R"({"optimizer.lr":[1]})", R"(,"search":"random")",
            "trials: must be at least 1, found 0");
        row("parallel", R"({"optimizer.lr":[1]})", R"(,"parallel":-1)", "parallel: must be at least 0");
        row("mode", R"({"optimizer.lr":[1]})", R"(,"mode":"best")", "mode: must be one of max, min");
        row("unknown key", R"({"optimizer.lr":[1]})", R"(,"serch":"grid")",
            "serch: is not a known key, found \"grid\" (did you mean \"search\"?)");
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
