// SPDX-License-Identifier: GPL-3.0-or-later
// What the trials of a sweep tell together: best so far, distribution, lanes, importance.
#include "engine/base/math/hash_draw.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/values/pareto.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::sweep;

namespace {

spec::Axis range(const std::string& path, double from, double to, bool log = false) {
    spec::Axis axis;
    axis.path = path;
    axis.from = from;
    axis.to = to;
    axis.logScale = log;
    return axis;
}

spec::Axis choice(const std::string& path, std::vector<spec::Value> values) {
    spec::Axis axis;
    axis.path = path;
    axis.values = std::move(values);
    return axis;
}

// An even sequence in [0, 1), different for each axis.
double draw(int trial, int axis) { return std::fmod(0.5 + (trial + 1) * (axis == 0 ? 0.618033988 : 0.754877666), 1.0); }

} // namespace

class SweepAnalysisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // (0, 4), (1, 2) and (3, 1) under the reference (4, 5): 4 * 1 + 3 * 2 + 1 * 1.
    // Feature: the Pareto front of the score and another series, and its hypervolume, in terminal and window. Also in
    // sweep_commands_test, sweeps_page_test.
    void theFrontIsWhatNoneBeats() {
        const std::vector<LossPair> trials{{1, 2}, {4, 1}, {0, 4}, {1, 3},       {qQNaN(), 0},
                                           {3, 1}, {1, 2}, {2, 5}, {0, INFINITY}};
        const auto front = paretoOf(trials);
        QCOMPARE(front.indices, (std::vector<std::size_t>{2, 0, 5}));
        QVERIFY((front.reference == LossPair{4, 5}));
        QCOMPARE(front.hypervolume, 11.0);
        const auto one = paretoOf(std::vector<LossPair>{{2, 3}});
        QCOMPARE(one.indices, (std::vector<std::size_t>{0}));
        QCOMPARE(one.hypervolume, 0.0);
        QVERIFY(paretoOf(std::vector<LossPair>{{qQNaN(), 1}}).indices.empty());
    }

    // By comparing each with each, and by the share of evenly spread points that the front beats.
    void theFrontEqualsADirectSearch() {
        std::vector<LossPair> trials;
        for (int i = 0; i < 300; ++i) trials.push_back({draw(i, 0), std::fmod(7 * draw(i, 1) + draw(i, 0), 1.0)});
        const auto front = paretoOf(trials);
        const auto beats = [](const LossPair& a, const LossPair& b) {
            return a.first <= b.first && a.second <= b.second && a != b;
        };
        std::set<std::size_t> direct;
        for (std::size_t i = 0; i < trials.size(); ++i)
            if (std::none_of(trials.begin(), trials.end(), [&](const auto& each) { return beats(each, trials[i]); }))
                direct.insert(i);
        QCOMPARE(std::set<std::size_t>(front.indices.begin(), front.indices.end()), direct);
        int beaten = 0;
        for (int x = 0; x < 400; ++x)
            for (int y = 0; y < 400; ++y) {
                const LossPair point{(x + 0.5) / 400, (y + 0.5) / 400};
                if (point.first > front.reference.first || point.second > front.reference.second) continue;
                beaten +=
                    std::any_of(trials.begin(), trials.end(), [&](const auto& each) { return beats(each, point); });
            }
        QVERIFY(std::abs(front.hypervolume - beaten / 160000.0) < 0.005);
    }

    // Feature: what the trials of a sweep tell together: the best so far, their distribution, slots, importance of
    // parameters, in window and terminal.
    void theBestSoFar_data() {
        QTest::addColumn<QList<double>>("losses");
        QTest::addColumn<QList<double>>("course");
        QTest::newRow("none") << QList<double>{} << QList<double>{};
        QTest::newRow("falls") << QList<double>{3, 4, 2, 2, 5} << QList<double>{3, 3, 2, 2, 2};
        QTest::newRow("one that is not finite changes nothing")
            << QList<double>{qQNaN(), 3, -INFINITY, qQNaN(), 1} << QList<double>{qQNaN(), 3, 3, 3, 1};
    }
    void theBestSoFar() {
        QFETCH(QList<double>, losses);
        QFETCH(QList<double>, course);
        const auto found = bestSoFar(std::vector<double>(losses.begin(), losses.end()));
        QCOMPARE(static_cast<qsizetype>(found.size()), course.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double wanted = course[static_cast<qsizetype>(i)];
            QVERIFY(found[i] == wanted || (std::isnan(found[i]) && std::isnan(wanted)));
        }
    }

    void theDistributionHasAPointForEachValue() {
        const auto points = edfOf(std::vector<double>{2, 1, qQNaN(), 2, 4});
        const std::vector<EdfPoint> wanted{{1, 0.25}, {2, 0.75}, {4, 1}};
        QVERIFY(points == wanted);
        QVERIFY(edfOf(std::vector<double>{qQNaN()}).empty());
    }

    void stretchesOfALaneDoNotOverlap() {
        const std::vector<Stretch> stretches{{5, 9}, {0, 4}, {1, 6}, {4, 8}, {6, 7}};
        QCOMPARE(lanesOf(stretches), (std::vector<int>{2, 0, 1, 0, 1}));
        QVERIFY(lanesOf({}).empty());
    }

    void importanceTellsWhatDecides_data() {
        QTest::addColumn<QString>("decides");
        QTest::newRow("a number") << "lr";
        QTest::newRow("a choice") << "activation";
    }
    // The loss depends on one axis alone: that one is the first and has nearly all.
    void importanceTellsWhatDecides() {
        QFETCH(QString, decides);
        const std::vector<spec::Axis> space{
            range("width", 1, 9), range("lr", 1e-4, 1, true),
            choice("activation", {std::string("relu"), std::string("tanh"), std::string("gelu"), std::string("elu")})};
        std::vector<Observation> trials;
        for (int i = 0; i < 200; ++i) {
            const double width = draw(i, 0), lr = draw(i, 1);
            const int word = i % 4;
            trials.push_back({{{"width", spec::valueAt(space[0], width)},
                               {"lr", spec::valueAt(space[1], lr)},
                               {"activation", space[2].values[static_cast<std::size_t>(word)]}},
                              decides == "lr" ? std::abs(lr - 0.3) : (word == 2 ? 0.0 : 1.0) + 0.001 * i});
        }
        const auto found = importanceOf(space, trials);
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QCOMPARE(found->size(), space.size());
        QCOMPARE(QString::fromStdString(found->front().path), decides);
        QVERIFY2(found->front().share > 0.8, qPrintable(QString::number(found->front().share)));
        double sum = 0;
        for (const auto& axis : *found) sum += axis.share;
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }

    void importanceHasAnInterval_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("decides"); // lr decides; else nothing does
        QTest::addColumn<bool>("tells");
        QTest::newRow("many trials, one decides") << 200 << true << true;
        QTest::newRow("a dozen trials, one decides") << 12 << true << false;
        QTest::newRow("a dozen trials, nothing decides") << 12 << false << false;
        QTest::newRow("many trials, nothing decides") << 200 << false << false;
    }
    void importanceHasAnInterval() {
        QFETCH(int, count);
        QFETCH(bool, decides);
        QFETCH(bool, tells);
        const std::vector<spec::Axis> space{range("width", 1, 9), range("lr", 0, 1), range("dropout", 0, 1)};
        const auto at = [](int trial, int axis) {
            return unitDraw(7, Draw::Shift, static_cast<std::uint64_t>(trial), static_cast<std::uint64_t>(axis));
        };
        std::vector<Observation> trials;
        for (int i = 0; i < count; ++i)
            trials.push_back({{{"width", spec::valueAt(space[0], at(i, 0))}, {"lr", at(i, 1)}, {"dropout", at(i, 2)}},
                              decides ? std::abs(at(i, 1) - 0.5) : at(i, 3)});
        const auto found = importanceOf(space, trials);
        QVERIFY(found.ok());
        for (const auto& axis : *found)
            QVERIFY2(axis.low >= 0 && axis.low <= axis.high && axis.high <= 1, axis.path.c_str());
        QVERIFY2(tellsImportance(*found) == tells,
                 qPrintable(QStringLiteral("%1 from %2").arg(found->front().share).arg(found->front().low)));
        QCOMPARE(importanceOf(space, trials)->front().low, found->front().low); // the same trials, the same interval
    }
    void aSingleAxisHasNoRival() { QVERIFY(tellsImportance(std::vector<AxisImportance>{{"lr", 0}})); }

    void importanceIsNothingWhereAllAreAlike() {
        const std::vector<spec::Axis> space{range("lr", 0, 1)};
        std::vector<Observation> trials;
        for (int i = 0; i < 20; ++i) trials.push_back({{{"lr", draw(i, 0)}}, 1.0});
        QCOMPARE(importanceOf(space, trials)->front().share, 0.0);
    }

    void importanceNeedsTrials() {
        std::vector<Observation> trials(12, Observation{{{"lr", 0.5}}, qQNaN()});
        for (int i = 0; i < 9; ++i) trials[static_cast<std::size_t>(i)].loss = i;
        const std::vector<spec::Axis> space{range("lr", 0, 1)};
        const auto few = importanceOf(space, trials);
        QVERIFY(!few.ok());
        QCOMPARE(QString::fromStdString(few.error().message),
                 QString("importance needs 10 trials with a score, found 9"));
        trials[9].loss = 9;
        QVERIFY(importanceOf(space, trials).ok());
    }

    void anAxisThatCountsSometimesIsJudgedByItsTrials() {
        const std::vector<spec::Axis> space{range("momentum", 0, 1), range("lr", 0, 1)};
        std::vector<Observation> trials;
        for (int i = 0; i < 100; ++i) {
            spec::Params params{{"lr", draw(i, 0)}};
            if (i % 2 == 0) params["momentum"] = draw(i, 1);
            trials.push_back({std::move(params), std::abs(draw(i, 0) - 0.5)});
        }
        const auto found = importanceOf(space, trials);
        QVERIFY(found.ok());
        QCOMPARE(found->front().path, std::string("lr"));
    }

    // Of configurations by the means of their seeds; without what failed, and without the seeds that repeat the best.
    void importanceOfASweepIsThatOfItsResults() {
        const std::vector<spec::Axis> space{range("lr", 0, 1), range("width", 0, 1)};
        std::vector<Observation> means;
        std::vector<TriedParams> trials;
        for (int i = 0; i < 40; ++i) {
            const spec::Params params{{"lr", draw(i, 0)}, {"width", draw(i, 1)}};
            const double mean = std::abs(draw(i, 0) - 0.5), off = draw(i, 2);
            means.push_back({params, mean});
            trials.push_back({params, {wire::RunStatus::Finished, mean + off, i}});
            trials.push_back({params, {wire::RunStatus::Finished, mean - off, i}});
            trials.push_back({params, {wire::RunStatus::Failed, -9.0, i}});
            trials.push_back({params, {wire::RunStatus::Finished, std::nullopt, i}});
            trials.push_back({{{"lr", 0.9}, {"width", 0.1}}, {wire::RunStatus::Finished, -9.0, i, true}});
        }
        const auto found = importanceOfTrials(space, spec::Better::Smaller, trials);
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        QCOMPARE(found->results, means.size());
        const auto wanted = *importanceOf(space, means);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QCOMPARE(found->axes[i].path, wanted[i].path);
            QVERIFY(std::abs(found->axes[i].share - wanted[i].share) < 1e-9);
        }
        for (auto& trial : trials) // larger is better: the same turned round
            if (trial.standing.score) trial.standing.score = -*trial.standing.score;
        QCOMPARE(importanceOfTrials(space, spec::Better::Larger, trials)->axes.front().share,
                 found->axes.front().share);
    }
};

QTEST_APPLESS_MAIN(SweepAnalysisTest)
#include "sweep_analysis_test.moc"
