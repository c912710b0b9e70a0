// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts compute before they draw: pyramids of extremes, pixel columns, smoothing, ticks.
#include "tests/gui/series/noise_points.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/series/series_data.h"
#include "ui/series/smooth_series.h"

#include <QLocale>
#include <QTest>

using namespace trainyard::ui;

namespace {

Extent bruteForce(const std::vector<PlotPoint>& points, std::size_t begin, std::size_t end) {
    Extent extent;
    for (std::size_t i = begin; i < end; ++i) extent.add(points[i].value);
    return extent;
}

bool same(const Extent& a, const Extent& b) {
    if (a.isEmpty() || b.isEmpty()) return a.isEmpty() && b.isEmpty();
    return a.first == b.first && a.min == b.min && a.max == b.max && a.last == b.last;
}

} // namespace

class SeriesDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Minus signs and exponents of the locale C changed with Qt 6.8.
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void pyramidEqualsBruteForce_data();
    void pyramidEqualsBruteForce();
    void truncatedSeriesEqualsAFreshOne();
    void repeatedStepReplacesWhatFollowed();
    void pointsOfOneStepStandInTheOrderOfTheirTimes();
    void snapshotIsNotChangedByItsOriginal();
    void lowerBoundFindsTheSameFromEveryHint_data();
    void lowerBoundFindsTheSameFromEveryHint();
    void aStepFarAwayIsTakenBack();
    void countOutsideCountsEveryPoint();
    void columnsKeepMinAndMaxOfEveryPixel_data();
    void columnsKeepMinAndMaxOfEveryPixel();
    void columnsOfTheFrameBeforeAreStillRight();
    void columnsAlignedToBlocksKeepEveryPoint_data();
    void columnsAlignedToBlocksKeepEveryPoint();
    void endsOfColumnsAreTheirLastValues();
    void notFiniteValuesBecomeGaps();
    void smoothingIsTheDebiasedAverage_data();
    void smoothingIsTheDebiasedAverage();
    void smoothingFollowsATruncation();
    void onlyNoisySeriesAreSmoothed_data();
    void onlyNoisySeriesAreSmoothed();
    void valuesOfAnySizeAreReadable_data();
    void valuesOfAnySizeAreReadable();
    void ticksAreRoundAndInside_data();
    void ticksAreRoundAndInside();
};

void SeriesDataTest::pyramidEqualsBruteForce_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 15, 16, 17, 255, 256, 257, 4096, 5000, 70001})
        QTest::newRow(qPrintable(QString::number(count))) << count;
}

void SeriesDataTest::pyramidEqualsBruteForce() {
    QFETCH(int, count);
    auto points = noise(static_cast<std::size_t>(count));
    if (points.size() > 100) {
        points[40].value = std::nan("");
        points[41].value = std::numeric_limits<double>::infinity();
    }
    const SeriesData series = seriesOf(points);
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        std::size_t begin = random() % (points.size() + 1);
        std::size_t end = random() % (points.size() + 1);
        if (begin > end) std::swap(begin, end);
        QVERIFY(same(series.reduce(begin, end), bruteForce(points, begin, end)));
    }
    QVERIFY(same(series.reduce(0, points.size()), bruteForce(points, 0, points.size())));
}

void SeriesDataTest::truncatedSeriesEqualsAFreshOne() {
    const auto points = noise(9000);
    for (const std::size_t keep : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{17}, std::size_t{1024},
                                   std::size_t{4097}, std::size_t{8999}}) {
        SeriesData series = seriesOf(points);
        const quint64 before = series.generation();
        series.truncateAfter(keep == 0 ? -1 : points[keep - 1].step);
        QCOMPARE(series.size(), keep);
        QVERIFY(series.generation() != before);
        const auto more = noise(3000, 5, points[keep].step);
        series.append(more);
        std::vector<PlotPoint> expected(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(keep));
        expected.insert(expected.end(), more.begin(), more.end());
        QCOMPARE(series.size(), expected.size());
        for (std::size_t begin = 0; begin < expected.size(); begin += 509)
            QVERIFY(same(series.reduce(begin, expected.size()), bruteForce(expected, begin, expected.size())));
    }
}

