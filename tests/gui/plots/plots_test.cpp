// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/plots/colored.h"
#include "tests/gui/series/noise_points.h"
#include "ui/plots/canvas/curve_layer.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/layers/band_layer.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace trainyard::ui;
using trainyard::test::colored;

namespace {

PlotCanvas* canvasOf(MetricCard& card) { return card.findChild<PlotCanvas*>(); }

} // namespace

class PlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cardDrawsTheCurveInItsColor();
    void cardShowsTheChecklistUntilTheFirstPoint();
    void zoomSurvivesNewPoints();
    void wheelZoomsAroundThePointer();
    void aPlotThatWasMovedIsDrawnOnceMoreAtRest();
    void dragZoomsAndDoubleClickFits();
    void pointerMovesTheCrosshairOfEveryCard();
    void largeSmoothingRunsInAWorkerAndArrives();
    void aRewindIsRedrawn();
    void aChartOutOfSightIsDrawnOnceItIsSeen();
    void aHiddenRunIsShownAgainWithAllItsPoints();
    void aLogAxisBeginsAtTheFirstStepAboveZero();
    void aBandIsDrawnAndExported();
    void csvHoldsEveryPoint();
    void exportsWriteImages_data();
    void exportsWriteImages();
    void aZoomedCurveEndsAtTheEdgesOfAnSvg();
    void failedExportNamesTheFile();
};

void PlotsTest::cardDrawsTheCurveInItsColor() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 1}});
    std::vector<PlotPoint> line;
    for (int i = 0; i < 50; ++i) line.push_back({i, 0, 0, 0.1 * i});
    store.append("a", card.metric(), line);
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
    SeriesStore store;
    MetricCard card(QStringLiteral("train/loss"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    card.setChecklist({{"Start 2 workers", StepState::Done, "0.4 s"}, {"First step", StepState::Running, ""}});
    card.show();
    card.refreshNow();
    auto* list = card.findChild<Checklist*>();
    QVERIFY(list->isVisible());
    QVERIFY(!canvasOf(card)->isVisible());
    store.append("a", card.metric(), noise(1));
    card.refreshNow();
    QVERIFY(!list->isVisible());
    QVERIFY(canvasOf(card)->isVisible());
    store.drop("a");
    card.refreshNow();
    QVERIFY(list->isVisible());
}

void PlotsTest::zoomSurvivesNewPoints() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    QCOMPARE(group.visibleRange().high, 999.0);
    card.setLive("a", true);
    group.setVisibleRange(100, 200);
    QVERIFY(group.isBehindLive());
    store.append("a", card.metric(), noise(1000, 2, 1000, 1));
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
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    PlotCanvas* plot = canvasOf(card);
    const QPointF at(200, 100);
    QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &wheel);
    QVERIFY(group.isZoomed());
    const XRange once = group.visibleRange();
    QVERIFY(once.low > 0 && once.high < 1000 && once.high - once.low > 700);
    QWheelEvent tall(at, plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ShiftModifier, Qt::NoScrollPhase,
                     false);
    QApplication::sendEvent(plot, &tall);
    QCOMPARE(group.visibleRange(), once);
}

void PlotsTest::dragZoomsAndDoubleClickFits() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    PlotCanvas* plot = canvasOf(card);
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
    SeriesStore store;
    MetricCard first(QStringLiteral("lr"), &group, &store);
    MetricCard second(QStringLiteral("val/accuracy"), &group, &store);
    for (MetricCard* card : {&first, &second}) {
        card->resize(400, 300);
        card->setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}});
        store.append("a", card->metric(), noise(1000, 1, 0, 1));
        store.append("b", card->metric(), noise(1000, 2, 0, 1));
        card->show();
        card->refreshNow();
    }
    const QImage before = second.grab().toImage();
    QSignalSpy moved(&group, &PlotGroup::crosshairChanged);
    QMouseEvent move(QEvent::MouseMove, QPointF(200, 100), QPointF(200, 100), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(canvasOf(first), &move);
    QVERIFY(moved.count() > 0);
    QVERIFY(group.crosshair() > 300 && group.crosshair() < 600);
    QTRY_VERIFY(second.grab().toImage() != before);
    group.clearCrosshair();
    QVERIFY(std::isnan(group.crosshair()));
}

