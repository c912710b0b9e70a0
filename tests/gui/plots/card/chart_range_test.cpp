// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart shows of its points as it is zoomed, moved and left behind by a run that trains.
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/chart_header.h"
#include "ui/plots/card/metric_card.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>

using namespace trainyard::ui;

namespace {

// One chart of one run: its loss falls from 10 to 0.1 over 1,000 steps.
struct FallingLoss {
    PlotGroup group;
    SeriesStore store;
    MetricCard card;

    explicit FallingLoss(int first = 1) : card(QStringLiteral("train/loss"), &group, &store) {
        card.resize(500, 320);
        card.setCurves({{"a", "brave-otter", 0}});
        add(first, 1000);
        card.show();
        card.refreshNow();
    }
    void add(int from, int to) {
        std::vector<PlotPoint> points;
        for (int i = from; i <= to; ++i) points.push_back({i, i / 100.0, i / 10.0, 10 * std::pow(10.0, -i / 500.0)});
        store.append("a", card.metric(), points);
    }
    AxisRange y() {
        card.refreshNow();
        return card.yRange();
    }
    void press(Qt::Key key, int times) {
        for (int i = 0; i < times; ++i) {
            QTest::keyClick(&card, key);
            card.refreshNow();
        }
    }
    QPushButton* jump() { return card.findChild<QPushButton*>(QStringLiteral("jumpToLive")); }
};

} // namespace

class ChartRangeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The part in sight spans less than the whole, and has its scale all the same.
    // Feature: a zoom changes no scale; a moved range stops where the points end; only what trains is jumped to, and
    // shown there; a lone point is seen; a chart with averages says so.
    void aZoomChangesNoScale() {
        FallingLoss loss;
        QVERIFY(loss.y().log);
        loss.group.setVisibleRange(900, 1000);
        QVERIFY(loss.y().high < 1);
        QVERIFY(loss.y().log);
    }

    void onlyARunThatTrainsIsJumpedTo() {
        FallingLoss loss;
        loss.group.setVisibleRange(100, 200);
        loss.card.refreshNow();
        QVERIFY(loss.group.isBehindLive());
        QVERIFY(!loss.jump()->isVisible()); // there is nothing live
        loss.card.setLive("a", true);
        loss.card.refreshNow();
        QVERIFY(loss.jump()->isVisible());
    }

    // Wherever y was zoomed to.
    void aJumpShowsTheNewestPoints() {
        FallingLoss loss;
        loss.card.setLive("a", true);
        loss.group.setVisibleRange(100, 200);
        Q_EMIT loss.card.findChild<PlotCanvas*>()->yRangeRequested(4, 6.5);
        QCOMPARE(loss.y().high, 6.5);
        loss.add(1001, 1200);
        loss.card.refreshNow();
        loss.jump()->click();
        QCOMPARE(loss.group.visibleRange(), (XRange{1100, 1200}));
        const double last = 10 * std::pow(10.0, -1200 / 500.0);
        QVERIFY2(loss.y().low < last && loss.y().high > last && loss.y().high < 1,
                 qPrintable(QString::number(loss.y().high)));
        QVERIFY(!loss.jump()->isVisible());
    }

    void whatIsMovedStopsAtItsEnds_data() {
        QTest::addColumn<bool>("log");
        QTest::newRow("linear") << false;
        QTest::newRow("logarithmic") << true;
    }
    void whatIsMovedStopsAtItsEnds() {
        QFETCH(bool, log);
        FallingLoss loss(10);
        loss.group.setLogX(log);
        loss.group.setVisibleRange(400, 500);
        loss.card.refreshNow();
        loss.press(Qt::Key_Right, 3);
        QVERIFY(loss.group.visibleRange().low > 400); // as long as there is something
        loss.press(Qt::Key_Right, 200);
        const XRange right = loss.group.visibleRange();
        QVERIFY2(right.low < 990 && right.high > 1000 && right.high < 1030, qPrintable(QString::number(right.high)));
        loss.press(Qt::Key_Left, 400);
        const XRange left = loss.group.visibleRange();
        QVERIFY2(left.low < 10 && left.low > 0 - 10 && left.high > 12, qPrintable(QString::number(left.low)));
    }

    void aLonePointIsSeen() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("val/accuracy"), &group, &store);
        card.resize(400, 300);
        card.setCurves({{"a", "brave-otter", 1}});
        const std::vector<PlotPoint> point{{60, 1, 3, 0.8}};
        store.append("a", card.metric(), point);
        card.show();
        card.refreshNow();
        auto& canvas = *card.findChild<PlotCanvas*>();
        const QPoint at = canvas.frame().toPixel(60, 0.8).toPoint();
        const QImage image = canvas.grab().toImage();
        int coloured = 0;
        for (int y = at.y() - 6; y <= at.y() + 6; ++y)
            for (int x = at.x() - 6; x <= at.x() + 6; ++x)
                coloured += image.pixelColor(x, y) == Theme::current().curve(1) ? 1 : 0;
        QVERIFY2(coloured >= 9, qPrintable(QString::number(coloured)));
    }

    // Where the values in its header are averages, the header says so.
    void aSmoothedChartSaysSo() {
        FallingLoss loss;
        auto& header = *loss.card.findChild<ChartHeader*>();
        loss.card.refreshNow();
        QCOMPARE(header.tag(), QStringLiteral("log"));
        loss.group.setSmoothing(0.9);
        loss.card.refreshNow();
        QCOMPARE(header.tag(), QStringLiteral("log, smoothed"));
        const QImage tagged = header.grab().toImage();
        header.setTag({});
        QVERIFY(header.grab().toImage() != tagged);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ChartRangeTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "chart_range_test.moc"
