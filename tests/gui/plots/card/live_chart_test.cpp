// SPDX-License-Identifier: GPL-3.0-or-later
// A chart of a run that trains paints only what its new points change, and one that is moved what can be had at once.
// What they show in the end is what a chart shows that gets all points at once. How often they are drawn.
#include "tests/gui/series/noise_points.h"
#include "ui/plots/canvas/frame_clock.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QImage>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace trainyard::ui;

namespace {

constexpr int kFrames = 12;
const QStringList kSeries{QStringLiteral("train/loss"), QStringLiteral("grad_norm")};

// The points of a run up to its last one at x = 1000, of which a chart gets a twelfth at a time.
std::vector<PlotPoint> pointsOf(int run, std::size_t count, double spread) {
    auto points = noise(count, static_cast<unsigned>(run) + 1, 0, 1);
    for (std::size_t i = 0; i < count; ++i) {
        PlotPoint& point = points[i];
        point.epoch = 1000.0 * static_cast<double>(i) / static_cast<double>(count);
        point.value = run + spread * point.value + 3 * std::exp(-point.epoch / 200);
    }
    return points;
}

// A chart of some runs with axes that stay as they are.
class Live {
public:
    Live(int runs, int series, double smoothing, const QString& hovered, double low = 0, double high = 1100) {
        m_group.setXMode(XMode::Epoch);
        m_group.setSmoothing(smoothing);
        m_group.setVisibleRange(low, high);
        m_group.setHoveredRun(hovered);
        m_card = std::make_unique<MetricCard>(kSeries[0], &m_group, &m_store);
        QList<CurveStyle> styles;
        for (int run = 0; run < runs; ++run) styles << CurveStyle{QString::number(run), QString::number(run), run};
        m_card->setSeries(kSeries.mid(0, series));
        m_card->setCurves(styles);
        m_card->setAxes({YMode::Linear, std::pair(-2.0, runs + 3.0)});
        for (int run = 0; run < runs; ++run) m_card->setLive(QString::number(run), true);
        m_card->resize(500, 320);
        m_card->show();
    }
    void add(int run, std::span<const PlotPoint> points) {
        for (const QString& series : m_card->series()) m_store.append(QString::number(run), series, points);
    }
    void move(double low, double high) { m_group.setVisibleRange(low, high); }
    void fitAxes() {
        m_group.fit();
        m_card->setAxes({YMode::Linear, std::nullopt});
    }
    AxisRange y() const { return m_card->yRange(); }
    void steer(int run) { m_card->setSteered(run < 0 ? QString() : QString::number(run)); }
    // What the last frames have left there: each paints only what has changed.
    QImage onScreen() {
        m_card->refreshNow();
        QApplication::processEvents();
        const auto* canvas = m_card->findChild<PlotCanvas*>();
        const QRect at(canvas->mapTo(m_card.get(), QPoint()), canvas->size());
        return m_card->screen()->grabWindow(m_card->winId(), at.x(), at.y(), at.width(), at.height()).toImage();
    }
    QImage shown() {
        m_card->refreshNow();
        QApplication::processEvents(); // with its first points it gets its size
        m_card->refreshNow();
        return m_card->findChild<PlotCanvas*>()->grab().toImage();
    }

private:
    PlotGroup m_group;
    SeriesStore m_store;
    std::unique_ptr<MetricCard> m_card;
};

// How often the window and each of its plots are painted.
class Painted : public QObject {
public:
    explicit Painted(QWidget& watched) {
        watched.installEventFilter(this);
        for (QWidget* plot : watched.findChildren<QWidget*>(QStringLiteral("plot"))) plot->installEventFilter(this);
    }
    int plots() const { return static_cast<int>(m_plots.size()); }
    int window = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::UpdateRequest) ++window;
        else if (event->type() == QEvent::Paint && watched->objectName() == QLatin1String("plot"))
            m_plots.insert(watched);
        return false;
    }

private:
    QSet<QObject*> m_plots;
};

