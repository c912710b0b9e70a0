// SPDX-License-Identifier: GPL-3.0-or-later
// Long because: all tests of the charts share one group of cards, its data and the helpers that read its pixels.
#include "ui/plots/axis_ticks.h"
#include "ui/plots/metric_card.h"
#include "ui/plots/plot_group.h"
#include "ui/plots/series_data.h"
#include "ui/plots/smooth_series.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <random>

using namespace trainyard::ui;

namespace {

std::vector<PlotPoint> noise(std::size_t count, unsigned seed = 1, qint64 firstStep = 0,
                             qint64 stride = 3) {
    std::mt19937 random(seed);
    std::normal_distribution<double> value;
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < count; ++i) {
        const auto step = firstStep + static_cast<qint64>(i) * stride;
        points.push_back({step, static_cast<double>(step) / 100, static_cast<double>(step) * 0.25,
                          value(random)});
    }
    return points;
}

SeriesData seriesOf(const std::vector<PlotPoint>& points) {
    SeriesData series;
    series.append(points);
    return series;
}

Extent bruteForce(const std::vector<PlotPoint>& points, std::size_t begin, std::size_t end) {
    Extent extent;
    for (std::size_t i = begin; i < end; ++i) {
        extent.add(points[i].value);
    }
    return extent;
}

bool same(const Extent& a, const Extent& b) {
    if (a.isEmpty() || b.isEmpty()) {
        return a.isEmpty() && b.isEmpty();
    }
    return a.first == b.first && a.min == b.min && a.max == b.max && a.last == b.last;
}

QWidget* canvasOf(MetricCard& card) {
    for (QWidget* child : card.findChildren<QWidget*>()) {
        if (qstrcmp(child->metaObject()->className(), "QCustomPlot") == 0) {
            return child;
        }
    }
    return nullptr;
}

int colored(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixelColor(x, y) == color ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

class PlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pyramidEqualsBruteForce_data();
    void pyramidEqualsBruteForce();
    void truncatedSeriesEqualsAFreshOne();
    void repeatedStepReplacesWhatFollowed();
    void snapshotIsNotChangedByItsOriginal();
    void lowerBoundFindsTheSameFromEveryHint();
    void countOutsideCountsEveryPoint();
    void columnsKeepMinAndMaxOfEveryPixel_data();
    void columnsKeepMinAndMaxOfEveryPixel();
    void notFiniteValuesBecomeGaps();
    void smoothingIsTheDebiasedAverage_data();
    void smoothingIsTheDebiasedAverage();
    void smoothingFollowsATruncation();
    void ticksAreRoundAndInside_data();
    void ticksAreRoundAndInside();
    void cardDrawsTheCurveInItsColor();
    void cardShowsTheChecklistUntilTheFirstPoint();
    void zoomSurvivesNewPoints();
    void wheelZoomsAroundThePointer();
    void dragZoomsAndDoubleClickFits();
    void pointerMovesTheCrosshairOfEveryCard();
    void largeSmoothingRunsInAWorkerAndArrives();
    void truncateAfterDropsPointsAndRedraws();
    void leavingRunsKeepPointsWhenAsked();
    void csvHoldsEveryPoint();
    void exportsWritePictures_data();
    void exportsWritePictures();
    void failedExportNamesTheFile();
};

void PlotsTest::pyramidEqualsBruteForce_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 15, 16, 17, 255, 256, 257, 4096, 5000, 70001}) {
        QTest::newRow(qPrintable(QString::number(count))) << count;
    }
}

void PlotsTest::pyramidEqualsBruteForce() {
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
        if (begin > end) {
            std::swap(begin, end);
        }
        QVERIFY(same(series.reduce(begin, end), bruteForce(points, begin, end)));
    }
    QVERIFY(same(series.reduce(0, points.size()), bruteForce(points, 0, points.size())));
}