void SeriesDataTest::repeatedStepReplacesWhatFollowed() {
    SeriesData series = seriesOf(noise(100, 1, 0, 10));
    const std::vector<PlotPoint> again{{500, 5, 125, 42}, {510, 5.1, 127.5, 43}};
    series.append(again);
    QCOMPARE(series.size(), std::size_t{52});
    QCOMPARE(series.at(50).value, 42.0);
    QCOMPARE(series.at(51).step, qint64{510});
}

// What is measured by the clock goes on while no step is made.
void SeriesDataTest::pointsOfOneStepStandInTheOrderOfTheirTimes() {
    SeriesData series;
    series.append(std::vector<PlotPoint>{{10, 1, 5, 1}, {10, 1, 6, 2}, {10, 1, 7, 3}});
    QCOMPARE(series.size(), std::size_t{3});
    QCOMPARE(series.lowerBound(XMode::RelativeTime, 6), std::size_t{1});
    series.append(std::vector<PlotPoint>{{10, 1, 7, 4}}); // at no later time: it is the step anew
    QCOMPARE(series.size(), std::size_t{1});
    QCOMPARE(series.at(0).value, 4.0);
}

void SeriesDataTest::snapshotIsNotChangedByItsOriginal() {
    const auto points = noise(1500);
    SeriesData series = seriesOf(points);
    const SeriesData snapshot = series;
    series.truncateAfter(points[700].step);
    series.append(noise(2000, 9, points[700].step + 1));
    QCOMPARE(snapshot.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        QCOMPARE(snapshot.value(i), points[i].value);
        QCOMPARE(snapshot.at(i).step, points[i].step);
    }
}