// Empty when both are the same; otherwise where they differ, and how many pixels do.
QString difference(const QImage& one, const QImage& other) {
    if (one.size() != other.size()) return QStringLiteral("their sizes differ");
    QRect where;
    int count = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            if (one.pixel(x, y) == other.pixel(x, y)) continue;
            where |= QRect(x, y, 1, 1);
            ++count;
        }
    }
    if (count == 0) return {};
    return QStringLiteral("%1 pixels from %2, %3 to %4, %5: %6 and %7")
        .arg(count)
        .arg(where.left())
        .arg(where.top())
        .arg(where.right())
        .arg(where.bottom())
        .arg(one.pixel(where.topLeft()), 8, 16)
        .arg(other.pixel(where.topLeft()), 8, 16);
}

} // namespace

class LiveChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void framesAreAsSwiftAsTheirCause_data() {
        QTest::addColumn<FrameCause>("cause");
        QTest::addColumn<bool>("inUse");
        QTest::addColumn<int>("milliseconds");
        QTest::newRow("the user") << FrameCause::User << true << 20;
        QTest::newRow("the user, as by a wheel over a window in the back") << FrameCause::User << false << 20;
        QTest::newRow("a run that trains") << FrameCause::Points << true << 20;
        QTest::newRow("a run that trains, in the back") << FrameCause::Points << false << 100;
        QTest::newRow("a load") << FrameCause::Load << true << 100;
        QTest::newRow("a load in the back") << FrameCause::Load << false << 100;
    }

    void framesAreAsSwiftAsTheirCause() {
        QFETCH(FrameCause, cause);
        QFETCH(bool, inUse);
        QTEST(framePaceMs(cause, inUse), "milliseconds");
    }

    // What a window paints of itself costs more than a chart does, so charts do not make it paint one after another.
    void chartsOfAPlaceAreDrawnAtTheSameMoment() {
        PlotGroup group;
        SeriesStore store;
        QWidget window;
        QHBoxLayout row(&window);
        group.setVisibleRange(0, 1100);
        for (int i = 0; i < 4; ++i) {
            auto* card = new MetricCard(QString::number(i), &group, &store);
            card->setCurves({CurveStyle{QStringLiteral("run"), QStringLiteral("run"), 0}});
            card->setAxes({YMode::Linear, std::pair(-2.0, 3.0)});
            card->setLive(QStringLiteral("run"), true);
            row.addWidget(card);
        }
        window.resize(1400, 300);
        window.show();
        const auto addTo = [&](int card, double x) {
            const PlotPoint point{static_cast<std::int64_t>(x), x, x, 0.5};
            store.append(QStringLiteral("run"), QString::number(card), std::span(&point, 1));
        };
        for (int card = 0; card < 4; ++card) addTo(card, 1);
        QSignalSpy frames(&group.frames(), &FrameClock::due);
        do frames.clear();
        while (frames.wait(200)); // its first frames

        Painted painted(window);
        for (int card = 0; card < 4; ++card) addTo(card, 500);
        QVERIFY(frames.wait(5000));
        QTRY_COMPARE(painted.plots(), 4);
        QCOMPARE(frames.count(), 1);
        QCOMPARE(painted.window, 1);
    }

    void aChartWaitsForItsNextFrame() {
        FrameWait wait;
        QVERIFY(!wait.isAsked());
        QVERIFY(wait.ask(60'000));
        QCOMPARE(wait.left(), 0); // the first frame
        wait.drawn();
        QVERIFY(!wait.isAsked());
        QVERIFY(wait.ask(60'000));
        QVERIFY(wait.left() > 30'000);
        QVERIFY(!wait.ask(60'000)); // it comes anyway
        QVERIFY(wait.ask(50'000));  // sooner
        QVERIFY(wait.left() <= 50'000);
        wait.forgetLast();
        QCOMPARE(wait.left(), 0);
    }

    void newPointsAreShownAsInAFreshChart_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("series");
        QTest::addColumn<int>("points");
        QTest::addColumn<double>("spread");
        QTest::addColumn<double>("smoothing");
        QTest::addColumn<QString>("hovered");
        const QString none, second = QStringLiteral("1");
        QTest::newRow("a line of few points") << 1 << 1 << 60 << 0.1 << 0.0 << none;
        QTest::newRow("a smooth line") << 2 << 1 << 2400 << 0.0 << 0.0 << none;
        QTest::newRow("a noisy line") << 3 << 1 << 400 << 0.3 << 0.0 << none;
        QTest::newRow("bars") << 3 << 1 << 12000 << 0.3 << 0.0 << none;
        QTest::newRow("an average before its line") << 2 << 1 << 400 << 0.3 << 0.9 << none;
        QTest::newRow("averages before bars") << 3 << 1 << 12000 << 0.3 << 0.9 << none;
        QTest::newRow("averages of many runs") << 12 << 1 << 3600 << 0.3 << 0.9 << none;
        QTest::newRow("dashes") << 2 << 2 << 600 << 0.05 << 0.0 << none;
        QTest::newRow("dashed averages") << 2 << 2 << 600 << 0.3 << 0.9 << none;
        QTest::newRow("lines, one pointed at") << 3 << 1 << 400 << 0.3 << 0.0 << second;
        QTest::newRow("bars, one pointed at") << 3 << 1 << 12000 << 0.3 << 0.9 << second;
    }
    void newPointsAreShownAsInAFreshChart() {
        QFETCH(int, runs);
        QFETCH(int, series);
        QFETCH(int, points);
        QFETCH(double, spread);
        QFETCH(double, smoothing);
        QFETCH(QString, hovered);
        std::vector<std::vector<PlotPoint>> all;
        for (int run = 0; run < runs; ++run) all.push_back(pointsOf(run, static_cast<std::size_t>(points), spread));
        Live live(runs, series, smoothing, hovered);
        QImage before = live.shown();
        for (int frame = 1; frame <= kFrames; ++frame) {
            const auto from = static_cast<std::size_t>(points * (frame - 1) / kFrames);
            const auto to = static_cast<std::size_t>(points * frame / kFrames);
            Live fresh(runs, series, smoothing, hovered);
            for (int run = 0; run < runs; ++run) {
                const std::span<const PlotPoint> known(all[static_cast<std::size_t>(run)]);
                live.add(run, known.subspan(from, to - from));
                fresh.add(run, known.first(to));
            }
            const QImage shown = live.shown();
            QVERIFY(shown != before);
            QCOMPARE(difference(shown, fresh.shown()), QString());
            before = shown;
        }
    }
    void theScreenHasAllThatChanged_data() {
        QTest::addColumn<bool>("steered");
        QTest::newRow("a run that trains") << false;
        QTest::newRow("a run whose end can be dragged") << true;
    }
    void theScreenHasAllThatChanged() {
        QFETCH(bool, steered);
        const auto points = pointsOf(1, 400, 0.3);
        const std::span<const PlotPoint> known(points);
        Live live(1, 1, 0, {});
        for (int frame = 0; frame < kFrames; ++frame) {
            live.add(0, known.subspan(static_cast<std::size_t>(frame) * 400 / kFrames, 400 / kFrames));
            if (frame > 0) live.steer(steered && frame < kFrames - 2 ? 0 : -1); // and then no longer
            const QImage screen = live.onScreen().convertToFormat(QImage::Format_RGB32);
            QVERIFY(!screen.isNull());
            if (frame > 0) // with its first points it gets its size
                QCOMPARE(difference(screen, live.shown().convertToFormat(QImage::Format_RGB32)), QString());
        }
    }
    void theYAxisStaysWhileTheValuesKeepToIt() {
        Live live(1, 1, 0, {});
        live.fitAxes();
        std::vector<PlotPoint> points;
        for (int i = 0; i < 100; ++i) points.push_back({i, static_cast<double>(i), 0, 10.0 + i % 2});
        live.add(0, points);
        live.shown();
        const AxisRange first = live.y();
        QVERIFY(first.low < 10 && first.high > 11);
        for (const double value : {9.99, 10.5, 11.01, 9.97, 9.8}) {
            const PlotPoint last{points.back().step + 1, points.back().epoch + 1, 0, value};
            points.push_back(last);
            live.add(0, std::span(&last, 1));
            live.shown();
            QCOMPARE(live.y() == first, value > 9.9);
        }
        QVERIFY(live.y().low < 9.8);
        QVERIFY(live.y().high < 11.2);
    }
    void aMovedChartIsThatOfAFreshOneOnceItRests_data() {
        QTest::addColumn<int>("runs");
        QTest::addColumn<double>("spread");
        QTest::addColumn<double>("smoothing");
        QTest::newRow("bars") << 3 << 0.3 << 0.0;
        QTest::newRow("smooth lines") << 3 << 0.0 << 0.0;
        QTest::newRow("bars of many runs") << 12 << 0.3 << 0.0;
        QTest::newRow("averages") << 12 << 0.3 << 0.9;
        QTest::newRow("bars of very many runs") << 90 << 0.3 << 0.0;
        QTest::newRow("averages of very many runs") << 90 << 0.3 << 0.9;
    }
    void aMovedChartIsThatOfAFreshOneOnceItRests() {
        QFETCH(int, runs);
        QFETCH(double, spread);
        QFETCH(double, smoothing);
        const std::size_t count = runs > 20 ? 3000 : 19000; // some in each pixel
        Live moved(runs, 1, smoothing, {}), fresh(runs, 1, smoothing, {}, 80, 860);
        for (int run = 0; run < runs; ++run) {
            const auto points = pointsOf(run, count, spread);
            moved.add(run, points);
            fresh.add(run, points);
        }
        const QImage whole = moved.shown();
        for (int i = 0; i < 5; ++i) { // as a wheel does
            moved.move(20.0 * i, 900 - 10.0 * i);
            QVERIFY(moved.shown() != whole);
        }
        QTRY_COMPARE(difference(moved.shown(), fresh.shown()), QString());
    }

    // What was zoomed to on another run holds while it shows something of this one, and does not wake because this one
    // trains into it.
    void aZoomOfAnotherRunSleepsOn() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(kSeries[0], &group, &store);
        const auto show = [&](const QString& run) {
            group.showOtherRuns();
            card.setCurves({CurveStyle{run, run, 0}});
            card.refreshNow();
        };
        const auto add = [&](const QString& run, int from, int to) { // its value falls from 3 to 1
            std::vector<PlotPoint> points;
            for (int step = from; step <= to; ++step) points.push_back({step, 0, 0, 3 - 0.002 * step});
            store.append(run, kSeries[0], points);
            card.refreshNow();
        };
        card.resize(500, 320);
        card.show();
        add(QStringLiteral("old"), 1, 1000);
        show(QStringLiteral("old"));
        QTRY_COMPARE(group.fullRange().high, 1000.0);
        group.setVisibleRange(200, 300);
        Q_EMIT card.findChild<PlotCanvas*>()->yRangeRequested(2.3, 2.7);
        const auto isWhole = [&] { return !group.isZoomed() && card.yRange().high > 2.9; };
        const auto isZoomed = [&] { return group.isZoomed() && card.yRange().high < 2.71; };
        QTRY_VERIFY(isZoomed());

        add(QStringLiteral("new"), 1, 10);
        show(QStringLiteral("new"));
        QTRY_VERIFY(isWhole());
        for (int step = 11; step < 400; step += 10) {
            add(QStringLiteral("new"), step, step + 9);
            QVERIFY2(isWhole(), qPrintable(QString::number(step)));
        }
        show(QStringLiteral("old"));
        QTRY_VERIFY(isZoomed());
        show(QStringLiteral("new")); // as one that had all this when it was chosen
        QTRY_VERIFY(isZoomed());
        add(QStringLiteral("new"), 401, 410);
        QVERIFY(isZoomed());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    LiveChartTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "live_chart_test.moc"