void PlotsTest::truncatedSeriesEqualsAFreshOne() {
    const auto points = noise(9000);
    for (const std::size_t keep : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{17},
                                   std::size_t{1024}, std::size_t{4097}, std::size_t{8999}}) {
        SeriesData series = seriesOf(points);
        const quint64 before = series.generation();
        series.truncateAfter(keep == 0 ? -1 : points[keep - 1].step);
        QCOMPARE(series.size(), keep);
        QVERIFY(series.generation() != before);
        const auto more = noise(3000, 5, points[keep].step);
        series.append(more);
        std::vector<PlotPoint> expected(points.begin(),
                                        points.begin() + static_cast<std::ptrdiff_t>(keep));
        expected.insert(expected.end(), more.begin(), more.end());
        QCOMPARE(series.size(), expected.size());
        for (std::size_t begin = 0; begin < expected.size(); begin += 509) {
            QVERIFY(same(series.reduce(begin, expected.size()),
                         bruteForce(expected, begin, expected.size())));
        }
    }
}

void PlotsTest::repeatedStepReplacesWhatFollowed() {
    SeriesData series = seriesOf(noise(100, 1, 0, 10));
    const std::vector<PlotPoint> again{{500, 5, 125, 42}, {510, 5.1, 127.5, 43}};
    series.append(again);
    QCOMPARE(series.size(), std::size_t{52});
    QCOMPARE(series.at(50).value, 42.0);
    QCOMPARE(series.at(51).step, qint64{510});
}

void PlotsTest::snapshotIsNotChangedByItsOriginal() {
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

void PlotsTest::lowerBoundFindsTheSameFromEveryHint() {
    const auto points = noise(2500);
    const SeriesData series = seriesOf(points);
    for (double x = -10; x < 7600; x += 37.3) {
        std::size_t expected = 0;
        while (expected < points.size() && static_cast<double>(points[expected].step) < x) {
            ++expected;
        }
        for (std::size_t hint = 0; hint <= points.size(); hint += 311) {
            QCOMPARE(series.lowerBound(XMode::Step, x, hint), expected);
        }
    }
    QCOMPARE(series.nearest(XMode::Step, 4.4), std::size_t{1});
    QCOMPARE(series.nearest(XMode::Step, 4.6), std::size_t{2});
    QCOMPARE(series.nearest(XMode::RelativeTime, 1e9), points.size() - 1);
}

void PlotsTest::countOutsideCountsEveryPoint() {
    auto points = noise(20000);
    points[10].value = points[11].value = points[19000].value = 100;
    points[500].value = -100;
    const SeriesData series = seriesOf(points);
    QCOMPARE(series.countOutside(0, points.size(), -50, 50), std::make_pair(3UL, 1UL));
    QCOMPARE(series.countOutside(11, 400, -50, 50), std::make_pair(1UL, 0UL));
    QCOMPARE(series.countOutside(0, points.size(), -50, -40, 100).first, 100UL);
}

void PlotsTest::columnsKeepMinAndMaxOfEveryPixel_data() {
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

void PlotsTest::columnsKeepMinAndMaxOfEveryPixel() {
    QFETCH(int, columns);
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(int, mode);
    const auto points = noise(20000);
    const SeriesData series = seriesOf(points);
    const ColumnGrid grid{static_cast<XMode>(mode), from, to, columns, false};
    const auto reduced = reduceToColumns(series, series, grid);
    std::vector<Extent> expected(static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = series.x(grid.mode, i);
        if (x < from || x > to) {
            continue;
        }
        int column = columns - 1;  // the last edge that is not right of x
        while (column > 0 && from + (to - from) * (static_cast<double>(column) / columns) > x) {
            --column;
        }
        expected[static_cast<std::size_t>(column)].add(points[i].value);
    }
    std::size_t next = 0;
    if (!reduced.empty() && reduced.front().xLast < from) {
        next = 1;  // the neighbour outside
    }
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

void PlotsTest::notFiniteValuesBecomeGaps() {
    std::vector<PlotPoint> points = noise(100, 1, 0, 1);
    for (std::size_t i = 40; i < 60; ++i) {
        points[i].value = std::nan("");
    }
    const SeriesData series = seriesOf(points);
    const auto reduced = reduceToColumns(series, series, {XMode::Step, 0, 99, 10, false});
    int gaps = 0;
    for (const Column& column : reduced) {
        gaps += column.extent.isEmpty() ? 1 : 0;
    }
    QCOMPARE(gaps, 2);
    QVERIFY(std::isnan(series.value(45)));
}

void PlotsTest::smoothingIsTheDebiasedAverage_data() {
    QTest::addColumn<double>("weight");
    for (const double weight : {0.1, 0.6, 0.93, 0.999}) {
        QTest::newRow(qPrintable(QString::number(weight))) << weight;
    }
}

void PlotsTest::smoothingIsTheDebiasedAverage() {
    QFETCH(double, weight);
    auto points = noise(3000);
    points[7].value = std::nan("");
    SeriesData series;
    SmoothSeries smooth(weight);
    for (std::size_t from = 0; from < points.size(); from += 500) {  // in parts, as a run logs
        series.append(std::span(points).subspan(from, 500));
        smooth.follow(series);
    }
    QCOMPARE(smooth.size(), points.size());
    QVERIFY(std::isnan(smooth.value(7)));
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{6}, std::size_t{8},
                                 std::size_t{500}, std::size_t{2999}}) {
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

void PlotsTest::smoothingFollowsATruncation() {
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

void PlotsTest::ticksAreRoundAndInside_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("steps") << 0 << 0.0 << 14200.0 << QStringList{"0", "4k", "8k", "12k"};
    QTest::newRow("small") << 0 << 0.0 << 0.1 << QStringList{"0.00", "0.02", "0.04", "0.06", "0.08", "0.10"};
    QTest::newRow("loss") << 1 << 0.04 << 2.2 << QStringList{"0.05", "0.1", "0.2", "0.5", "1", "2"};
    QTest::newRow("decades") << 1 << 1e-9 << 1.5 << QStringList();
    QTest::newRow("minutes") << 2 << 0.0 << 600.0 << QStringList{"0 s", "2:00", "4:00", "6:00", "8:00", "10:00"};
}

void PlotsTest::ticksAreRoundAndInside() {
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
    if (!labels.isEmpty()) {
        QCOMPARE(made, labels);
    }
}

void PlotsTest::cardDrawsTheCurveInItsColor() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 1}});
    std::vector<PlotPoint> line;
    for (int i = 0; i < 50; ++i) {
        line.push_back({i, 0, 0, 0.1 * i});
    }
    card.append("a", line);
    card.show();
    QVERIFY(QTest::qWaitForWindowExposed(&card));
    card.refreshNow();
    const QImage image = card.grab().toImage();
    QVERIFY(colored(image, Theme::current().curve(1)) > 100);
    QCOMPARE(colored(image, Theme::current().curve(2)), 0);
    card.setCurves({{"a", "brave-otter", 2}});
    card.refreshNow();
    QVERIFY(colored(card.grab().toImage(), Theme::current().curve(2)) > 100);
}

