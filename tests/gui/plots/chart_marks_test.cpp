// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart marks of its runs, on each x axis and in exports; wall time; several series in one chart; the handle.
#include "tests/gui/series/noise_points.h"
#include "ui/models/feed/event_marks.h"
#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/card/outlier_layer.h"
#include "ui/plots/chart/chart_export.h"
#include "ui/plots/layers/event_layer.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;
using Kind = store::RunEventKind;

namespace {

constexpr std::int64_t kStartedMs = 1'700'000'000'000;

store::RunEventRow eventAt(Kind kind, std::int64_t step, double before, double after) {
    store::RunEventRow row;
    row.kind = kind;
    row.step = step;
    row.seconds = static_cast<double>(step) / 10;
    row.before = before;
    row.after = after;
    row.wallMs = kStartedMs + step * 100;
    return row;
}

std::vector<store::RunEventRow> someRows() {
    return {eventAt(Kind::Started, 0, store::RunEventRow::kNone, 2), eventAt(Kind::LearningRate, 300, 0.1, 0.05),
            eventAt(Kind::Workers, 600, 2, 3)};
}

std::vector<PlotEvent> someEvents() { return plotEvents(someRows()); }

// A point each step: 0.1 s of training, 100 steps an epoch.
std::vector<PlotPoint> points(int count) {
    std::vector<PlotPoint> line;
    for (int i = 0; i < count; ++i) line.push_back({i, i / 100.0, i / 10.0, 1.0 / (1 + i)});
    return line;
}

const EventLayer* marksOf(const MetricCard& card) {
    for (const auto& layer : card.findChild<PlotCanvas*>()->scene().layers)
        if (const auto* marks = dynamic_cast<const EventLayer*>(layer.get())) return marks;
    return nullptr;
}

QString exported(MetricCard& card, const QString& path) {
    QString result = QStringLiteral("pending");
    card.exportChart(path, ChartFormat::Svg, {800, 500}, [&](const QString& error) { result = error; });
    [&] { QTRY_COMPARE(result, QString()); }();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class ChartMarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: events of a run marked in its charts and exports, on every x axis; wall time as an x axis. Also in
    // curves_view_test.
    void eventsLieAtTheirPlaceOnEveryAxis_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<double>("x");
        QTest::newRow("step") << static_cast<int>(XMode::Step) << 300.0;
        QTest::newRow("epoch") << static_cast<int>(XMode::Epoch) << 3.0;
        QTest::newRow("time") << static_cast<int>(XMode::RelativeTime) << 30.0;
        QTest::newRow("clock") << static_cast<int>(XMode::WallTime) << 1'700'000'030.0;
    }
    void eventsLieAtTheirPlaceOnEveryAxis() {
        QFETCH(int, mode);
        QFETCH(double, x);
        SeriesData series;
        series.append(points(1000));
        QCOMPARE(eventX(someEvents()[0], series, static_cast<XMode>(mode)), x);
        series.truncateAfter(100); // what lies beyond the points is at their end
        if (static_cast<XMode>(mode) == XMode::Epoch) QCOMPARE(eventX(someEvents()[0], series, XMode::Epoch), 1.0);
    }

