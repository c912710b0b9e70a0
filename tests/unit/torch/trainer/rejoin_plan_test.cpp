// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks of a new group agree on after one was lost, by where each of them is.
#include "engine/torch/trainer/rejoiner.h"

#include <QTest>

using namespace trainyard;
using train::Position;
using train::RejoinPlan;

namespace {

// A rank of a group of two that has done so many steps, the last of them with all that comes after it.
Position positionAt(std::int64_t step) {
    Position position;
    position.known = 1;
    position.step = position.settled = step;
    position.world = 2;
    return position;
}

Position reporterAt(std::int64_t step) {
    Position position = positionAt(step);
    position.reporter = 1;
    return position;
}

Position with(Position position, std::int64_t Position::* field, std::int64_t value) {
    position.*field = value;
    return position;
}

} // namespace

class RejoinPlanTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPositionComesAsItWasSent();
    void theMostAdvancedRankGivesItsState_data();
    void theMostAdvancedRankGivesItsState();
    void stepsNobodyReportedAreOpen_data();
    void stepsNobodyReportedAreOpen();
    void whatIsDoneIsKnownToAll_data();
    void whatIsDoneIsKnownToAll();
    void survivorsAloneSaveAndEnd_data();
    void survivorsAloneSaveAndEnd();
};

void RejoinPlanTest::aPositionComesAsItWasSent() {
    const auto numbers = torch::arange(1, 20, torch::kInt64);
    const Position position = Position::of(numbers);
    QCOMPARE(position.known, std::int64_t{1});
    QCOMPARE(position.batchInEpoch, std::int64_t{4});
    QCOMPARE(position.lastLr, std::int64_t{19});
    QVERIFY(torch::equal(position.toTensor(), numbers));
}

void RejoinPlanTest::theMostAdvancedRankGivesItsState_data() {
    QTest::addColumn<std::vector<Position>>("all");
    QTest::addColumn<int>("donor");
    QTest::addColumn<std::vector<int>>("behind"); // ranks
    using All = std::vector<Position>;
    using Ranks = std::vector<int>;
    QTest::newRow("all are as far") << All{reporterAt(5), positionAt(5)} << 0 << Ranks{};
    QTest::newRow("one has counted the last step") << All{reporterAt(4), positionAt(5)} << 1 << Ranks{0};
    QTest::newRow("one has just come") << All{Position{}, positionAt(5)} << 1 << Ranks{0};
    QTest::newRow("one that has come counts more than nothing") << All{Position{}, positionAt(0)} << 1 << Ranks{0};
    QTest::newRow("one has done what comes after the step")
        << All{with(reporterAt(5), &Position::settled, 4), positionAt(5)} << 1 << Ranks{0};
    QTest::newRow("several are behind") << All{positionAt(6), positionAt(5), Position{}} << 0 << Ranks{1, 2};
}

void RejoinPlanTest::theMostAdvancedRankGivesItsState() {
    QFETCH(const std::vector<Position>, all);
    QFETCH(const int, donor);
    QFETCH(const std::vector<int>, behind);
    const RejoinPlan plan(all);
    QCOMPARE(plan.donor(), donor);
    QCOMPARE(plan.newest().step, all[static_cast<std::size_t>(donor)].step);
    std::vector<int> found;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (plan.isBehind(all[rank])) found.push_back(static_cast<int>(rank));
    QCOMPARE(found, behind);
    QCOMPARE(plan.anyBehind(), !behind.empty());
}

void RejoinPlanTest::stepsNobodyReportedAreOpen_data() {
    QTest::addColumn<std::vector<Position>>("all");
    QTest::addColumn<std::int64_t>("open");
    using All = std::vector<Position>;
    const auto window = [](Position position, std::int64_t steps, std::int64_t kept) {
        position.windowSteps = steps;
        position.keptSteps = kept;
        return position;
    };
    QTest::newRow("the window of the same reporter")
        << All{window(reporterAt(9), 3, 4), positionAt(9)} << std::int64_t{3};
    QTest::newRow("a new reporter repeats what was kept")
        << All{window(positionAt(9), 3, 4), window(positionAt(9), 3, 4)} << std::int64_t{7};
    QTest::newRow("the rank that is behind has more open")
        << All{window(reporterAt(8), 4, 0), window(positionAt(9), 2, 0)} << std::int64_t{5};
    QTest::newRow("one that has just come has none") << All{Position{}, window(positionAt(9), 0, 2)} << std::int64_t{2};
    QTest::newRow("nothing is open") << All{reporterAt(9), positionAt(9)} << std::int64_t{0};
}

void RejoinPlanTest::stepsNobodyReportedAreOpen() {
    QFETCH(const std::vector<Position>, all);
    QFETCH(const std::int64_t, open);
    QCOMPARE(RejoinPlan(all).openSteps(), open);
}

void RejoinPlanTest::whatIsDoneIsKnownToAll_data() {
    QTest::addColumn<std::vector<Position>>("all");
    QTest::addColumn<bool>("settled");
    QTest::addColumn<std::int64_t>("validated");
    QTest::addColumn<std::int64_t>("saved");
    using All = std::vector<Position>;
    using N = std::int64_t;
    const auto done = [](Position position, N validated, N saved) {
        position.validated = validated;
        position.saved = saved;
        return position;
    };
    QTest::newRow("all was done") << All{done(reporterAt(9), 9, 9), done(positionAt(9), 9, 9)} << true << N{9} << N{9};
    QTest::newRow("one has not validated")
        << All{done(reporterAt(9), 9, 9), with(done(positionAt(9), 6, 9), &Position::settled, 8)} << false << N{6}
        << N{9};
    QTest::newRow("the reporter is gone")
        << All{done(positionAt(9), 9, 9), done(positionAt(9), 9, 9)} << false << N{-1} << N{-1};
    QTest::newRow("one that has just come takes no part")
        << All{done(reporterAt(9), 9, 6), Position{}} << true << N{9} << N{6};
}

void RejoinPlanTest::whatIsDoneIsKnownToAll() {
    QFETCH(const std::vector<Position>, all);
    const RejoinPlan plan(all);
    QTEST(plan.isSettled(), "settled");
    QTEST(plan.validatedStep(), "validated");
    QTEST(plan.savedStep(), "saved");
}

void RejoinPlanTest::survivorsAloneSaveAndEnd_data() {
    QTest::addColumn<std::vector<Position>>("all");
    QTest::addColumn<bool>("saves");
    using All = std::vector<Position>;
    const Position toStop = with(positionAt(9), &Position::toStop, 1);
    QTest::newRow("nobody was asked") << All{reporterAt(9), positionAt(9)} << false;
    QTest::newRow("one was asked") << All{reporterAt(9), toStop} << true;
    QTest::newRow("one has just come") << All{toStop, Position{}} << false;
}

void RejoinPlanTest::survivorsAloneSaveAndEnd() {
    QFETCH(const std::vector<Position>, all);
    QTEST(RejoinPlan(all).savesAndEnds(), "saves");
}

QTEST_GUILESS_MAIN(RejoinPlanTest)
#include "rejoin_plan_test.moc"