void PlotsTest::cardShowsTheChecklistUntilTheFirstPoint() {
    PlotGroup group;
    MetricCard card(QStringLiteral("train/loss"), &group);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    card.setChecklist({{"Start 2 workers", StepState::Done, "0.4 s"}, {"First step", StepState::Running, ""}});
    card.show();
    card.refreshNow();
    auto* list = card.findChild<Checklist*>();
    QVERIFY(list->isVisible());
    QVERIFY(!canvasOf(card)->isVisible());
    card.append("a", noise(1));
    card.refreshNow();
    QVERIFY(!list->isVisible());
    QVERIFY(canvasOf(card)->isVisible());
    card.clear();
    card.refreshNow();
    QVERIFY(list->isVisible());
}

void PlotsTest::zoomSurvivesNewPoints() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.setCurves({{"a", "brave-otter", 0}});
    card.append("a", noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    QCOMPARE(group.visibleRange().high, 999.0);
    group.setVisibleRange(100, 200);
    QVERIFY(group.isBehindLive());
    card.append("a", noise(1000, 2, 1000, 1));
    card.refreshNow();
    QCOMPARE(group.visibleRange(), (XRange{100, 200}));
    QCOMPARE(group.fullRange().high, 1999.0);
    auto* jump = card.findChild<QPushButton*>(QStringLiteral("jumpToLive"));
    QVERIFY(jump != nullptr && jump->isVisible());
    jump->click();
    QCOMPARE(group.visibleRange(), (XRange{1899, 1999}));
    card.refreshNow();
    QVERIFY(!jump->isVisible());
    group.fit();
    QVERIFY(!group.isZoomed());
    QCOMPARE(group.visibleRange(), group.fullRange());
}