    void onlyAFewRunsAreMarked_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<QString>("hovered");
        QTest::addColumn<int>("marks"); // two of each run
        QTest::newRow("one") << 1 << QString() << 2;
        QTest::newRow("three") << 3 << QString() << 6;
        QTest::newRow("three, one hovered") << 3 << "run1" << 6;
        QTest::newRow("four") << 4 << QString() << 0;
        QTest::newRow("twenty, one hovered") << 20 << "run7" << 2;
    }
    void onlyAFewRunsAreMarked() {
        QFETCH(int, runs);
        QFETCH(QString, hovered);
        QFETCH(int, marks);
        SeriesData series;
        series.append(points(1000));
        const auto events = someEvents();
        std::vector<MarkedRun> marked;
        for (int i = 0; i < runs; ++i)
            marked.push_back({{QStringLiteral("run%1").arg(i), QStringLiteral("otter"), i}, &events, &series});
        const auto all = ui::marksOf(marked, XMode::Step, hovered);
        QCOMPARE(static_cast<int>(all.size()), marks);
        for (const EventMark& mark : all) QVERIFY(runs <= 3 || mark.run == hovered);
        if (marks > 0) QCOMPARE(markText(all.front(), false), QString("step 300: learning rate 0.1 → 0.05"));
    }

    void aNoteOfOutliersHidesLittle_data() {
        QTest::addColumn<QList<QPointF>>("line"); // in a plot of 100 × 100
        QTest::addColumn<double>("left");
        QTest::newRow("free") << QList<QPointF>{{0, 50}, {100, 50}} << 10.0;
        QTest::newRow("a corner") << QList<QPointF>{{0, 100}, {30, 95}, {31, 40}, {100, 40}} << 34.0;
        QTest::newRow("everywhere") << QList<QPointF>{{0, 95}, {100, 95}} << 10.0;
        QTest::newRow("between two points") << QList<QPointF>{{0, 100}, {100, 70}} << 52.0;
        QTest::newRow("out of sight") << QList<QPointF>{{-500, 95}, {-400, 95}} << 10.0;
        QTest::newRow("no value") << QList<QPointF>{{0, std::nan("")}, {100, std::nan("")}} << 10.0;
    }
    void aNoteOfOutliersHidesLittle() {
        QFETCH(QList<QPointF>, line);
        QFETCH(double, left);
        std::vector<Column> columns;
        for (const QPointF& point : line) {
            columns.push_back({point.x(), point.x(), {}, 1});
            if (!std::isnan(point.y())) columns.back().extent = {point.y(), point.y(), point.y(), point.y()};
        }
        CurveView curve;
        curve.main = columns;
        const PlotFrame frame({0, 0, 100, 100}, {0, 100, false}, {0, 100, false}, Theme::current());
        QCOMPARE(freePlace({curve}, frame, 0, 16, 40, 10), left); // pixel rows: the values from 84 to 100
    }

    void aChartDrawsAndExportsThem() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("train/loss"), &group, &store);
        card.resize(500, 300);
        card.setCurves({{"a", "brave-otter", 0}});
        store.append("a", card.metric(), points(1000));
        card.show();
        card.refreshNow();
        QVERIFY(marksOf(card) == nullptr);
        card.setEvents("a", someEvents());
        card.refreshNow();
        QVERIFY(marksOf(card) != nullptr);
        QCOMPARE(marksOf(card)->marks().size(), std::size_t{2});
        QVERIFY(card.accessibleDescription().contains(QStringLiteral("workers 2 → 3")));
        const QTemporaryDir folder;
        const QString svg = exported(card, folder.filePath("marks.svg"));
        QVERIFY(svg.contains(QStringLiteral("step 300: learning rate 0.1 → 0.05")));
        QVERIFY(svg.contains(QStringLiteral("step 600: workers 2 → 3")));
        group.setShowEvents(false);
        card.refreshNow();
        QVERIFY(marksOf(card) == nullptr);
        QVERIFY(card.accessibleDescription().isEmpty());
        QVERIFY(!exported(card, folder.filePath("none.svg")).contains(QStringLiteral("workers 2")));
    }

    void wallTimeFollowsTheLaunches_data() {
        QTest::addColumn<double>("trained");
        QTest::addColumn<double>("wall");
        QTest::newRow("start") << 0.0 << 1000.0;
        QTest::newRow("before the restart") << 10.0 << 1010.0;
        QTest::newRow("at the restart") << 20.0 << 1020.0; // measured before it
        QTest::newRow("after it") << 21.0 << 1501.0;
        QTest::newRow("much later") << 120.0 << 1600.0;
        QTest::newRow("after the clock was set back") << 201.0 << 1681.0;
    }
    void wallTimeFollowsTheLaunches() {
        QFETCH(double, trained);
        QFETCH(double, wall);
        const WallClock clock({{0, 1000}, {50, 1300}, {20, 1500}, {200, 400}}); // the second began again from 20
        QCOMPARE(clock.at(trained), wall);
    }

    void aRunWithoutALaunchHasTheTimeOfItsStart() {
        QCOMPARE(wallClockOf({}, kStartedMs).at(5), 1'700'000'005.0);
        QCOMPARE(wallClockOf({}, 0).at(5), 5.0);
        QCOMPARE(wallClockOf(someRows(), 1).at(5), 1'700'000'005.0);
    }

    // What the clock says may come after the points.
    void theClockMovesAllPointsOfARun() {
        SeriesStore store;
        store.append("a", "lr", points(10));
        QSignalSpy changed(&store, &SeriesStore::changed);
        store.setClock("a", wallClockOf({}, kStartedMs));
        QCOMPARE(changed.count(), 1);
        store.append("a", "train/loss", points(10)); // a series that begins later
        for (const char* name : {"lr", "train/loss"})
            QCOMPARE(store.find("a", name)->x(XMode::WallTime, 9), 1'700'000'000.9);
        changed.clear();
        store.setClock("a", wallClockOf({}, kStartedMs));
        QCOMPARE(changed.count(), 0); // the same again
    }

    void severalSeriesShareAChart() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("train/loss"), &group, &store);
        card.resize(500, 300);
        card.setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}});
        for (const char* run : {"a", "b"}) store.append(run, "train/loss", points(100));
        store.append("a", "val/loss", points(10));
        card.show();
        card.setSeries({"train/loss", "val/loss"});
        card.refreshNow();
        QCOMPARE(card.title(), QString("Train loss + Val loss"));
        QCOMPARE(card.curves().size(), 2); // runs
        const CurveLayer* lines = nullptr;
        for (const auto& layer : card.findChild<PlotCanvas*>()->scene().layers)
            if (const auto* found = dynamic_cast<const CurveLayer*>(layer.get())) lines = found;
        QVERIFY(lines != nullptr);
        QCOMPARE(lines->curves().size(), std::size_t{4});
        QCOMPARE(lines->curves()[0].pattern, 0);
        QCOMPARE(lines->curves()[1].pattern, 1);
        QCOMPARE(lines->curves()[1].color, lines->curves()[0].color);
        QVERIFY(lines->curves()[3].main.empty()); // b has no val/loss yet
        group.setHoveredRun("a");
        card.refreshNow();
        const QImage hovered = card.grab().toImage();
        int strong = 0; // pixels of the solid line
        for (int x = hovered.width() / 2; x < hovered.width(); ++x)
            for (int y = 45; y < hovered.height(); ++y) // below the header
                strong += hovered.pixelColor(x, y) == Theme::current().curve(0) ? 1 : 0;
        QVERIFY2(strong > 50, qPrintable(QString::number(strong)));
        group.setHoveredRun({});
        store.append("b", "val/loss", points(20));
        card.refreshNow();
        QCOMPARE(card.points().size(), std::size_t{4});
        QCOMPARE(card.points()[3].data.size(), std::size_t{20});
        const QTemporaryDir folder;
        const QString svg = exported(card, folder.filePath("both.svg"));
        QVERIFY(svg.contains(QStringLiteral("calm-finch, val loss")) && svg.contains("stroke-dasharray"));
        card.setSeries({"train/loss"});
        card.refreshNow();
        QCOMPARE(card.points().size(), std::size_t{2});
        QVERIFY(!exported(card, folder.filePath("one.svg")).contains("val loss"));
    }

    // Feature: titles of the axes: of x after its labels, where it takes no height, the unit of y in the header; both
    // in exports.
    void theAxesHaveTitles() {
        PlotCanvas canvas;
        canvas.resize(400, 240);
        PlotScene scene;
        scene.x.range = {0, 100};
        canvas.setScene(scene);
        const QImage without = canvas.grab().toImage(); // which lays it out
        const QRectF area = canvas.plotRect();
        scene.x.title = QStringLiteral("Step");
        canvas.setScene(scene);
        const QImage with = canvas.grab().toImage();
        QCOMPARE(canvas.plotRect(), area);
        QRect changed;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) changed |= QRect(x, y, 1, 1);
        QVERIFY(changed.width() > 10 && changed.height() > 5);
        QVERIFY(changed.top() > area.bottom() && changed.left() > area.center().x() && changed.right() <= area.right());

        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("time/step"), &group, &store);
        card.resize(400, 300);
        store.append("a", "time/step", points(100));
        card.setCurves({{"a", "calm-finch"}});
        card.refreshNow();
        QCOMPARE(card.findChild<ChartHeader*>()->tag(), QStringLiteral("s, log"));
        const QTemporaryDir folder;
        const QString svg = exported(card, folder.filePath("titles.svg"));
        QVERIFY(svg.contains(QStringLiteral(">Step<")) && svg.contains(QStringLiteral("Time per step, s")));
    }

    // Feature: a click keeps the values under the pointer beside their place, until another click, Escape or other
    // runs.
    void aClickPinsTheValues() {
        QWidget board;
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("val/loss"), &group, &store, &board);
        board.resize(700, 500);
        card.resize(400, 300);
        store.append("a", "val/loss", points(100));
        card.setCurves({{"a", "calm-finch"}});
        board.show();
        card.refreshNow();
        auto* canvas = card.findChild<PlotCanvas*>();
        QTRY_VERIFY(canvas->plotRect().width() > 200); // laid out
        const auto shown = [&board] {
            int count = 0;
            for (const auto* tip : board.findChildren<ChartTooltip*>()) count += tip->isVisible() ? 1 : 0;
            return count;
        };
        const auto click = [&] {
            const QPoint at = canvas->plotRect().center().toPoint();
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, {}, {});
            QApplication::sendEvent(canvas, &move);
            QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
            QEvent left(QEvent::Leave);
            QApplication::sendEvent(canvas, &left);
        };
        QCOMPARE(shown(), 0);
        click();
        QCOMPARE(shown(), 1); // although the pointer is gone
        click();
        QCOMPARE(shown(), 0);
        click();
        QTest::keyClick(&card, Qt::Key_Escape);
        QCOMPARE(shown(), 0);
        click();
        card.setCurves({{"b", "brave-otter"}});
        QCOMPARE(shown(), 0);
    }

    void aTypedRangeHoldsWhateverComes() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("train/loss"), &group, &store);
        card.setCurves({{"a", "brave-otter", 0}});
        store.append("a", card.metric(), points(100));
        card.show();
        card.setAxes({{}, {{-1.0, 3.0}}});
        card.refreshNow();
        QCOMPARE(card.yRange().low, -1.0);
        QCOMPARE(card.yRange().high, 3.0);
        QVERIFY(!card.yRange().log); // the points fall over decades, but the range begins below 0
        Q_EMIT card.findChild<PlotCanvas*>()->yRangeRequested(0, 1);
        card.refreshNow();
        QCOMPARE(card.yRange().high, 1.0); // a zoom is on top of it
        group.fit();
        card.refreshNow();
        QCOMPARE(card.yRange().high, 3.0);
        card.setAxes({});
        card.refreshNow();
        QVERIFY(card.yRange().log);
    }

    void steeredValuesAreRound_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("steered");
        QTest::newRow("two digits") << 0.04971 << 0.05;
        QTest::newRow("small") << 0.000123 << 0.00012;
        QTest::newRow("large") << 12.6 << 13.0;
        QTest::newRow("zero") << 0.0 << 0.0001; // a thousandth of 0.1
        QTest::newRow("below zero") << -1.0 << 0.0001;
        QTest::newRow("no number") << std::nan("") << 0.0001;
    }
    void steeredValuesAreRound() {
        QFETCH(double, value);
        QFETCH(double, steered);
        QCOMPARE(steeredValue(value, 0.1), steered);
    }

    void aHandleIsHeldUntilItIsReleased() {
        const PlotFrame frame(QRectF(0, 0, 100, 100), {0, 10, false}, {0, 1, false}, Theme::current());
        PlotHandle handle;
        QVERIFY(!handle.grab({50, 50}, frame));
        handle.show({5, 0.5}, Qt::red);
        QVERIFY(!handle.grab({80, 50}, frame));
        QVERIFY(handle.grab({52, 48}, frame));
        handle.dragTo({52, 25}, frame);
        QCOMPARE(handle.value(), 0.75);
        handle.show({6, 0.4}, Qt::red); // training goes on
        QCOMPARE(handle.value(), 0.75);
        QCOMPARE(handle.release(), std::optional(0.75));
        QCOMPARE(handle.value(), 0.4);
        QVERIFY(!handle.release());
        handle.nudge(1);
        QVERIFY(handle.isHeld());
        QCOMPARE(handle.value(), 0.5);
        handle.cancel();
        QVERIFY(!handle.release());
        QVERIFY(handle.grab({60, 60}, frame));
        QVERIFY(!handle.release()); // a click changes nothing
        handle.show({5, std::nan("")}, Qt::red);
        QVERIFY(!handle.isShown() && !handle.isHeld());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    ChartMarksTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "chart_marks_test.moc"