void PlotsTest::largeSmoothingRunsInAWorkerAndArrives() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("grad_norm"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(200000, 1, 0, 1));
    card.show();
    card.refreshNow();
    const QColor raw = mix(Theme::current().card, Theme::current().curve(0), 0.30);
    QCOMPARE(colored(card.grab().toImage(), raw), 0);
    group.setSmoothing(0.99);
    QTRY_VERIFY_WITH_TIMEOUT(colored(card.grab().toImage(), raw) > 1000, 5000);
    store.append("a", card.metric(), noise(100, 3, 200000, 1));
    card.refreshNow();
    const int after = colored(card.grab().toImage(), raw);
    QVERIFY2(after > 1000, qPrintable(QString::number(after)));
}

void PlotsTest::aRewindIsRedrawn() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(1000, 1, 0, 1));
    card.show();
    card.refreshNow();
    store.truncateAfter("a", 399);
    card.refreshNow();
    QCOMPARE(group.fullRange().high, 399.0);
}

void PlotsTest::aPlotThatWasMovedIsDrawnOnceMoreAtRest() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("train/loss"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    store.append("a", card.metric(), noise(1000, 1, 0, 1));
    card.show();
    QVERIFY(QTest::qWaitForWindowExposed(&card));
    QTRY_VERIFY(!canvasOf(card)->scene().layers.empty());
    const auto lines = [&] { return canvasOf(card)->scene().layers.front(); };
    for (int i = 1; i <= 3; ++i) {
        group.setVisibleRange(100.0 * i, 100.0 * i + 400);
        const auto before = lines();
        QTRY_VERIFY(lines() != before);
    }
    const auto moved = lines();
    QTRY_VERIFY(lines() != moved);
    const auto rests = lines();
    QTest::qWait(200);
    QVERIFY(lines() == rests);
    QVERIFY(std::abs(canvasOf(card)->scene().x.range.low - 300) < 2); // at most half a pixel away
}

// The same holds for all charts of a window that is minimised: window_killed_xvfb.sh measures what such a one costs.
void PlotsTest::aChartOutOfSightIsDrawnOnceItIsSeen() {
    PlotGroup group;
    SeriesStore store;
    QScrollArea area;
    auto* card = new MetricCard(QStringLiteral("train/loss"), &group, &store);
    auto* content = new QWidget;
    content->setFixedSize(400, 2000);
    card->setParent(content);
    card->setGeometry(0, 0, 400, 300);
    area.setWidget(content);
    area.resize(420, 320);
    card->setCurves({{"a", "brave-otter", 0}});
    store.append("a", card->metric(), noise(100, 1, 0, 1));
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    const auto drawnTo = [&] { return canvasOf(*card)->scene().x.range.high; };
    QTRY_VERIFY(drawnTo() > 99);
    area.verticalScrollBar()->setValue(1500);
    store.append("a", card->metric(), noise(900, 2, 100, 1));
    QTest::qWait(60); // three frames
    QVERIFY(drawnTo() < 200);
    area.verticalScrollBar()->setValue(0);
    QTRY_VERIFY(drawnTo() > 999);
}

void PlotsTest::aHiddenRunIsShownAgainWithAllItsPoints() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.setCurves({{"a", "one", 0}, {"b", "two", 1}});
    store.append("a", "lr", noise(10, 1, 0, 1));
    card.setCurves({{"b", "two", 1}});
    store.append("a", "lr", noise(90, 1, 10, 1));
    card.refreshNow();
    QVERIFY(group.fullRange().isEmpty());
    card.setCurves({{"a", "one", 0}, {"b", "two", 1}});
    card.refreshNow();
    QCOMPARE(group.fullRange().high, 99.0);
}