void PlotsTest::wheelZoomsAroundThePointer() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    card.append("a", noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    QWidget* plot = canvasOf(card);
    const QPointF at(200, 100);
    QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &wheel);
    QVERIFY(group.isZoomed());
    const XRange once = group.visibleRange();
    QVERIFY(once.low > 0 && once.high < 1000 && once.high - once.low > 700);
    QWheelEvent tall(at, plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ShiftModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &tall);
    QCOMPARE(group.visibleRange(), once);
}

void PlotsTest::dragZoomsAndDoubleClickFits() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    card.append("a", noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    QWidget* plot = canvasOf(card);
    QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(100, 100));
    QTest::mouseMove(plot, QPoint(150, 102));
    QTest::mouseMove(plot, QPoint(200, 104));
    QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(200, 104));
    QVERIFY(group.isZoomed());
    const XRange range = group.visibleRange();
    QVERIFY(range.low > 100 && range.high < 600);
    QTest::mouseDClick(plot, Qt::LeftButton, {}, QPoint(150, 100));
    QVERIFY(!group.isZoomed());
}

void PlotsTest::pointerMovesTheCrosshairOfEveryCard() {
    PlotGroup group;
    MetricCard first(QStringLiteral("lr"), &group);
    MetricCard second(QStringLiteral("val/accuracy"), &group);
    for (MetricCard* card : {&first, &second}) {
        card->resize(400, 300);
        card->setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}});
        card->append("a", noise(1000, 1, 0, 1));
        card->append("b", noise(1000, 2, 0, 1));
        card->show();
        card->refreshNow();
    }
    const QImage before = second.grab().toImage();
    QSignalSpy moved(&group, &PlotGroup::crosshairChanged);
    QMouseEvent move(QEvent::MouseMove, QPointF(200, 100), QPointF(200, 100), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(canvasOf(first), &move);
    QVERIFY(moved.count() > 0);
    QVERIFY(group.crosshair() > 300 && group.crosshair() < 600);
    QTRY_VERIFY(second.grab().toImage() != before);
    group.clearCrosshair();
    QVERIFY(std::isnan(group.crosshair()));
}

void PlotsTest::largeSmoothingRunsInAWorkerAndArrives() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    card.append("a", noise(200000, 1, 0, 1));
    card.show();
    card.refreshNow();
    const QColor raw = mix(Theme::current().card, Theme::current().curve(0), 0.30);
    QCOMPARE(colored(card.grab().toImage(), raw), 0);
    group.setSmoothing(0.99);
    QTRY_VERIFY_WITH_TIMEOUT(colored(card.grab().toImage(), raw) > 1000, 5000);
    card.append("a", noise(100, 3, 200000, 1));
    card.refreshNow();
    const int after = colored(card.grab().toImage(), raw);
    QVERIFY2(after > 1000, qPrintable(QString::number(after)));
}

void PlotsTest::truncateAfterDropsPointsAndRedraws() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.setCurves({{"a", "brave-otter", 0}});
    card.append("a", noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    card.truncateAfter("a", 399);
    QCOMPARE(card.series("a")->size(), std::size_t{400});
    card.refreshNow();
    QCOMPARE(group.fullRange().high, 399.0);
    card.truncateAfter("unknown", 1);
    QVERIFY(card.series("unknown") == nullptr);
}

