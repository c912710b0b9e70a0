// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and standard deviation over runs, and what a log x axis does with x = 0.
#include "tests/gui/series/noise_points.h"
#include "ui/series/run_band.h"
#include "ui/series/smooth_series.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace trainyard::ui;

namespace {

// A run by its steps and values.
SeriesData runOf(std::initializer_list<std::pair<qint64, double>> values) {
    SeriesData series;
    for (const auto& [step, value] : values) {
        const PlotPoint point{step, static_cast<double>(step), static_cast<double>(step), value};
        series.append(std::span(&point, 1));
    }
    return series;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

} // namespace

class RunBandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every point of the band against the textbook's two passes over the same values.
    void equalsADirectComputation_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<double>("offset");
        QTest::newRow("two runs") << 2 << 0.0;
        QTest::newRow("seven runs") << 7 << 0.0;
        QTest::newRow("far from 0, where a sum of squares loses every digit") << 5 << 1e9;
    }
    void equalsADirectComputation() {
        QFETCH(int, runs);
        QFETCH(double, offset);
        std::vector<std::vector<PlotPoint>> points;
        std::vector<SeriesData> series;
        for (int i = 0; i < runs; ++i) {
            points.push_back(noise(500, static_cast<unsigned>(i + 1), 0, 1));
            for (PlotPoint& point : points.back()) point.value += offset;
            series.push_back(seriesOf(points.back()));
        }
        std::vector<BandRun> band;
        for (const SeriesData& each : series) band.push_back({&each, &each});
        const auto made = bandOver(band, {XMode::Step, 0, 499, 499, false});
        QCOMPARE(made.size(), std::size_t{500});
        for (std::size_t step = 0; step < made.size(); ++step) {
            double mean = 0;
            for (const auto& run : points) mean += run[step].value / runs;
            double squares = 0;
            for (const auto& run : points) squares += (run[step].value - mean) * (run[step].value - mean);
            const double deviation = std::sqrt(squares / (runs - 1));
            QCOMPARE(made[step].runs, runs);
            QVERIFY(close(made[step].mean, mean));
            QVERIFY2(std::abs(made[step].deviation - deviation) < 1e-6,
                     qPrintable(QStringLiteral("%1, not %2").arg(made[step].deviation).arg(deviation)));
        }
    }

    void whichRunsCount_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<int>("runs");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        const double none = std::nan("");
        QTest::newRow("at a point of both") << 0.0 << 2 << 2.0 << std::sqrt(2.0);
        QTest::newRow("between two points") << 5.0 << 2 << 4.5 << std::sqrt(0.5);
        QTest::newRow("where one has ended") << 15.0 << 1 << 10.0 << none;
        QTest::newRow("before all") << -1.0 << 0 << 0.0 << none;
        QTest::newRow("beyond all") << 21.0 << 0 << 0.0 << none;
    }
    void whichRunsCount() {
        QFETCH(double, x);
        QFETCH(int, runs);
        QFETCH(double, mean);
        QFETCH(double, deviation);
        const SeriesData first = runOf({{0, 1}, {10, 9}, {20, 11}});
        const SeriesData second = runOf({{0, 3}, {10, 5}});
        const std::vector<BandRun> band{{&first, &first}, {&second, &second}};
        const BandPoint point = bandAt(band, XMode::Step, x);
        QCOMPARE(point.runs, runs);
        QVERIFY(close(point.mean, mean));
        QCOMPARE(std::isnan(point.deviation), std::isnan(deviation));
        if (!std::isnan(deviation)) QVERIFY(close(point.deviation, deviation));
    }

    void aGapOfARunDoesNotCount() {
        const SeriesData first = runOf({{0, 1}, {10, std::nan("")}, {20, 1}});
        const SeriesData second = runOf({{0, 2}, {20, 2}});
        const std::vector<BandRun> band{{&first, &first}, {&second, &second}};
        QCOMPARE(bandAt(band, XMode::Step, 0).runs, 2);
        QCOMPARE(bandAt(band, XMode::Step, 5).runs, 1);
        QCOMPARE(bandAt(band, XMode::Step, 20).runs, 2);
    }

    void noLineComesFromStepZeroOfALogAxis() {
        const SeriesData first = runOf({{0, 1}, {10, 2}, {20, 3}});
        const std::vector<BandRun> band{{&first, &first}, {&first, &first}};
        QCOMPARE(bandAt(band, XMode::Step, 5, false).runs, 2);
        QCOMPARE(bandAt(band, XMode::Step, 5, true).runs, 0);
        QCOMPARE(bandAt(band, XMode::Step, 10, true).runs, 2);
        QVERIFY(close(bandAt(band, XMode::Step, 15, true).mean, 2.5));
        const auto points = bandOver(band, {XMode::Step, 5, 20, 2, true});
        QCOMPARE(points[0].runs, 0);
        QCOMPARE(points[1].runs, 2); // at 10
    }

    void averagesAreTakenOfTheSmoothedValues() {
        const SeriesData first = seriesOf(noise(100, 1, 0, 1));
        const SeriesData second = seriesOf(noise(100, 2, 0, 1));
        SmoothSeries a(0.9), b(0.9);
        a.follow(first);
        b.follow(second);
        const std::vector<BandRun> band{{&first, &a}, {&second, &b}};
        QVERIFY(close(bandAt(band, XMode::Step, 40).mean, (a.value(40) + b.value(40)) / 2));
    }

    // Equal columns in log x; a point at or below 0 has no place, and no line comes from there.
    void columnsOfALogAxisLeaveOutStepZero() {
        const SeriesData series = runOf({{0, 5}, {10, 4}, {100, 3}, {1000, 2}});
        const auto columns = reduceToColumns(series, {XMode::Step, 10, 1000, 2, true});
        QCOMPARE(columns.size(), std::size_t{2});
        QCOMPARE(columns[0].xFirst, 10.0);
        QCOMPARE(columns[1].xFirst, 100.0);
        QCOMPARE(columns[1].count, std::size_t{2});
        const auto zoomed = reduceToColumns(series, {XMode::Step, 50, 1000, 4, true});
        QCOMPARE(zoomed.front().xFirst, 10.0); // the neighbour outside has a place
    }
};

QTEST_GUILESS_MAIN(RunBandTest)
#include "run_band_test.moc"