void SeriesDataTest::lowerBoundFindsTheSameFromEveryHint_data() {
    QTest::addColumn<qint64>("late"); // by how much the points from number 1,500 on come late
    QTest::newRow("equal steps") << qint64{0};
    QTest::newRow("a step of another length") << qint64{1};
    QTest::newRow("a step of more than 32 bits") << qint64{6'000'000'000};
}

void SeriesDataTest::lowerBoundFindsTheSameFromEveryHint() {
    QFETCH(qint64, late);
    auto points = noise(2500);
    for (std::size_t i = 1500; i < points.size(); ++i) points[i].step += late;
    const SeriesData series = seriesOf(points);
    for (std::size_t i = 0; i < points.size(); ++i) QCOMPARE(series.at(i).step, points[i].step);
    for (double x = -10; x < 7600; x += 37.3) {
        const double target = x > 4500 ? x + static_cast<double>(late) : x;
        std::size_t expected = 0;
        while (expected < points.size() && static_cast<double>(points[expected].step) < target) ++expected;
        for (std::size_t hint = 0; hint <= points.size(); hint += 311)
            QCOMPARE(series.lowerBound(XMode::Step, target, hint), expected);
    }
    QCOMPARE(series.nearest(XMode::Step, 4.4), std::size_t{1});
    QCOMPARE(series.nearest(XMode::Step, 4.6), std::size_t{2});
    QCOMPARE(series.nearest(XMode::RelativeTime, 1e9), points.size() - 1);
}

void SeriesDataTest::aStepFarAwayIsTakenBack() {
    SeriesData series = seriesOf(noise(100));
    const PlotPoint far{9'000'000'000, 1, 1e6, 5};
    series.append(std::span(&far, 1));
    const SeriesData snapshot = series;
    series.append(noise(1000, 2, 150, 1));
    QCOMPARE(series.size(), std::size_t{50 + 1000});
    QCOMPARE(series.at(49).step, qint64{147});
    QCOMPARE(series.at(1049).step, qint64{1149});
    QCOMPARE(snapshot.at(100).step, far.step);
}

void SeriesDataTest::countOutsideCountsEveryPoint() {
    auto points = noise(20000);
    points[10].value = points[11].value = points[19000].value = 100;
    points[500].value = -100;
    const SeriesData series = seriesOf(points);
    QCOMPARE(series.countOutside(0, points.size(), -50, 50), std::make_pair(3UL, 1UL));
    QCOMPARE(series.countOutside(11, 400, -50, 50), std::make_pair(1UL, 0UL));
    QCOMPARE(series.countOutside(0, points.size(), -50, -40, 100).first, 100UL);
}

void SeriesDataTest::columnsKeepMinAndMaxOfEveryPixel_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<int>("mode");
    QTest::newRow("all, step") << 300 << 0.0 << 60000.0 << 0;
    QTest::newRow("part, step") << 517 << 12345.6 << 23456.7 << 0;
    QTest::newRow("part, epoch") << 100 << 33.3 << 444.4 << 1;
    QTest::newRow("part, time") << 256 << 100.0 << 9000.0 << 2;
    QTest::newRow("fewer points than pixels") << 800 << 1000.0 << 1500.0 << 0;
}

void SeriesDataTest::columnsKeepMinAndMaxOfEveryPixel() {
    QFETCH(int, columns);
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(int, mode);
    const auto points = noise(20000);
    const SeriesData series = seriesOf(points);
    const ColumnGrid grid{static_cast<XMode>(mode), from, to, columns, false};
    const auto reduced = reduceToColumns(series, grid);
    std::vector<Extent> expected(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = series.x(grid.mode, i);
        if (x < from || x > to) continue;
        int column = columns - 1; // the last edge that is not right of x
        while (column > 0 && from + (to - from) * (static_cast<double>(column) / columns) > x) --column;
        expected[static_cast<std::size_t>(column)].add(points[i].value);
    }
    std::size_t next = 0;
    if (!reduced.empty() && reduced.front().xLast < from) next = 1; // the neighbour outside
    for (const Extent& extent : expected) {
        if (!extent.isEmpty()) {
            QVERIFY(next < reduced.size());
            QVERIFY(same(reduced[next].extent, extent));
            ++next;
        }
    }
    QVERIFY(reduced.size() - next <= 1);
    QVERIFY(reduced.size() <= static_cast<std::size_t>(columns) + 2);
}

// A plot that is moved, drawn wider, gets new points, other x and fewer points.
// Feature: charts of many runs at every frame: the columns of the frame before, curves painted side by side, the run
// that is pointed at over the others. Also in curve_layer_test, hidden_chart_test, live_chart_test, plot_axis_test,
// plots_test.
void SeriesDataTest::columnsOfTheFrameBeforeAreStillRight() {
    auto points = noise(20000);
    points[7000].value = std::nan("");
    SeriesData series = seriesOf(points);
    ColumnCache cache;
    const auto compare = [&](const ColumnGrid& grid) {
        const auto& columns = cache.reduce(series, grid.mode, columnBounds(series, grid));
        const auto fresh = reduceToColumns(series, grid);
        QCOMPARE(columns.size(), fresh.size());
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            QVERIFY(same(columns[i].extent, fresh[i].extent));
            QCOMPARE(columns[i].xFirst, fresh[i].xFirst);
            QCOMPARE(columns[i].xLast, fresh[i].xLast);
            QCOMPARE(columns[i].count, fresh[i].count);
        }
    };
    for (const double moved : {0.0, 60.0, 90.0, 105.0, -300.0, 20000.0})
        compare({XMode::Step, 12000 + moved, 24000 + moved, 400, false});
    compare({XMode::Step, 0, 61000, 400, false});
    series.append(noise(500, 9, points.back().step + 3));
    compare({XMode::Step, 0, 61000, 400, false});
    compare({XMode::RelativeTime, 0, 61000, 400, false});
    compare({XMode::Step, 0, 61000, 400, false});
    series.truncateAfter(30000);
    series.append(noise(5000, 3, 30010));
    compare({XMode::Step, 0, 61000, 400, false});
}

void SeriesDataTest::columnsAlignedToBlocksKeepEveryPoint_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("columns");
    QTest::addColumn<std::size_t>("block");
    QTest::newRow("few points a column") << 2000 << 400 << std::size_t{1};
    QTest::newRow("blocks of 8") << 20000 << 400 << std::size_t{8};
    QTest::newRow("blocks of 64") << 20000 << 60 << std::size_t{64};
    QTest::newRow("blocks of 512") << 70001 << 20 << std::size_t{512};
    QTest::newRow("one column") << 20000 << 1 << std::size_t{1};
}

