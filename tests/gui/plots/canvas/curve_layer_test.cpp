// SPDX-License-Identifier: GPL-3.0-or-later
// What the screen shows of many curves, painted by faster ways than a QPainter's, beside what a QPainter paints.
#include "tests/gui/series/noise_points.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/in_parallel.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QPicture>
#include <QTest>

#include <atomic>

using namespace trainyard::ui;

namespace {

constexpr int kWidth = 300, kHeight = 200;

std::vector<CurveView> noisyCurves(int runs, double drift = 0, int columnWidth = 1) {
    std::vector<CurveView> curves;
    for (int i = 0; i < runs; ++i) {
        auto points = noise(30000, static_cast<unsigned>(i) + 1, 0, 1);
        for (PlotPoint& point : points) point.value += i + drift * static_cast<double>(point.step);
        SeriesData series;
        series.append(points);
        CurveView curve;
        curve.runId = QString::number(i);
        curve.color = Theme::current().curve(i);
        curve.main = reduceToColumns(series, {XMode::Step, 0, 30000, kWidth / columnWidth, false});
        curve.end = {std::nan(""), std::nan("")};
        curves.push_back(std::move(curve));
    }
    return curves;
}

PlotFrame frameOf(const QString& hovered = {}) {
    PlotFrame frame({10, 5, kWidth, kHeight}, {0, 30000, false}, {-4, 8, false}, Theme::current());
    frame.hovered = hovered;
    return frame;
}

QImage picture(const std::function<void(QPainter&)>& paint) {
    QImage image(kWidth + 20, kHeight + 20, QImage::Format_RGB32);
    image.fill(Theme::current().card);
    QPainter painter(&image);
    paint(painter);
    return image;
}

QImage onScreen(const CurveLayer& layer, const PlotFrame& frame) {
    return picture([&](QPainter& painter) { layer.paint(painter, frame); });
}

} // namespace

class CurveLayerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Wherever between two pixels it lies, and however its points are spread.
    void aLevelCurveIsOfOneColor() {
        SeriesData series;
        std::vector<PlotPoint> points;
        for (int i = 0; i < 40; ++i) points.push_back({i * i * 18, static_cast<double>(i), 0, 0.123});
        series.append(points);
        CurveView curve;
        curve.runId = QStringLiteral("level");
        curve.color = Theme::current().curve(0);
        curve.main = reduceToColumns(series, {XMode::Step, 0, 30000, kWidth, false});
        curve.end = {std::nan(""), std::nan("")};
        const PlotFrame frame = frameOf();
        const CurveLayer layer({curve});
        const QImage shown = onScreen(layer, frame);
        const int middle = qRound(frame.toPixel(0, 0.123).y());
        const int left = qRound(frame.toPixel(18, 0).x()) + 3, right = qRound(frame.toPixel(39 * 39 * 18, 0).x()) - 3;
        for (int y = middle - 3; y <= middle + 3; ++y)
            for (int x = left + 1; x < right; ++x) QCOMPARE(shown.pixel(x, y), shown.pixel(left, y));
        QVERIFY(shown.pixel(left, middle) != Theme::current().card.rgb());
    }
    void barsHaveThePixelsOfAPainter_data() {
        QTest::addColumn<int>("columnWidth");
        QTest::newRow("as wide as a pixel") << 1;
        QTest::newRow("as wide as two") << 2;
        QTest::newRow("as wide as three") << 3;
    }
    void barsHaveThePixelsOfAPainter() {
        QFETCH(int, columnWidth);
        const CurveLayer layer(noisyCurves(5, 0, columnWidth), CurveDetail{false, columnWidth});
        QPicture vectors;
        QPainter recorder(&vectors);
        layer.paint(recorder, frameOf());
        recorder.end();
        const QImage expected = picture([&](QPainter& painter) { painter.drawPicture(0, 0, vectors); });
        QCOMPARE(onScreen(layer, frameOf()), expected);
        QVERIFY(expected.pixelColor(100, 100) != Theme::current().card);
    }

    // A plot that is moved may show wider columns, and what it covers stays the same.
    void aWideColumnCoversWhatItsPixelsDo() {
        const QImage narrow = onScreen(CurveLayer(noisyCurves(1)), frameOf());
        const QImage wide = onScreen(CurveLayer(noisyCurves(1, 0, 2), CurveDetail{true, 2}), frameOf());
        const QRect area = frameOf().area.toRect();
        const auto painted = [](const QImage& image, int x, int y) {
            return image.pixelColor(x, y) != Theme::current().card;
        };
        for (int x = area.left(); x < area.right(); x += 2) {
            for (int y = area.top(); y <= area.bottom(); ++y) {
                QCOMPARE(painted(wide, x, y), painted(wide, x + 1, y));
                QCOMPARE(painted(wide, x, y), painted(narrow, x, y) || painted(narrow, x + 1, y));
            }
        }
        QVERIFY(wide != narrow);
    }

    // One layer for one run pointed at after another looks like a new one for each.
    void whatIsPointedAtLiesOverTheOthers() {
        const auto curves = noisyCurves(5);
        const CurveLayer layer(curves);
        for (const char* hovered : {"", "1", "4", "0", ""}) {
            const PlotFrame frame = frameOf(QString::fromLatin1(hovered));
            const QImage image = onScreen(layer, frame);
            QCOMPARE(image, onScreen(CurveLayer(curves), frame));
            if (frame.hovered.isEmpty()) continue;
            const CurveView& run = curves[frame.hovered.toUInt()];
            for (const Column& column : run.main) { // nothing hides it
                const QPointF at = frame.toPixel(column.xFirst, (column.extent.min + column.extent.max) / 2);
                if (frame.area.contains(at))
                    QCOMPARE(image.pixelColor(static_cast<int>(at.x()), static_cast<int>(at.y())), run.color);
            }
        }
    }

    // Antialiased lines have colours between theirs and the background's.
    void linesAreAntialiasedUnlessThePlotMoves() {
        std::vector<CurveView> curves;
        for (int i = 0; i < 60; ++i) {
            std::vector<PlotPoint> points;
            for (int k = 0; k < kWidth; ++k) points.push_back({100 * k, 0, 0, i / 6.0 - 3 + std::sin(k / 20.0)});
            SeriesData series;
            series.append(points);
            CurveView curve;
            curve.runId = QString::number(i);
            curve.color = Theme::current().curve(0);
            curve.main = reduceToColumns(series, {XMode::Step, 0, 30000, kWidth, false});
            curve.end = {std::nan(""), std::nan("")};
            curves.push_back(std::move(curve));
        }
        const auto others = [](const QImage& image) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QColor color = image.pixelColor(x, y);
                    count += color != Theme::current().card && color != Theme::current().curve(0) ? 1 : 0;
                }
            return count;
        };
        QVERIFY(others(onScreen(CurveLayer(curves), frameOf())) > 1000);
        QCOMPARE(others(onScreen(CurveLayer(curves, CurveDetail{true}), frameOf())), 0);
        curves.resize(2); // few take no time
        QVERIFY(others(onScreen(CurveLayer(curves, CurveDetail{true}), frameOf())) > 100);
    }

    void aThinLineHasNoGap_data() {
        QTest::addColumn<QPointF>("from");
        QTest::addColumn<QPointF>("to");
        QTest::newRow("flat") << QPointF(2.2, 50.4) << QPointF(90.7, 50.9);
        QTest::newRow("falling") << QPointF(2.2, 10.4) << QPointF(90.7, 70.9);
        QTest::newRow("steep") << QPointF(40.2, 95.4) << QPointF(43.7, 3.9);
        QTest::newRow("upright") << QPointF(40.2, 95.4) << QPointF(40.2, 3.9);
        QTest::newRow("from outside") << QPointF(-1000, -500) << QPointF(90, 70);
    }
    void aThinLineHasNoGap() {
        QFETCH(QPointF, from);
        QFETCH(QPointF, to);
        ColumnPicture pixels(QRect(0, 0, 100, 100));
        pixels.add(from, to, qRgb(255, 0, 0));
        QImage image(100, 100, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        pixels.flush(painter);
        painter.end();
        int painted = 0;
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 100; ++x) {
                if (image.pixelColor(x, y) == Qt::white) continue;
                ++painted;
                const QPointF along = to - from, at = QPointF(x + .5, y + .5) - from;
                const double off = std::abs(along.x() * at.y() - along.y() * at.x()) / std::hypot(along.x(), along.y());
                QVERIFY2(off < 1.5, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            }
        const double width = to.x() - std::max(0.0, from.x()), height = std::abs(to.y() - std::max(0.0, from.y()));
        QVERIFY2(painted >= static_cast<int>(std::max(width, height)) - 1, qPrintable(QString::number(painted)));
    }

    void everyPieceIsDoneOnce() {
        for (const int count : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
            inParallel(count, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
            for (const auto& each : done) QCOMPARE(each.load(), 1);
        }
    }
};

QTEST_MAIN(CurveLayerTest)
#include "curve_layer_test.moc"