void PlotsTest::aLogAxisBeginsAtTheFirstStepAboveZero() {
    PlotGroup group;
    SeriesStore store;
    MetricCard loss(QStringLiteral("train/loss"), &group, &store);
    MetricCard accuracy(QStringLiteral("val/accuracy"), &group, &store);
    store.append("a", loss.metric(), noise(100, 1, 0, 10));     // steps 0, 10, 20, …
    store.append("a", accuracy.metric(), noise(10, 1, 0, 100)); // steps 0, 100, 200, …
    group.setLogX(true);
    for (MetricCard* card : {&loss, &accuracy}) {
        card->setCurves({{"a", "brave-otter", 0}});
        card->show();
        card->refreshNow();
    }
    loss.refreshNow();
    for (MetricCard* card : {&loss, &accuracy}) {
        const PlotScene& scene = canvasOf(*card)->scene();
        QVERIFY(scene.x.range.log);
        QCOMPARE(scene.x.range.low, 10.0); // the axis of all cards
        QVERIFY(scene.x.range.high > 990 && scene.x.range.high < 1200);
        const auto* lines = dynamic_cast<const CurveLayer*>(scene.layers.front().get());
        QVERIFY(lines && !lines->curves().front().main.empty());
        for (const Column& column : lines->curves().front().main) QVERIFY(column.xFirst > 0);
    }
    const auto mode = group.xMode();
    group.setLogX(false);
    loss.refreshNow();
    QCOMPARE(canvasOf(loss)->scene().x.range.low, 0.0);
    QCOMPARE(group.xMode(), mode);
}

void PlotsTest::aBandIsDrawnAndExported() {
    QTemporaryDir folder;
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("val/accuracy"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}, {"c", "dapper-wren", 2}});
    for (int run = 0; run < 3; ++run) {
        std::vector<PlotPoint> points;
        for (int i = 0; i <= 20; ++i) points.push_back({i, i / 10.0, i * 1.0, 0.1 * run});
        store.append(QString(QLatin1Char(static_cast<char>('a' + run))), card.metric(), points);
    }
    card.show();
    card.refreshNow();
    const QColor grey = mix(Theme::current().card, Theme::current().text2, 0.16);
    QCOMPARE(colored(card.grab().toImage(), grey), 0);
    group.setShowBand(true);
    card.refreshNow();
    QVERIFY(colored(card.grab().toImage(), grey) > 2000);
    const PlotScene& scene = canvasOf(card)->scene();
    const auto* band = dynamic_cast<const BandLayer*>(scene.layers.front().get()); // below the curves
    QVERIFY(band != nullptr);
    const BandPoint& point = band->bands().front().points[50];
    QCOMPARE(point.runs, 3);
    QCOMPARE(band->bands().front().points.back().x, 20.0); // to the end of the runs
    QCOMPARE(band->bands().front().points.back().runs, 3);
    QVERIFY(std::abs(point.mean - 0.1) < 1e-12 && std::abs(point.deviation - 0.1) < 1e-12);
    QVERIFY(scene.y.range.low <= 0 && scene.y.range.high >= 0.2);
    const QString path = folder.filePath(QStringLiteral("band.png"));
    QString result = QStringLiteral("pending");
    card.exportChart(path, ChartFormat::Png, {800, 500}, [&](const QString& error) { result = error; });
    QTRY_COMPARE(result, QString());
    QVERIFY(colored(QImage(path), grey) > 20000);
}

