// SPDX-License-Identifier: GPL-3.0-or-later
// The points of a rank that may not be in the store.
#include "engine/torch/group/unstored_points.h"
#include "tests/unit/torch/group/point_at.h"

#include <QTest>

using namespace trainyard;
using train::UnstoredPoints;
using trainyard::test::pointAt;

class UnstoredPointsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatTheStoreMayLack();
    void forgetsWhatIsVoid();
    void thinsOutALongSeries();
};

namespace {

std::vector<std::int64_t> stepsOf(const UnstoredPoints& points, const std::string& series) {
    std::vector<std::int64_t> steps;
    if (const auto found = points.series().find(series); found != points.series().end())
        for (const auto& point : found->second) steps.push_back(point.step);
    return steps;
}

} // namespace

void UnstoredPointsTest::keepsWhatTheStoreMayLack() {
    UnstoredPoints points;
    for (const std::int64_t step : {1, 2, 3}) {
        points.add("train/loss", pointAt(step));
        points.add("lr", pointAt(step));
    }
    points.add("val/loss", pointAt(2)); // of a step before
    points.storedBefore(2);
    QCOMPARE(points.storedCount(), std::uint64_t{2});
    QCOMPARE(stepsOf(points, "train/loss"), (std::vector<std::int64_t>{2, 3}));
    points.storedBefore(3);
    QCOMPARE(points.storedCount(), std::uint64_t{4});
    QVERIFY(!points.series().contains("val/loss"));
    points.storedBefore(3);
    QCOMPARE(stepsOf(points, "lr"), (std::vector<std::int64_t>{3}));
    points.storedBefore(100);
    QCOMPARE(points.storedCount(), std::uint64_t{7});
    QVERIFY(points.series().empty());
}

void UnstoredPointsTest::forgetsWhatIsVoid() {
    UnstoredPoints points;
    for (const std::int64_t step : {5, 6, 7}) points.add("train/loss", pointAt(step));
    points.voidAfter(5);
    QCOMPARE(stepsOf(points, "train/loss"), (std::vector<std::int64_t>{5}));
    points.add("train/loss", pointAt(6));
    points.storedBefore(6);
    QCOMPARE(stepsOf(points, "train/loss"), (std::vector<std::int64_t>{6}));
    QCOMPARE(points.storedCount(), std::uint64_t{1});
}

void UnstoredPointsTest::thinsOutALongSeries() {
    UnstoredPoints points;
    const auto last = static_cast<std::int64_t>(train::kPointsKept) * 3;
    for (std::int64_t step = 1; step <= last; ++step) points.add("train/loss", pointAt(step));
    const auto& kept = points.series().at("train/loss");
    QVERIFY(kept.size() <= train::kPointsKept);
    QCOMPARE(kept.back().step, last);
}

QTEST_GUILESS_MAIN(UnstoredPointsTest)
#include "unstored_points_test.moc"
