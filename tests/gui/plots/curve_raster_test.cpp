// SPDX-License-Identifier: GPL-3.0-or-later
// Curves on the screen are painted by CurveRaster, in files by QPainter: both must look the same.
#include "ui/plots/curve_layer.h"
#include "ui/plots/curve_raster.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>
#include <QPicture>
#include <QTest>

#include <random>

using namespace trainyard::ui;

namespace {

constexpr QSize kSize(300, 200);

// A curve as the card reduces it: a point of each pixel column, or many.
CurveView curve(int number, double noise, std::size_t pointsInAColumn, double stride, int pattern = 0) {
    std::mt19937 random(static_cast<unsigned>(number));
    std::normal_distribution<double> normal(0, noise);
    CurveView view;
    view.runId = QString::number(number);
    view.color = Theme::current().curve(number);
    view.pattern = pattern;
    for (double x = 0; x < kSize.width(); x += stride) {
        Column column{x, x + 0.8 * stride, {}, pointsInAColumn};
        const double middle = 0.5 + 0.3 * std::sin(x / 40 + number);
        for (std::size_t i = 0; i < pointsInAColumn; ++i) column.extent.add(middle + normal(random));
        if (pointsInAColumn == 1) column.xLast = column.xFirst;
        if (x > 100 && x < 104) column.extent = {}; // a gap
        view.main.push_back(column);
    }
    return view;
}

PlotFrame frame() { return {QRectF(QPointF(), kSize), {0, double(kSize.width())}, {0, 1}, Theme::current()}; }

QImage blank() {
    QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::current().card);
    return image;
}

QImage onScreen(const CurveLayer& layer) {
    QImage image = blank();
    QPainter painter(&image);
    layer.paint(painter, frame());
    return image;
}

QImage byPainter(const CurveLayer& layer) {
    QPicture picture;
    {
        QPainter painter(&picture);
        layer.paint(painter, frame());
    }
    QImage image = blank();
    QPainter painter(&image);
    picture.play(&painter);
    return image;
}

int channelDifference(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

// Of the pixels that either paints, the share that differ by more than an eighth of a channel.
double difference(const QImage& a, const QImage& b) {
    int painted = 0, other = 0;
    const QRgb card = Theme::current().card.rgb();
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            painted += a.pixel(x, y) != card || b.pixel(x, y) != card ? 1 : 0;
            other += channelDifference(a.pixel(x, y), b.pixel(x, y)) > 32 ? 1 : 0;
        }
    }
    return painted == 0 ? 1 : static_cast<double>(other) / painted;
}

} // namespace

class CurveRasterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curvesLookAsAPainterDrawsThem_data();
    void curvesLookAsAPainterDrawsThem();
    void aPixelTakesWhatIsCovered();
    void whatLiesOutsideIsLeftOut();
};

void CurveRasterTest::curvesLookAsAPainterDrawsThem_data() {
    QTest::addColumn<int>("curves");
    QTest::addColumn<double>("noise");
    QTest::addColumn<int>("points");
    QTest::addColumn<double>("stride");
    QTest::addColumn<int>("pattern");
    QTest::addColumn<double>("most"); // of the pixels may differ
    QTest::newRow("a line") << 1 << 0.0 << 1 << 6.0 << 0 << 0.02;
    QTest::newRow("steep lines") << 1 << 0.2 << 1 << 6.0 << 0 << 0.02;
    QTest::newRow("several lines") << 4 << 0.02 << 1 << 3.0 << 0 << 0.02;
    QTest::newRow("bars of noise") << 2 << 0.1 << 40 << 1.0 << 0 << 0.02;
    QTest::newRow("so many that they are thin") << 60 << 0.1 << 1 << 4.0 << 0 << 0.1; // a rounded pixel
    QTest::newRow("dashes") << 1 << 0.02 << 1 << 6.0 << 1 << 0.05; // which bend at a vertex
    QTest::newRow("points without neighbours") << 1 << 0.1 << 1 << 400.0 << 0 << 0.02;
}

void CurveRasterTest::curvesLookAsAPainterDrawsThem() {
    QFETCH(int, curves);
    QFETCH(double, noise);
    QFETCH(int, points);
    QFETCH(double, stride);
    QFETCH(int, pattern);
    QFETCH(double, most);
    std::vector<CurveView> views;
    for (int i = 0; i < curves; ++i)
        views.push_back(curve(i, noise, static_cast<std::size_t>(points), stride, pattern));
    const CurveLayer layer(std::move(views));
    const double share = difference(onScreen(layer), byPainter(layer));
    QVERIFY2(share < most, qPrintable(QString::number(share)));
}

void CurveRasterTest::aPixelTakesWhatIsCovered() {
    CurveRaster raster(QSize(4, 4));
    const QPointF corners[] = {{1, 0.75}, {3, 0.75}, {3, 2.5}, {1, 2.5}};
    raster.fillConvex(corners, qRgb(255, 255, 255));
    const QImage image = raster.image();
    const int covered[4][4] = {{0, 64, 64, 0}, {0, 255, 255, 0}, {0, 128, 128, 0}, {0, 0, 0, 0}};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) QVERIFY(std::abs(qAlpha(image.pixel(x, y)) - covered[y][x]) <= 1);
}

void CurveRasterTest::whatLiesOutsideIsLeftOut() {
    CurveRaster raster(QSize(4, 4));
    const QRgb color = qRgb(255, 0, 0);
    for (const QLineF& line : {QLineF(-9, -9, -2, 9), QLineF(-9, 20, 90, 20), QLineF(20, -9, 20, 90)}) {
        raster.drawLine(line, 2, 1, color);
        raster.drawHairline(line, 1, color);
    }
    raster.fillColumn(-1, 0, 4, color);
    raster.fillColumn(2, -9, 0, color);
    raster.fillColumn(2, 4, 9, color);
    const QImage image = raster.image();
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) QCOMPARE(qAlpha(image.pixel(x, y)), 0);
}

QTEST_MAIN(CurveRasterTest)
#include "curve_raster_test.moc"