void SeriesDataTest::columnsAlignedToBlocksKeepEveryPoint() {
    constexpr double kSlack = 0.25;
    QFETCH(int, count);
    QFETCH(int, columns);
    QFETCH(std::size_t, block);
    auto points = noise(static_cast<std::size_t>(count));
    for (std::size_t i = 900; i < 1900; ++i) points[i].value = std::nan("");
    const SeriesData series = seriesOf(points);
    const auto exact = columnBounds(series, {XMode::Step, 0, static_cast<double>(points.back().step), columns, false});
    auto bounds = exact;
    QCOMPARE(alignToBlocks(bounds, kSlack), block);
    QCOMPARE(bounds == exact, block == 1);
    QCOMPARE(bounds.size(), exact.size());
    QCOMPARE(bounds.front(), exact.front());
    QCOMPARE(bounds.back(), exact.back());
    const Columns reduced = roughColumns(series, XMode::Step, bounds, block);
    QCOMPARE(reduced.size(), bounds.size() - 1);
    for (std::size_t i = 0; i < reduced.size(); ++i) {
        QVERIFY(bounds[i] >= exact[i]);
        QVERIFY(static_cast<double>(bounds[i] - exact[i]) <= kSlack * static_cast<double>(exact[i + 1] - exact[i]));
        const Extent all = bruteForce(points, bounds[i], bounds[i + 1]);
        const Extent& extent = reduced[i].extent;
        QCOMPARE(extent.isEmpty(), all.isEmpty());
        QCOMPARE(reduced[i].count, bounds[i + 1] - bounds[i]);
        if (all.isEmpty()) continue;
        QCOMPARE(extent.min, all.min);
        QCOMPARE(extent.max, all.max);
        QVERIFY(extent.first >= all.min && extent.first <= all.max);
        QVERIFY(extent.last >= all.min && extent.last <= all.max);
    }
}

void SeriesDataTest::endsOfColumnsAreTheirLastValues() {
    auto points = noise(1000, 1, 0, 1);
    points[199].value = std::nan("");
    for (std::size_t i = 300; i < 400; ++i) points[i].value = std::nan("");
    const SeriesData series = seriesOf(points);
    const ColumnGrid grid{XMode::Step, 0, 1000, 10, false};
    const auto ends = endsOfColumns(series, series, grid.mode, columnBounds(series, grid));
    QCOMPARE(ends.size(), std::size_t{10});
    QCOMPARE(ends[0].extent.last, points[99].value);
    QCOMPARE(ends[1].extent.last, points[198].value);
    QVERIFY(ends[3].extent.isEmpty());
}

void SeriesDataTest::notFiniteValuesBecomeGaps() {
    std::vector<PlotPoint> points = noise(100, 1, 0, 1);
    for (std::size_t i = 40; i < 60; ++i) points[i].value = std::nan("");
    const SeriesData series = seriesOf(points);
    const auto reduced = reduceToColumns(series, {XMode::Step, 0, 99, 10, false});
    int gaps = 0;
    for (const Column& column : reduced) gaps += column.extent.isEmpty() ? 1 : 0;
    QCOMPARE(gaps, 2);
    QVERIFY(std::isnan(series.value(45)));
}

void SeriesDataTest::smoothingIsTheDebiasedAverage_data() {
    QTest::addColumn<double>("weight");
    for (const double weight : {0.1, 0.6, 0.93, 0.999}) QTest::newRow(qPrintable(QString::number(weight))) << weight;
}

void SeriesDataTest::smoothingIsTheDebiasedAverage() {
    QFETCH(double, weight);
    auto points = noise(3000);
    points[7].value = std::nan("");
    SeriesData series;
    SmoothSeries smooth(weight);
    for (std::size_t from = 0; from < points.size(); from += 500) { // in parts, as a run logs
        series.append(std::span(points).subspan(from, 500));
        smooth.follow(series);
    }
    QCOMPARE(smooth.size(), points.size());
    QVERIFY(std::isnan(smooth.value(7)));
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{1}, std::size_t{6}, std::size_t{8}, std::size_t{500}, std::size_t{2999}}) {
        double sum = 0;
        double mass = 0;
        double factor = 1 - weight;
        for (std::size_t i = at + 1; i-- > 0;) {
            if (std::isfinite(points[i].value)) {
                sum += factor * points[i].value;
                mass += factor;
                factor *= weight;
            }
        }
        const double expected = sum / mass;
        QVERIFY2(std::abs(smooth.value(at) - expected) < 1e-5 * std::max(1.0, std::abs(expected)),
                 qPrintable(QStringLiteral("%1: %2, not %3").arg(at).arg(smooth.value(at)).arg(expected)));
    }
    QVERIFY(std::abs(smooth.value(0) - points[0].value) < 1e-6);
}