void PlotsTest::csvHoldsEveryPoint() {
    QTemporaryDir folder;
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("train/loss"), &group, &store);
    card.setCurves({{"a", "brave-otter", 0}, {"b", "calm, \"finch\"", 1}});
    auto points = noise(2500);
    points[3].value = std::nan("");
    store.append("a", card.metric(), points);
    store.append("b", card.metric(), noise(7, 4));
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
        if (i == 3) QCOMPARE(fields[6], QByteArray("nan"));
        else QCOMPARE(fields[6].toDouble(), point.value);
    }
    QVERIFY(lines.last().startsWith("b,\"calm, \"\"finch\"\"\",train/loss,18,"));
}

void PlotsTest::exportsWriteImages_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("png") << static_cast<int>(ChartFormat::Png) << "c.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << static_cast<int>(ChartFormat::Svg) << "c.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << static_cast<int>(ChartFormat::Pdf) << "c.pdf" << QByteArray("%PDF");
}

void PlotsTest::exportsWriteImages() {
    QFETCH(int, format);
    QFETCH(QString, name);
    QFETCH(QByteArray, start);
    QTemporaryDir folder;
    PlotGroup group;
    group.setSmoothing(0.6);
    SeriesStore store;
    MetricCard card(QStringLiteral("val/accuracy"), &group, &store);
    card.setCurves({{"a", "brave-otter", 0}, {"b", "calm-finch", 1}});
    store.append("a", card.metric(), noise(5000));
    store.append("b", card.metric(), noise(50));
    card.show();
    card.refreshNow();
    const QString path = folder.filePath(name);
    QString result = QStringLiteral("pending");
    card.exportChart(path, static_cast<ChartFormat>(format), {800, 500}, [&](const QString& error) { result = error; });
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
        QVERIFY(bytes.contains("brave-otter")); // the legend
        QVERIFY(bytes.contains("Step"));        // the axis title
    }
}

// An SVG of Qt 6.4 keeps no clip: what lies outside must not be written at all.
void PlotsTest::aZoomedCurveEndsAtTheEdgesOfAnSvg() {
    QTemporaryDir folder;
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    card.resize(400, 300);
    card.setCurves({{"a", "brave-otter", 0}});
    std::vector<PlotPoint> steep;
    for (int i = 0; i < 40; ++i) steep.push_back({i, 0, 0, i % 2 == 0 ? -1e3 : 1e3});
    store.append("a", card.metric(), steep);
    card.show();
    card.refreshNow();
    Q_EMIT canvasOf(card)->yRangeRequested(-1, 1);
    group.setVisibleRange(10, 12);
    card.refreshNow();
    const QString path = folder.filePath(QStringLiteral("zoomed.svg"));
    QString result = QStringLiteral("pending");
    card.exportChart(path, ChartFormat::Svg, {800, 500}, [&](const QString& error) { result = error; });
    QTRY_COMPARE(result, QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    const QRegularExpression polyline(QStringLiteral("<polyline[^>]*points=\"([^\"]*)\""));
    int points = 0;
    for (auto each = polyline.globalMatch(text); each.hasNext();) {
        const QStringList pairs = each.next().captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const QString& pair : pairs) {
            const double x = pair.section(QLatin1Char(','), 0, 0).toDouble();
            const double y = pair.section(QLatin1Char(','), 1, 1).toDouble();
            QVERIFY2(x >= 0 && x <= 800 && y >= 0 && y <= 500, qPrintable(pair));
            ++points;
        }
    }
    QVERIFY2(points >= 4, qPrintable(QString::number(points)));
}

void PlotsTest::failedExportNamesTheFile() {
    PlotGroup group;
    SeriesStore store;
    MetricCard card(QStringLiteral("lr"), &group, &store);
    QString result = QStringLiteral("pending");
    card.exportCsv(QStringLiteral("/nowhere/at/all.csv"), [&](const QString& error) { result = error; });
    QTRY_VERIFY(result != QLatin1String("pending"));
    QVERIFY(result.contains(QLatin1String("/nowhere/at/all.csv")));
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    PlotsTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "plots_test.moc"
