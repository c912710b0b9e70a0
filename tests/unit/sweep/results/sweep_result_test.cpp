// SPDX-License-Identifier: GPL-3.0-or-later
// Which trial is the best: the ranking of the supervisor, the terminal and the window.
#include "engine/spec/run/known_series.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/trials/trial_reports.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace trainyard;
using wire::RunStatus;

class SweepResultTest : public QObject {
    Q_OBJECT

    static sweep::Standing standing(std::optional<double> score, RunStatus status = RunStatus::Finished) {
        return {status, score};
    }

    static std::vector<sweep::ConfigurationResult> configurationsOf(const std::vector<sweep::Standing>& trials) {
        const sweep::Scores scores{{"val/accuracy", spec::Better::Larger}, std::nullopt};
        return sweep::configurationsOf(trials, sweep::rank(trials, scores), scores);
    }

private Q_SLOTS:
    // Feature: a trial's score is its sweep's, in table, cards and terminal; other runs have the one of their best
    // checkpoint.
    void aTrialHasTheScoreOfItsSweep() {
        store::SweepRow sweep;
        sweep.id = "s";
        sweep.specJson = R"({"version": 1, "run": {}, "space": {"optimizer.lr": [0.1]}, "scoreBy": "val/loss",
                             "mode": "min"})";
        store::SweepRow damaged;
        damaged.id = "d";
        damaged.specJson = "{";
        sweep::RunScores scores;
        scores.note({sweep, damaged});
        store::RunRow run;
        run.specJson = R"({"checkpoint": {"scoreBy": "val/f1"}})";
        for (const auto& [of, series] :
             {std::pair{"", "val/f1"}, {"s", "val/loss"}, {"d", "val/f1"}, {"?", "val/f1"}}) {
            run.sweep = of;
            QCOMPARE(scores.of(run, {}).series, std::string(series));
        }
        QVERIFY(scores.ofSweep("s")->better == spec::Better::Smaller);
        QVERIFY(scores.ofSweep("d") == nullptr);
    }

    void trialsAreRanked_data() {
        QTest::addColumn<std::vector<sweep::Standing>>("trials");
        QTest::addColumn<bool>("smaller");
        QTest::addColumn<QList<int>>("order");
        QTest::addColumn<bool>("hasBest");
        using Trials = std::vector<sweep::Standing>;
        const auto none = std::optional<double>();
        QTest::newRow("the least error") << Trials{standing(0.3), standing(0.1), standing(0.2)} << true
                                         << QList<int>{1, 2, 0} << true;
        QTest::newRow("the largest share")
            << Trials{standing(0.3), standing(0.1), standing(0.2)} << false << QList<int>{0, 2, 1} << true;
        QTest::newRow("equals by number")
            << Trials{standing(0.2), standing(0.1), standing(0.1)} << true << QList<int>{1, 2, 0} << true;
        QTest::newRow("failed after all that did not")
            << Trials{standing(0.1, RunStatus::Failed), standing(0.9)} << true << QList<int>{1, 0} << true;
        QTest::newRow("without a score last")
            << Trials{standing(none), standing(0.1, RunStatus::Failed), standing(0.9, RunStatus::Running)} << true
            << QList<int>{2, 1, 0} << true;
        QTest::newRow("all failed") << Trials{standing(0.2, RunStatus::Failed), standing(0.1, RunStatus::Failed)}
                                    << true << QList<int>{1, 0} << false;
        QTest::newRow("no scores") << Trials{standing(none), standing(none)} << false << QList<int>{0, 1} << false;
        using Stand = sweep::Standing;
        const auto done = RunStatus::Finished;
        QTest::newRow("seeds stand together, by their mean")
            << Trials{Stand{done, 0.1, 0}, Stand{done, 0.5, 0}, Stand{done, 0.25, 1}, Stand{done, 0.2, 1}} << true
            << QList<int>{3, 2, 0, 1} << true;
        QTest::newRow("a failed seed does not count")
            << Trials{Stand{done, 0.2, 0}, Stand{RunStatus::Failed, 0.9, 0}, Stand{done, 0.3, 1}} << true
            << QList<int>{0, 2, 1} << true;
        QTest::newRow("fresh seeds before those that were chosen by")
            << Trials{Stand{done, 0.1},          Stand{done, 0.2},          Stand{done, 0.4, 0, true},
                      Stand{done, 0.3, 0, true}, Stand{done, 0.6, 1, true}, Stand{RunStatus::Failed, 0.0, 1, true}}
            << true << QList<int>{3, 2, 4, 0, 1, 5} << true;
        QTest::newRow("no trials") << Trials{} << true << QList<int>{} << false;
    }
    void trialsAreRanked() {
        QFETCH(std::vector<sweep::Standing>, trials);
        QFETCH(bool, smaller);
        QFETCH(QList<int>, order);
        QFETCH(bool, hasBest);
        const auto ranked = sweep::rank(trials, smaller ? spec::Better::Smaller : spec::Better::Larger);
        QCOMPARE(QList<int>(ranked.indices.begin(), ranked.indices.end()), order);
        QCOMPARE(ranked.hasBest, hasBest);
    }

    void aConfigurationHasTheMeanOfItsSeeds() {
        const std::vector<sweep::Standing> trials{{RunStatus::Finished, 0.5, 0},
                                                  {RunStatus::Finished, 0.7, 0},
                                                  {RunStatus::Finished, 0.8, 1},
                                                  {RunStatus::Failed, 0.1, 1}};
        const auto list = configurationsOf(trials);
        QCOMPARE(list.size(), 2u);
        QCOMPARE(list[0].configuration, 1);
        QCOMPARE(list[0].stats.count, 1);
        QVERIFY(std::isnan(list[0].stats.sd));
        QCOMPARE(list[1].stats.mean, 0.6);
        QCOMPARE(list[1].stats.sd, std::sqrt(0.02));
        QCOMPARE(list[1].trials, (std::vector<std::size_t>{1, 0}));
        QCOMPARE(sweep::statsText(list[1].stats), std::string("0.6 ± 0.14 over 2 seeds"));
    }

    void theBestStandTogetherByTheirFreshSeeds() {
        const auto spec = *spec::parseSweepSpec(
            R"({"version":1,"run":{},"space":{"optimizer.lr":[1,2,3]},"seeds":{"count":2,"for":"best","best":2}})");
        const auto plan = sweep::seedPlanOf(spec);
        QCOMPARE(plan.standing(2, RunStatus::Finished, {0.5}).configuration, -1);
        QVERIFY(!plan.standing(2, RunStatus::Finished, {0.5}).fresh);
        QCOMPARE(plan.standing(3, RunStatus::Finished, {0.5}).configuration, 0);
        QCOMPARE(plan.standing(6, RunStatus::Finished, {0.5}).configuration, 1);
        std::vector<sweep::Standing> trials;
        for (int trial = 0; trial < 7; ++trial)
            trials.push_back(
                plan.standing(trial, trial < 5 ? RunStatus::Finished : RunStatus::Queued,
                              sweep::TrialScore{trial < 5 ? std::optional(0.5 + 0.1 * trial) : std::nullopt}));
        const auto list = configurationsOf(trials);
        QCOMPARE(list.size(), 1u); // the other one has no score yet
        QCOMPARE(list[0].trials, (std::vector<std::size_t>{4, 3}));
        QCOMPARE(sweep::statsText(list[0].stats), std::string("0.85 ± 0.071 over 2 seeds"));
    }

    // Twice the standard error of the difference: 2 * sqrt(0.01 / 4 + 0.01 / 4) = 0.1414.
    void aSmallLeadIsNoise_data() {
        QTest::addColumn<double>("other");
        QTest::addColumn<int>("seeds");
        QTest::addColumn<int>("within"); // -1: unknown
        QTest::newRow("a small lead") << 0.63 << 4 << 1;
        QTest::newRow("a large lead") << 0.65 << 4 << 0;
        QTest::newRow("no lead") << 0.5 << 4 << 1;
        QTest::newRow("one seed") << 0.9 << 1 << -1;
    }
    void aSmallLeadIsNoise() {
        QFETCH(double, other);
        QFETCH(int, seeds);
        QFETCH(int, within);
        const auto verdict = sweep::isWithinNoise({4, 0.5, 0.1}, {seeds, other, 0.1});
        QCOMPARE(verdict ? int(*verdict) : -1, within);
    }

    void aModeAgainstItsNameIsTold_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QStringList>("told"); // series
        QTest::newRow("the greatest loss")
            << QByteArray(R"("scoreBy":"val/loss","mode":"max")") << QStringList{"val/loss"};
        QTest::newRow("the least accuracy")
            << QByteArray(R"("scoreBy":"val/accuracy","mode":"min")") << QStringList{"val/accuracy"};
        QTest::newRow("the greatest error")
            << QByteArray(R"("scoreBy":"my/valError","mode":"max")") << QStringList{"my/valError"};
        QTest::newRow("a name that says nothing")
            << QByteArray(R"("scoreBy":"my/thing","mode":"min")") << QStringList{};
        QTest::newRow("as the name says") << QByteArray(R"("scoreBy":"val/f1","mode":"max")") << QStringList{};
        QTest::newRow("no mode") << QByteArray(R"("scoreBy":"val/loss")") << QStringList{};
        QTest::newRow("the second of two")
            << QByteArray(R"("scoreBy":["val/f1","time/step"],"mode":["max","max"])") << QStringList{"time/step"};
    }
    void aModeAgainstItsNameIsTold() {
        QFETCH(QByteArray, file);
        QFETCH(QStringList, told);
        const auto spec = spec::parseSweepSpec(R"({"version":1,"run":{"epochs":1},"space":{"optimizer.lr":[1,2]},)" +
                                               file.toStdString() + "}");
        QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
        QStringList series;
        for (const auto& each : sweep::contraryModes(*spec)) {
            series << QString::fromStdString(each.series);
            QVERIFY(sweep::contraryModeText(each).find("leave mode out") != std::string::npos);
        }
        QCOMPARE(series, told);
    }

    void aSeriesThatIsNeverRecordedIsRefused_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<int>("task");
        QTest::addColumn<QString>("error"); // empty: there is none
        using spec::TaskKind;
        const auto row = [](const char* name, const char* series, TaskKind task, const char* error) {
            QTest::newRow(name) << QString(series) << static_cast<int>(task) << QString(error);
        };
        row("accuracy", "val/accuracy", TaskKind::Classification, "");
        row("the area under a curve", "val/iou", TaskKind::Classification,
            "scoreBy: is not measured in classification, found \"val/iou\" (");
        row("an error of a classification", "val/rmse", TaskKind::Classification,
            "take one of: val/accuracy, val/loss, val/precision");
        row("a slip", "val/lss", TaskKind::Regression, "did you mean \"val/loss\"?");
        row("accuracy of a regression", "val/accuracy", TaskKind::Regression, "is not measured in regression");
        row("perplexity", "val/perplexity", TaskKind::Language, "");
        row("a series of another program", "my/score", TaskKind::Language, "");
        row("a time", "time/step", TaskKind::Regression, "");
    }
    void aSeriesThatIsNeverRecordedIsRefused() {
        QFETCH(QString, series);
        QFETCH(int, task);
        QFETCH(QString, error);
        const auto checked = spec::checkRecorded(series.toStdString(), static_cast<spec::TaskKind>(task), "scoreBy");
        QCOMPARE(checked.ok(), error.isEmpty());
        if (!checked)
            QVERIFY2(checked.error().text().find(error.toStdString()) != std::string::npos,
                     checked.error().text().c_str());
    }

    void failuresAreToldOnceEach() {
        sweep::Ranking ranking;
        const auto fails = [&](int trial, const char* message) {
            sweep::TrialResult result;
            result.row.trial = trial;
            result.row.status = RunStatus::Failed;
            result.row.error = inputError(message, "scoreBy", "take another");
            ranking.trials.push_back(std::move(result));
        };
        for (int trial = 0; trial < 9; ++trial) fails(trial, "was never measured");
        fails(9, "is gone");
        fails(10, "went");
        fails(11, "went");
        const auto failures = sweep::failuresOf(ranking);
        QCOMPARE(failures.size(), 3u);
        QCOMPARE(failures[0], std::pair(std::string("scoreBy: is gone (take another)"), std::string("trial 9")));
        QCOMPARE(failures[1].second, std::string("9 trials"));
        QCOMPARE(failures[2].second, std::string("trials 10, 11"));
    }

    // Feature: a trial is scored by its best or its last value, in terminal and window. Also in same_answers_test.
    void aTrialScoresByTheSweepsSeries() {
        const store::SeriesSummary accuracy{"val/accuracy", 3, 0.9, 0.5, 0.9, 30, 10, 30};
        const store::SeriesSummary mae{"val/mae", 3, 0.4, 0.2, 0.8, 30, 20, 10};
        const auto least = sweep::scoreTrial({accuracy, mae}, {"val/mae", spec::Better::Smaller});
        QCOMPARE(*least.value, 0.2);
        QCOMPARE(least.step, std::int64_t{20});
        const auto last = sweep::scoreTrial({accuracy, mae}, {"val/mae", spec::Better::Smaller, spec::ScoreAt::Last});
        QCOMPARE(*last.value, 0.4);
        QCOMPARE(last.step, std::int64_t{30});
        QCOMPARE(*sweep::scoreTrial({accuracy, mae}, {"val/accuracy", spec::Better::Larger}).value, 0.9);
        QVERIFY(!sweep::scoreTrial({accuracy}, {"val/mae", spec::Better::Smaller}).value);
        const store::SeriesSummary bad{"val/mae", 2, std::nan(""), std::nan(""), std::nan(""), 30, 0, 0};
        QVERIFY(!sweep::scoreTrial({bad}, {"val/mae", spec::Better::Smaller}).value);
    }

    // A pause is no end: between two looks of the sweep's supervisor a trial may go on and finish.
    void aTrialThatHasGoneOnIsScoredAnew() {
        const QTemporaryDir folder;
        const auto workspace = *store::Workspace::open(folder.filePath("ws").toStdString());
        const auto writer = *store::Store::open(workspace);
        sweep::TrialBook trials("s");
        const auto stands = [&](int trial, RunStatus status, std::int64_t step, double score) {
            store::RunRow row;
            row.id = row.name = trial == 0 ? "a" : "b";
            row.sweep = "s";
            row.trial = trial;
            row.status = status;
            row.step = step;
            row.finishedMs = 1000 + step;
            const bool isNew = status == RunStatus::Stopped;
            const auto written = isNew ? writer->createRun(row) : writer->updateRun(row);
            return written.ok() &&
                   writer->appendPoints(row.id, {{"val/accuracy", isNew ? 0 : 1, {{step, 1, 1, score}}}}).ok();
        };
        QVERIFY(stands(0, RunStatus::Stopped, 10, 0.7) && stands(1, RunStatus::Stopped, 10, 0.8));
        const auto query = *store::RunQuery::open(workspace);
        const sweep::TrialReports reports(workspace, spec::SweepSpec(), true);
        trials.resize(3); // the last of them has no run yet
        QVERIFY(trials.read(*query).ok());
        QCOMPARE(*reports.bestRun(*query, trials), std::string("b"));
        QVERIFY(stands(0, RunStatus::Finished, 20, 0.9) && trials.read(*query).ok());
        QCOMPARE(*reports.bestRun(*query, trials), std::string("a"));
        QCOMPARE(reports.endOf(*query, trials[0])->loss, -0.9);
    }
};

QTEST_GUILESS_MAIN(SweepResultTest)
#include "sweep_result_test.moc"