// Feature: what a chart smooths, and what it draws as it is; colours of runs; values of any size. Also in theme_test.
void SeriesDataTest::onlyNoisySeriesAreSmoothed_data() {
    QTest::addColumn<QString>("series");
    QTest::addColumn<bool>("noisy");
    for (const char* noisy : {"train/loss", "train/accuracy", "grad_norm", "samples_per_s", "time/step", "lrate"})
        QTest::newRow(noisy) << QString::fromLatin1(noisy) << true;
    for (const char* exact : {"lr", "val/loss", "val/accuracy", "test/accuracy"})
        QTest::newRow(exact) << QString::fromLatin1(exact) << false;
}

void SeriesDataTest::onlyNoisySeriesAreSmoothed() {
    QFETCH(QString, series);
    QTEST(isNoisy(series), "noisy");
}

void SeriesDataTest::valuesOfAnySizeAreReadable_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("thousands") << 12345.0 << "12.3k";
    QTest::newRow("millions of millions") << 5.125e15 << "5,125.0T";
    QTest::newRow("a loss that diverged") << 5.125596838456e18 << "5.126e+18";
    QTest::newRow("and below zero") << -2e30 << "-2e+30";
}

void SeriesDataTest::valuesOfAnySizeAreReadable() {
    QFETCH(double, value);
    QTEST(formatValue(value, 2), "text");
}

void SeriesDataTest::smoothingFollowsATruncation() {
    const auto points = noise(1000);
    SeriesData series = seriesOf(points);
    SmoothSeries smooth(0.9);
    smooth.follow(series);
    const double before = smooth.value(499);
    series.truncateAfter(points[499].step);
    QVERIFY(!smooth.matches(series));
    smooth.follow(series);
    QCOMPARE(smooth.size(), std::size_t{500});
    QCOMPARE(smooth.value(499), before);
}

void SeriesDataTest::ticksAreRoundAndInside_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("steps") << 0 << 0.0 << 14200.0 << QStringList{"0", "4k", "8k", "12k"};
    QTest::newRow("small") << 0 << 0.0 << 0.1 << QStringList{"0.00", "0.02", "0.04", "0.06", "0.08", "0.10"};
    QTest::newRow("loss") << 1 << 0.04 << 2.2 << QStringList{"0.05", "0.1", "0.2", "0.5", "1", "2"};
    QTest::newRow("a loss that runs away") << 1 << 1.0 << 1.5e12 << QStringList{"1", "1,000", "1M", "1G", "1T"};
    QTest::newRow("decades") << 1 << 1e-9 << 1.5 << QStringList();
    QTest::newRow("minutes") << 2 << 0.0 << 600.0 << QStringList{"0 s", "2:00", "4:00", "6:00", "8:00", "10:00"};
}

void SeriesDataTest::ticksAreRoundAndInside() {
    QFETCH(int, kind);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QStringList, labels);
    const int count = kind == 2 ? 6 : 4;
    const auto ticks = kind == 0   ? linearTicks(low, high, labels.size() > 4 ? 6 : count)
                       : kind == 1 ? logTicks(low, high, 6)
                                   : timeTicks(low, high, count);
    QVERIFY(ticks.size() >= 2);
    QVERIFY(ticks.size() <= 12);
    QStringList made;
    for (const Tick& tick : ticks) {
        QVERIFY(tick.position >= low * 0.999 - 1e-12 && tick.position <= high * 1.001);
        made << tick.label;
    }
    if (!labels.isEmpty()) QCOMPARE(made, labels);
}

QTEST_GUILESS_MAIN(SeriesDataTest)
#include "series_data_test.moc"
