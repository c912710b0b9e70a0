// SPDX-License-Identifier: GPL-3.0-or-later
// What all plots share below the widget: zooming and moving a range, ticks of an axis, cutting at its edges.
#include "ui/plots/canvas/axis_labels.h"
#include "ui/plots/canvas/clip.h"
#include "ui/plots/canvas/plot_axis.h"

#include <QTest>

using namespace trainyard::ui;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

} // namespace

class PlotAxisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangesZoomAndMove_data() {
        QTest::addColumn<AxisRange>("made");
        QTest::addColumn<AxisRange>("expected");
        const AxisRange line{0, 100, false};
        const AxisRange log{1, 10000, true};
        QTest::newRow("into the middle") << zoomed(line, 0.5, 0.5) << AxisRange{25, 75, false};
        QTest::newRow("at the left end") << zoomed(line, 0, 0.5) << AxisRange{0, 50, false};
        QTest::newRow("out of the right end") << zoomed(line, 1, 2) << AxisRange{-100, 100, false};
        QTest::newRow("into a log axis") << zoomed(log, 0.5, 0.5) << AxisRange{10, 1000, true};
        QTest::newRow("out of a log axis, never to 0") << zoomed(log, 0.5, 2) << AxisRange{0.01, 1e6, true};
        QTest::newRow("to the right") << shifted(line, 0.1) << AxisRange{10, 110, false};
        QTest::newRow("to the left on a log axis") << shifted(log, -0.25) << AxisRange{0.1, 1000, true};
        QTest::newRow("room at both ends") << padded(line, 0.1) << AxisRange{-10, 110, false};
        QTest::newRow("room on a log axis") << padded(log, 0.25) << AxisRange{0.1, 100000, true};
        QTest::newRow("one value") << padded({20, 20, false}, 0.1) << AxisRange{19, 21, false};
        QTest::newRow("one value of a log axis") << padded({13, 13, true}, 0.1) << AxisRange{10, 16.9, true};
        QTest::newRow("one value, 0") << padded({0, 0, false}, 0.1) << AxisRange{-1e-9, 1e-9, false};
    }
    void rangesZoomAndMove() {
        QFETCH(AxisRange, made);
        QFETCH(AxisRange, expected);
        QVERIFY2(close(made.low, expected.low) && close(made.high, expected.high),
                 qPrintable(QStringLiteral("%1 to %2").arg(made.low).arg(made.high)));
        QCOMPARE(made.log, expected.log);
        QVERIFY(made.high > made.low);
    }

    void anAxisStaysWhereItIsNearlyRight_data() {
        QTest::addColumn<AxisRange>("wanted");
        QTest::addColumn<bool>("stays");
        QTest::addColumn<AxisRange>("last");
        const AxisRange line{0, 100, false}, log{1, 10000, true};
        QTest::newRow("a little more at both ends") << AxisRange{-3, 103, false} << true << line;
        QTest::newRow("a little less") << AxisRange{3, 97, false} << true << line;
        QTest::newRow("more above") << AxisRange{0, 106, false} << false << line;
        QTest::newRow("more below") << AxisRange{-6, 100, false} << false << line;
        QTest::newRow("much less") << AxisRange{20, 40, false} << false << line;
        QTest::newRow("a log axis instead") << AxisRange{1, 100, true} << false << AxisRange{1, 100, false};
        QTest::newRow("a little more of a log axis") << AxisRange{0.8, 12000, true} << true << log;
        QTest::newRow("more of a log axis") << AxisRange{0.6, 10000, true} << false << log;
    }
    void anAxisStaysWhereItIsNearlyRight() {
        QFETCH(AxisRange, wanted);
        QFETCH(bool, stays);
        QFETCH(AxisRange, last);
        QVERIFY(steady(last, wanted, 0.05) == (stays ? last : wanted));
    }

    void ticksFollowScaleAndUnit_data() {
        QTest::addColumn<PlotAxis>("axis");
        QTest::addColumn<QStringList>("labels");
        QTest::newRow("numbers") << PlotAxis{{0, 100, false}} << QStringList{"0", "20", "40", "60", "80", "100"};
        QTest::newRow("steps, log") << PlotAxis{{1, 2000, true}} << QStringList{"1", "10", "100", "1000"};
        QTest::newRow("time") << PlotAxis{{0, 300, false}, AxisUnit::Duration}
                              << QStringList{"0 s", "1:00", "2:00", "3:00", "4:00", "5:00"};
        QTest::newRow("time, log") << PlotAxis{{0.1, 5000, true}, AxisUnit::Duration}
                                   << QStringList{"0.1 s", "1 s", "10 s", "1:40", "16:40"};
    }
    void ticksFollowScaleAndUnit() {
        QFETCH(PlotAxis, axis);
        QFETCH(QStringList, labels);
        QStringList made;
        for (const Tick& tick : ticksOf(axis, 5)) made << tick.label;
        QCOMPARE(made, labels);
    }

    void linesAreCutAtTheEdges_data() {
        QTest::addColumn<QLineF>("line");
        QTest::addColumn<QLineF>("kept"); // null: nothing
        QTest::newRow("inside") << QLineF(1, 1, 9, 9) << QLineF(1, 1, 9, 9);
        QTest::newRow("through") << QLineF(-10, 5, 20, 5) << QLineF(0, 5, 10, 5);
        QTest::newRow("in from above") << QLineF(5, -10, 5, 4) << QLineF(5, 0, 5, 4);
        QTest::newRow("over a corner") << QLineF(-5, 5, 5, -5) << QLineF(0, 0, 0, 0);
        QTest::newRow("beside") << QLineF(11, 0, 20, 10) << QLineF();
        QTest::newRow("past a corner") << QLineF(-5, 4, 4, -5) << QLineF();
        QTest::newRow("a point outside") << QLineF(12, 5, 12, 5) << QLineF();
    }
    void linesAreCutAtTheEdges() {
        QFETCH(QLineF, line);
        QFETCH(QLineF, kept);
        const auto made = clipped(line, QRectF(0, 0, 10, 10));
        const bool touches = made && !made->isNull();
        QCOMPARE(touches, !kept.isNull());
        if (touches) QCOMPARE(*made, kept);
    }

    void polygonsAreCutAtTheEdges() {
        const QRectF area(0, 0, 10, 10);
        const QPolygonF diamond({{5, -5}, {15, 5}, {5, 15}, {-5, 5}});
        const QPolygonF cut = clipped(diamond, area);
        double twice = 0; // the shoelace formula
        for (qsizetype i = 0; i < cut.size(); ++i) {
            const QPointF& a = cut[i];
            const QPointF& b = cut[(i + 1) % cut.size()];
            twice += a.x() * b.y() - b.x() * a.y();
            QVERIFY(area.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(a));
        }
        QCOMPARE(std::abs(twice) / 2, 100.0); // the whole area lies in the diamond
        QVERIFY(clipped(QPolygonF({{20, 20}, {30, 20}, {20, 30}}), area).isEmpty());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QCoreApplication app(argc, argv);
    PlotAxisTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "plot_axis_test.moc"
