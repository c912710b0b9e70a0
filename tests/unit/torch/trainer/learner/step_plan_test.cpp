// SPDX-License-Identifier: GPL-3.0-or-later
// How steps divide into epochs and passes, when a checkpoint is due, and what follows from losses that are not finite.
#include "engine/torch/trainer/learner/step_plan.h"
#include "engine/torch/trainer/non_finite/non_finite_rule.h"

#include <QTest>

using namespace trainyard;
using train::NonFiniteRule;
using train::Place;
using train::StepPlan;

Q_DECLARE_METATYPE(Place)

class StepPlanTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunEndsAsItsFileSays_data();
    void aRunEndsAsItsFileSays();
    void checkpointsAreDue_data();
    void checkpointsAreDue();
    void aBoundaryIsReported_data();
    void aBoundaryIsReported();
    void aGroupOfAnotherSizeKeepsTheGlobalBatch_data();
    void aGroupOfAnotherSizeKeepsTheGlobalBatch();
    void thePlaceInAnEpochStaysAtItsSample_data();
    void thePlaceInAnEpochStaysAtItsSample();
    void whatIsNotFiniteEndsSkipsOrGoesBack_data();
    void whatIsNotFiniteEndsSkipsOrGoesBack();
    void countsBeginAnew();
};

namespace {

constexpr std::int64_t kPerEpoch = 10;

StepPlan planOf(std::int64_t totalSteps) {
    StepPlan plan;
    plan.stepsPerEpoch = kPerEpoch;
    plan.totalSteps = totalSteps;
    return plan;
}

} // namespace

void StepPlanTest::aRunEndsAsItsFileSays_data() {
    QTest::addColumn<std::int64_t>("steps"); // 0: the file counts in epochs
    QTest::addColumn<std::int64_t>("epochs");
    QTest::addColumn<bool>("fastDevRun");
    QTest::addColumn<std::int64_t>("step");
    QTest::addColumn<std::int64_t>("epoch");
    QTest::addColumn<std::int64_t>("batch");
    QTest::addColumn<std::int64_t>("totalSteps");
    QTest::addColumn<std::int64_t>("totalEpochs");
    using N = std::int64_t;
    QTest::newRow("epochs, from the beginning") << N{0} << N{3} << false << N{0} << N{0} << N{0} << N{30} << N{3};
    QTest::newRow("epochs, in the middle of one") << N{0} << N{3} << false << N{14} << N{1} << N{4} << N{30} << N{3};
    QTest::newRow("epochs, once of other batches") << N{0} << N{3} << false << N{7} << N{1} << N{4} << N{23} << N{3};
    QTest::newRow("epochs, all done") << N{0} << N{3} << false << N{30} << N{3} << N{0} << N{30} << N{3};
    QTest::newRow("fewer epochs than done") << N{0} << N{2} << false << N{30} << N{3} << N{0} << N{30} << N{2};
    QTest::newRow("steps, whole epochs") << N{20} << N{0} << false << N{0} << N{0} << N{0} << N{20} << N{2};
    QTest::newRow("steps, part of an epoch") << N{21} << N{0} << false << N{0} << N{0} << N{0} << N{21} << N{3};
    QTest::newRow("steps, in the middle") << N{21} << N{0} << false << N{14} << N{1} << N{4} << N{21} << N{3};
    QTest::newRow("steps, all done") << N{14} << N{0} << false << N{14} << N{1} << N{4} << N{14} << N{2};
    QTest::newRow("to try it out") << N{0} << N{3} << true << N{14} << N{1} << N{4} << N{15} << N{3};
}

void StepPlanTest::aRunEndsAsItsFileSays() {
    QFETCH(std::int64_t, steps);
    QFETCH(std::int64_t, epochs);
    QFETCH(bool, fastDevRun);
    QFETCH(std::int64_t, step);
    QFETCH(std::int64_t, epoch);
    QFETCH(std::int64_t, batch);
    spec::RunSpec spec;
    spec.steps.reset();
    spec.epochs.reset();
    if (steps > 0) spec.steps = steps;
    else spec.epochs = epochs;
    spec.debug.fastDevRun = fastDevRun;
    auto plan = planOf(0);
    plan.planEnd(spec, {step, epoch, batch});
    QTEST(plan.totalSteps, "totalSteps");
    QTEST(plan.totalEpochs, "totalEpochs");
}

void StepPlanTest::checkpointsAreDue_data() {
    QTest::addColumn<std::int64_t>("everySteps");
    QTest::addColumn<std::int64_t>("everyEpochs");
    QTest::addColumn<Place>("place");
    QTest::addColumn<bool>("due");
    using N = std::int64_t;
    QTest::newRow("at its step") << N{4} << N{0} << Place{8, 0, 8} << true;
    QTest::newRow("beside it") << N{4} << N{0} << Place{9, 0, 9} << false;
    QTest::newRow("at the end of an epoch") << N{0} << N{1} << Place{10, 0, 10} << true;
    QTest::newRow("before its end") << N{0} << N{1} << Place{9, 0, 9} << false;
    QTest::newRow("at the end of each second") << N{0} << N{2} << Place{20, 1, 10} << true;
    QTest::newRow("not of the others") << N{0} << N{2} << Place{30, 2, 10} << false;
    QTest::newRow("by either") << N{4} << N{1} << Place{10, 0, 10} << true;
    QTest::newRow("by neither") << N{0} << N{0} << Place{10, 0, 10} << false;
}

void StepPlanTest::checkpointsAreDue() {
    QFETCH(std::int64_t, everySteps);
    QFETCH(std::int64_t, everyEpochs);
    QFETCH(Place, place);
    spec::CheckpointPolicy policy;
    policy.everySteps = everySteps;
    policy.everyEpochs = everyEpochs;
    QTEST(planOf(100).checkpointDue(policy, place), "due");
}