void PlotsTest::leavingRunsKeepPointsWhenAsked() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    card.setCurves({{"a", "one", 0}, {"b", "two", 1}});
    card.append("a", noise(10, 1, 0, 1));
    card.append("b", noise(20, 1, 0, 1));
    card.setCurves({{"b", "two", 1}}, true);
    QVERIFY(card.series("a") == nullptr);
    card.append("a", noise(5, 1, 10, 1));
    card.setCurves({{"a", "one", 0}, {"b", "two", 1}}, true);
    QCOMPARE(card.series("a")->size(), std::size_t{15});
    QCOMPARE(card.series("b")->size(), std::size_t{20});
    card.setCurves({{"b", "two", 1}});
    card.setCurves({{"a", "one", 0}});
    QCOMPARE(card.series("a")->size(), std::size_t{0});
}

void PlotsTest::csvHoldsEveryPoint() {
    QTemporaryDir folder;
    PlotGroup group;
    MetricCard card(QStringLiteral("train/loss"), &group);
    card.setCurves({{"a", "brave-otter", 0}, {"b", "calm, \"finch\"", 1}});
    auto points = noise(2500);
    points[3].value = std::nan("");
    card.append("a", points);
    card.append("b", noise(7, 4));
    const QString path = folder.filePath(QStringLiteral("points.csv"));
    QString result = QStringLiteral("pending");
    card.exportCsv(path, [&](const QString& error) { result = error; });
    QTRY_COMPARE(result, QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 2500 + 7);
    QCOMPARE(lines[0], QByteArray("run,name,series,step,epoch,time_s,value"));
    for (int i = 0; i < 2500; ++i) {
        const QList<QByteArray> fields = lines[i + 1].split(',');
        QCOMPARE(fields.size(), 7);
        const PlotPoint& point = points[static_cast<std::size_t>(i)];
        QCOMPARE(fields[3].toLongLong(), point.step);
        QVERIFY(std::abs(fields[4].toDouble() - point.epoch) < 1e-4);
        QVERIFY(std::abs(fields[5].toDouble() - point.timeSeconds) < 1e-3);
        if (i == 3) {
            QCOMPARE(fields[6], QByteArray("nan"));
        } else {
            QCOMPARE(fields[6].toDouble(), point.value);
        }
    }
    QVERIFY(lines.last().startsWith("b,\"calm, \"\"finch\"\"\",train/loss,18,"));
}

void PlotsTest::exportsWritePictures_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("png") << static_cast<int>(ChartFormat::Png) << "c.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << static_cast<int>(ChartFormat::Svg) << "c.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << static_cast<int>(ChartFormat::Pdf) << "c.pdf" << QByteArray("%PDF");
}

void PlotsTest::exportsWritePictures() {
    QFETCH(int, format);
    QFETCH(QString, name);
    QFETCH(QByteArray, start);
    QTemporaryDir folder;
    PlotGroup group;
    group.setSmoothing(0.6);
    MetricCard card(QStringLiteral("val/accuracy"), &group);
    card.setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}});
    card.append("a", noise(5000));
    card.append("b", noise(50));
    card.show();
    card.refreshNow();
    const QString path = folder.filePath(name);
    QString result = QStringLiteral("pending");
    card.exportChart(path, static_cast<ChartFormat>(format), {800, 500},
                     [&](const QString& error) { result = error; });
    QTRY_COMPARE(result, QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(start));
    QVERIFY(bytes.size() > 2000);
    if (start.contains("PNG")) {
        const QImage image = QImage::fromData(bytes);
        QCOMPARE(image.size(), QSize(1600, 1000));
        QVERIFY(colored(image, Theme::current().curve(0)) > 200);
        QVERIFY(colored(image, Theme::current().curve(1)) > 200);
    }
    if (start.contains("xml")) {
        QVERIFY(bytes.contains("brave-otter"));  // the legend
        QVERIFY(bytes.contains("Step"));         // the axis title
    }
}

void PlotsTest::failedExportNamesTheFile() {
    PlotGroup group;
    MetricCard card(QStringLiteral("lr"), &group);
    QString result = QStringLiteral("pending");
    card.exportCsv(QStringLiteral("/nowhere/at/all.csv"), [&](const QString& error) { result = error; });
    QTRY_VERIFY(result != QLatin1String("pending"));
    QVERIFY(result.contains(QLatin1String("/nowhere/at/all.csv")));
}

int main(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    PlotsTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "plots_test.moc"
