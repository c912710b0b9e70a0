// SPDX-License-Identifier: GPL-3.0-or-later
// A plot that stands by itself, with a scatter layer: real mouse and keys, hover and choice, exports.
#include "tests/gui/plots/colored.h"
#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/chart/plot.h"
#include "ui/plots/layers/key_layer.h"
#include "ui/plots/layers/line_layer.h"
#include "ui/plots/layers/parallel_layer.h"
#include "ui/plots/layers/scatter_layer.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>

#include <memory>

using namespace trainyard::ui;
using trainyard::test::colored;

namespace {

const QList<ScatterDot>& dots() {
    static const QList<ScatterDot> all{{"a", "amber, \"vole\"", 0.01, 0.5, QColor(200, 30, 30)},
                                       {"b", "bold-ibis", 0.1, 0.9, QColor(30, 200, 30), true},
                                       {"c", "calm-finch", 1, 0.7, QColor(30, 30, 200)},
                                       {"d", "dapper-wren", 0, 0.6, QColor(200, 200, 30)},
                                       {"e", "eager-lynx", 0.3, std::nan(""), QColor(30, 200, 200)}};
    return all;
}

} // namespace

class PlotTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Plot> m_plot;
    PlotCanvas* m_canvas = nullptr;

    QPoint pixelOf(int dot) const { return m_canvas->frame().toPixel(dots()[dot].x, dots()[dot].y).toPoint(); }
    const AxisRange& x() const { return m_plot->scene().x.range; }
    const AxisRange& y() const { return m_plot->scene().y.range; }
    void move(const QPoint& to) {
        QMouseEvent event(QEvent::MouseMove, to, m_canvas->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(m_canvas, &event);
    }
    void wheel(const QPoint& at, Qt::KeyboardModifiers keys) {
        QWheelEvent event(at, m_canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_canvas, &event);
    }
    QByteArray exported(ChartFormat format, const QString& name) {
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QString result = QStringLiteral("pending");
        m_plot->exportChart(path, format, {800, 500}, [&](const QString& error) { result = error; });
        [&] { QTRY_COMPARE(result, QString()); }();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void init() {
        m_plot = std::make_unique<Plot>();
        m_plot->resize(500, 300);
        m_plot->setTitles(QStringLiteral("lr"), QStringLiteral("val/accuracy"));
        m_plot->setLog(true, false);
        m_plot->setLayers(
            {std::make_shared<ScatterLayer>(dots(), QStringLiteral("lr"), QStringLiteral("val/accuracy"))});
        m_plot->show();
        m_canvas = m_plot->findChild<PlotCanvas*>();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
    }
    void cleanup() { m_plot.reset(); }

    void axesFitWhatHasAPlace() {
        QVERIFY(x().log && x().low > 0.001 && x().low < 0.01 && x().high > 1 && x().high < 10);
        QVERIFY(!y().log && y().low < 0.5 && y().low > 0.4 && y().high > 0.9 && y().high < 1);
        m_plot->setLog(false, true);
        QVERIFY(!x().log && x().low < 0 && x().high > 1); // the dot at 0 has a place now
        QVERIFY(y().log && y().low > 0 && y().high > 0.9);
        m_plot->setLayers({});
        QVERIFY(x().high > x().low && y().high > y().low);
    }

    // Feature: one kind of plot for all charts: zoom by mouse, wheel and keys, hover and choice, exports as SVG, PDF,
    // PNG and CSV. Also in plot_axis_test, plots_test.
    void dragZoomsAndDoubleClickFits() {
        const AxisRange fitX = x(), fitY = y();
        const QPoint from = pixelOf(1) - QPoint(40, 20), to = pixelOf(1) + QPoint(40, 20);
        QTest::mousePress(m_canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(m_canvas, (from + to) / 2);
        QTest::mouseMove(m_canvas, to);
        QTest::mouseRelease(m_canvas, Qt::LeftButton, {}, to);
        QVERIFY(x().low > fitX.low && x().high < fitX.high && x().low < 0.1 && x().high > 0.1);
        QVERIFY(y().low > fitY.low && y().high < fitY.high && y().low < 0.9 && y().high > 0.9);
        const AxisRange zoomed = x();
        m_plot->setLayers(
            {std::make_shared<ScatterLayer>(dots(), QStringLiteral("lr"), QStringLiteral("val/accuracy"))});
        QVERIFY(x() == zoomed); // new values do not move what is looked at
        QTest::mouseDClick(m_canvas, Qt::LeftButton, {}, from);
        QVERIFY(x() == fitX && y() == fitY);
    }

    void wheelZoomsXAndWithShiftY() {
        const AxisRange fitX = x(), fitY = y();
        const QPoint at = pixelOf(1);
        wheel(at, Qt::NoModifier);
        QVERIFY(x().low > fitX.low && x().high < fitX.high && y() == fitY);
        QVERIFY((pixelOf(1) - at).manhattanLength() <= 2); // what is under the pointer stays there
        const AxisRange once = x();
        wheel(at, Qt::ShiftModifier);
        QVERIFY(x() == once && y().high - y().low < fitY.high - fitY.low);
    }

    // Feature: on a page that scrolls, the wheel scrolls the page, and zooms with Ctrl.
    void thePageKeepsTheWheel() {
        m_plot->leaveWheelToPage();
        const AxisRange fitX = x();
        wheel(pixelOf(1), Qt::NoModifier);
        QVERIFY(x() == fitX);
        wheel(pixelOf(1), Qt::ControlModifier);
        QVERIFY(x().high - x().low < fitX.high - fitX.low);
    }

    // Feature: an axis of times spans seconds also where one moment is known, and one of counts reaches 1.
    void oneMomentIsNoCentury() {
        const PlotLine rate{QStringLiteral("Rate"), Qt::black, {QPointF(1.7e9, 0)}};
        m_plot->setAxes({.unit = AxisUnit::WallTime}, {});
        m_plot->setLayers({std::make_shared<LineLayer>(QList{rate}, QStringLiteral("time"), exactText, exactText)});
        QVERIFY2(x().high - x().low < 60, qPrintable(exactText(x().high - x().low)));
        QVERIFY(y().high >= 1 && y().low > -1);
    }

    void keysZoomAndMove_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<bool>("shift");
        QTest::addColumn<int>("low"); // where the ends go: -1, 0, 1
        QTest::addColumn<int>("high");
        QTest::addColumn<bool>("vertical");
        QTest::newRow("left") << static_cast<int>(Qt::Key_Left) << false << -1 << -1 << false;
        QTest::newRow("right") << static_cast<int>(Qt::Key_Right) << false << 1 << 1 << false;
        QTest::newRow("plus") << static_cast<int>(Qt::Key_Plus) << true << 1 << -1 << false;
        QTest::newRow("minus") << static_cast<int>(Qt::Key_Minus) << false << -1 << 1 << false;
        QTest::newRow("shift up") << static_cast<int>(Qt::Key_Up) << true << 1 << -1 << true;
        QTest::newRow("shift down") << static_cast<int>(Qt::Key_Down) << true << -1 << 1 << true;
    }
    void keysZoomAndMove() {
        QFETCH(int, key);
        QFETCH(bool, shift);
        QFETCH(int, low);
        QFETCH(int, high);
        QFETCH(bool, vertical);
        const AxisRange fitX = x(), fitY = y();
        QTest::keyClick(m_plot.get(), static_cast<Qt::Key>(key), shift ? Qt::ShiftModifier : Qt::NoModifier);
        const AxisRange& before = vertical ? fitY : fitX;
        const AxisRange& after = vertical ? y() : x();
        const auto sign = [](double difference) { return difference > 0 ? 1 : difference < 0 ? -1 : 0; };
        QCOMPARE(sign(after.low - before.low), low);
        QCOMPARE(sign(after.high - before.high), high);
        QVERIFY(vertical ? x() == fitX : y() == fitY);
        QTest::keyClick(m_plot.get(), Qt::Key_Home);
        QVERIFY(x() == fitX && y() == fitY);
    }

    void pointingNamesTheRunAndAClickChoosesIt() {
        QSignalSpy hovered(m_plot.get(), &Plot::hovered);
        QSignalSpy chosen(m_plot.get(), &Plot::chosen);
        const QColor other = dots()[0].color;
        QVERIFY(colored(m_plot->grab().toImage(), other) > 40);
        move(pixelOf(2) + QPoint(3, 3));
        QCOMPARE(hovered.count(), 1);
        QCOMPARE(hovered.takeFirst()[0].toString(), QStringLiteral("c"));
        auto* tooltip = m_plot->findChild<ChartTooltip*>();
        QVERIFY(tooltip && tooltip->isVisible());
        QCOMPARE(colored(m_canvas->grab().toImage(), other), 0); // the others fade
        move(pixelOf(2) + QPoint(2, 2));
        QCOMPARE(hovered.count(), 0); // still the same
        QTest::mouseClick(m_canvas, Qt::LeftButton, {}, pixelOf(2));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("c"));
        move(pixelOf(2) - QPoint(60, 0));
        QCOMPARE(hovered.takeFirst()[0].toString(), QString());
        QVERIFY(!tooltip->isVisible());
        QTest::mouseClick(m_canvas, Qt::LeftButton, {}, pixelOf(2) - QPoint(60, 0));
        QCOMPARE(chosen.count(), 1);
    }

    void svgHoldsThePoints() {
        const QByteArray bytes = exported(ChartFormat::Svg, QStringLiteral("s.svg"));
        QXmlStreamReader reader(bytes);
        QString words;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::Characters)
                words += reader.text().toString() + QLatin1Char('\n');
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const char* word : {"lr × val/accuracy", "bold-ibis", "0.1", "val/accuracy", "1 without a value"})
            QVERIFY2(words.contains(QString::fromUtf8(word)), word);
        QSvgRenderer renderer(bytes);
        QVERIFY(renderer.isValid());
        QImage image(800, 500, QImage::Format_RGB32);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const QImage plot = image.copy(0, 80, 800, 420); // below the legend
        for (int dot : {0, 1, 2}) QVERIFY2(colored(plot, dots()[dot].color) > 25, qPrintable(dots()[dot].name));
        for (int dot : {3, 4}) QCOMPARE(colored(plot, dots()[dot].color), 0); // no place, no value
    }

    void anExportShowsWhatTheScreenShows() {
        wheel(pixelOf(1), Qt::NoModifier);
        for (int i = 0; i < 12; ++i) wheel(pixelOf(1), Qt::NoModifier);
        const QImage image = QImage::fromData(exported(ChartFormat::Png, QStringLiteral("s.png")));
        QCOMPARE(image.size(), QSize(1600, 1000));
        const QImage plot = image.copy(0, 160, 1600, 840);
        QVERIFY(colored(plot, dots()[1].color) > 100);
        QCOMPARE(colored(plot, dots()[0].color), 0); // zoomed out of sight
        QVERIFY(exported(ChartFormat::Pdf, QStringLiteral("s.pdf")).startsWith("%PDF"));
    }

    // Many lines are kept as a picture: with it, without it and the second time they look alike.
    // Feature: parallel coordinates of ten thousand trials stay fluent while they are brushed; plots have a key.
    void aPictureOfManyLinesIsTheLines() {
        QList<ParallelLine> lines;
        for (int i = 0; i < 900; ++i)
            lines << ParallelLine{QString::number(i),
                                  QString::number(i),
                                  {i / 900.0, std::fmod(i * 0.618, 1.0)},
                                  {},
                                  i / 900.0,
                                  {},
                                  false,
                                  i % 3 == 0};
        const QList<ParallelAxis> axes{{QStringLiteral("a")}, {QStringLiteral("b")}};
        const auto painted = [&](const ParallelLayer& layer, double width) {
            QImage image(400, 300, QImage::Format_ARGB32_Premultiplied);
            image.fill(Theme::current().card);
            QPainter painter(&image);
            layer.paint(painter, PlotFrame({10, 10, width, 280}, {-0.5, 1.5, false}, {0, 1, false}, Theme::current()));
            return image;
        };
        const auto shared = std::make_shared<LinePicture>();
        const ParallelLayer alone(axes, lines), first(axes, lines, shared), second(axes, lines, shared);
        const QImage wide = painted(alone, 380);
        QVERIFY(colored(wide, Theme::current().card) < 110000); // something is drawn
        for (const auto* layer : {&alone, &first, &second, &first}) QVERIFY(painted(*layer, 380) == wide);
        const QImage narrow = painted(second, 200);
        QVERIFY(narrow != wide);
        QVERIFY(painted(alone, 200) == narrow);
    }

    void aLongLabelStaysBesideItsAxis() {
        ParallelAxis first{QStringLiteral("model")};
        first.ticks = {{0.5, QStringLiteral("a model with many parameters, hidden=[512,512,512]")}};
        const ParallelLayer layer({first, {QStringLiteral("b")}}, {});
        QImage image(400, 300, QImage::Format_ARGB32_Premultiplied);
        image.fill(Theme::current().card);
        QPainter painter(&image);
        const auto bounds = layer.bounds(false, false);
        layer.paint(painter,
                    PlotFrame({20, 30, 360, 240}, {bounds.xLow, bounds.xHigh, false}, {0, 1, false}, Theme::current()));
        painter.end();
        QCOMPARE(image.copy(0, 0, 18, 300).pixelColor(0, 0), Theme::current().card);
        QCOMPARE(colored(image.copy(0, 0, 18, 300), Theme::current().card), 18 * 300); // nothing left of the plot
        QVERIFY(colored(image, Theme::current().card) < 400 * 300);
    }

    void aKeyStandsInTheCorner() {
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(Theme::current().card);
        QPainter painter(&image);
        KeyLayer({{KeyEntry::Line, QStringLiteral("cut"), QColor(200, 30, 30)}})
            .paint(painter, PlotFrame({10, 10, 380, 280}, {0, 1, false}, {0, 1, false}, Theme::current()));
        painter.end();
        QVERIFY(colored(image.copy(200, 10, 190, 16), QColor(200, 30, 30)) >= 20);
        QCOMPARE(colored(image, Theme::current().card),
                 400 * 300 - (190 * 16 - colored(image.copy(200, 10, 190, 16), Theme::current().card)));
    }

    void csvHoldsEveryPoint() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("points.csv"));
        QString result = QStringLiteral("pending");
        m_plot->exportCsv(path, [&](const QString& error) { result = error; });
        QTRY_COMPARE(result, QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines, (QList<QByteArray>{"run,name,lr,val/accuracy", "a,\"amber, \"\"vole\"\"\",0.01,0.5",
                                           "b,bold-ibis,0.1,0.9", "c,calm-finch,1,0.7", "d,dapper-wren,0,0.6",
                                           "e,eager-lynx,0.3,nan"}));
    }

    void aFailedExportNamesTheFile() {
        QString result = QStringLiteral("pending");
        m_plot->exportCsv(QStringLiteral("/nowhere/at/all.csv"), [&](const QString& error) { result = error; });
        QTRY_VERIFY(result != QLatin1String("pending"));
        QVERIFY(result.contains(QLatin1String("/nowhere/at/all.csv")));
    }

    void aScreenReaderIsToldEveryDot() {
        for (const ScatterDot& dot : dots()) QVERIFY(m_plot->accessibleDescription().contains(dot.name));
        QCOMPARE(m_plot->accessibleName(), QString::fromUtf8("lr × val/accuracy"));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    PlotTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "plot_test.moc"