void StepPlanTest::aBoundaryIsReported_data() {
    QTest::addColumn<Place>("place");
    QTest::addColumn<bool>("reports");
    QTest::newRow("nothing is near") << Place{4, 0, 4} << false;
    QTest::newRow("the epoch ends with the next step") << Place{9, 0, 9} << true;
    QTest::newRow("it has just ended") << Place{10, 0, 10} << false;
    QTest::newRow("a checkpoint comes with the next step") << Place{6, 0, 6} << true;
    QTest::newRow("the run ends with the next step") << Place{24, 2, 4} << true;
}

void StepPlanTest::aBoundaryIsReported() {
    QFETCH(Place, place);
    spec::CheckpointPolicy policy;
    policy.everySteps = 7;
    QTEST(planOf(25).reportsAfterNext(policy, place), "reports");
}

void StepPlanTest::aGroupOfAnotherSizeKeepsTheGlobalBatch_data() {
    QTest::addColumn<int>("accumulate");
    QTest::addColumn<std::int64_t>("world");
    QTest::addColumn<std::int64_t>("perRank");
    using N = std::int64_t;
    QTest::newRow("as the file says") << 1 << N{2} << N{30};
    QTest::newRow("one more") << 1 << N{3} << N{20};
    QTest::newRow("one less") << 1 << N{1} << N{60};
    QTest::newRow("as near as it goes") << 1 << N{7} << N{9}; // 8.57
    QTest::newRow("one sample at least") << 1 << N{1000} << N{1};
    QTest::newRow("in two passes") << 2 << N{3} << N{10};
}

void StepPlanTest::aGroupOfAnotherSizeKeepsTheGlobalBatch() {
    QFETCH(int, accumulate);
    QFETCH(std::int64_t, world);
    spec::RunSpec spec;
    spec.batch = {.perRank = std::nullopt, .global = 60, .accumulate = accumulate};
    spec.scaling.workers = 2;
    QTEST(train::perRankFor(spec, world), "perRank");
}

void StepPlanTest::thePlaceInAnEpochStaysAtItsSample_data() {
    QTest::addColumn<std::int64_t>("batch");
    QTest::addColumn<std::int64_t>("before");
    QTest::addColumn<std::int64_t>("now");
    QTest::addColumn<std::int64_t>("found");
    using N = std::int64_t;
    QTest::newRow("the same batch") << N{7} << N{60} << N{60} << N{7};
    QTest::newRow("half as large") << N{7} << N{60} << N{30} << N{14};
    QTest::newRow("twice as large") << N{7} << N{60} << N{120} << N{3};
    QTest::newRow("exact where it divides") << N{49} << N{39} << N{49} << N{39};
    QTest::newRow("none done") << N{0} << N{60} << N{39} << N{0};
}

void StepPlanTest::thePlaceInAnEpochStaysAtItsSample() {
    QFETCH(std::int64_t, batch);
    QFETCH(std::int64_t, before);
    QFETCH(std::int64_t, now);
    QTEST(train::sameSample(batch, before, now), "found");
}

void StepPlanTest::whatIsNotFiniteEndsSkipsOrGoesBack_data() {
    QTest::addColumn<std::string>("word");
    QTest::addColumn<int>("before"); // bad steps
    QTest::addColumn<int>("then");
    using Then = NonFiniteRule::Then;
    const auto row = [](const char* name, const char* word, int before, Then then) {
        QTest::newRow(name) << std::string(word) << before << static_cast<int>(then);
    };
    row("stop", "stop", 0, Then::End);
    row("skip", "skip", 0, Then::Skip);
    row("skip, once more", "skip", NonFiniteRule::kMostSkipsInARow - 2, Then::Skip);
    row("skip, too often", "skip", NonFiniteRule::kMostSkipsInARow - 1, Then::TooManySkips);
    row("rollback", "rollback", 0, Then::RollBack);
    row("rollback, once more", "rollback", NonFiniteRule::kMostRollbacks - 1, Then::RollBack);
    row("rollback, too often", "rollback", NonFiniteRule::kMostRollbacks, Then::TooManyRollbacks);
}

void StepPlanTest::whatIsNotFiniteEndsSkipsOrGoesBack() {
    QFETCH(std::string, word);
    QFETCH(int, before);
    NonFiniteRule rule(word);
    for (int bad = 0; bad < before; ++bad) rule.afterBadStep();
    QTEST(static_cast<int>(rule.afterBadStep()), "then");
}

void StepPlanTest::countsBeginAnew() {
    using Then = NonFiniteRule::Then;
    NonFiniteRule skips("skip"), back("rollback");
    for (int bad = 0; bad < NonFiniteRule::kMostSkipsInARow - 1; ++bad) skips.afterBadStep();
    skips.afterGoodStep();
    QCOMPARE(skips.afterBadStep(), Then::Skip);
    for (int bad = 0; bad < NonFiniteRule::kMostRollbacks; ++bad) back.afterBadStep();
    back.afterGoodStep(); // it is the checkpoint that counts
    QCOMPARE(back.afterBadStep(), Then::TooManyRollbacks);
    back.afterCheckpoint();
    QCOMPARE(back.afterBadStep(), Then::RollBack);
    back.beginAnew();
    for (int bad = 0; bad < NonFiniteRule::kMostRollbacks; ++bad) QCOMPARE(back.afterBadStep(), Then::RollBack);
}

QTEST_APPLESS_MAIN(StepPlanTest)
#include "step_plan_test.moc"
