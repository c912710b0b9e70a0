// SPDX-License-Identifier: GPL-3.0-or-later
// A chart in a window that is minimised, on a display of its own. A window manager takes the window off the display
// then; here xdotool does.
#include "tests/gui/series/noise_points.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/plots/card/metric_card.h"
#include "ui/series/series_store.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/exposure.h"

#include <QApplication>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <cstdio>

using namespace trainyard::ui;

namespace {

class Paints : public QObject {
public:
    explicit Paints(QWidget& window) {
        window.installEventFilter(this);
        for (QWidget* child : window.findChildren<QWidget*>()) child->installEventFilter(this);
    }
    int count = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

// What a window manager does to a window that is minimised ("windowunmap") or shown again ("windowmap").
bool askServer(const char* what, const QWidget& window) {
    return QProcess::execute(QStringLiteral("xdotool"), {QString::fromLatin1(what), QString::number(window.winId())}) ==
           0;
}

} // namespace

class HiddenChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMinimisedWindowPaintsNoChart() {
        PlotGroup group;
        SeriesStore store;
        MetricCard card(QStringLiteral("train/loss"), &group, &store);
        card.setCurves({{"a", "brave-otter", 0}});
        store.append("a", card.metric(), noise(100, 1, 0, 1));
        card.show();
        QVERIFY(QTest::qWaitForWindowExposed(&card));
        watchExposure(card, [&card](bool) { card.update(); }); // as the main window does
        const auto shown = [&] { return card.findChild<PlotCanvas*>()->scene(); };
        const auto drawnTo = [&] { return shown().x.range.high; };
        QTRY_VERIFY(drawnTo() > 99);
        QVERIFY(askServer("windowunmap", card));
        QTRY_VERIFY(!isOnScreen(card));
        QVERIFY(card.isVisible()); // to Qt, which is not told why
        const auto layers = shown().layers;
        Paints paints(card);
        for (int i = 0; i < 10; ++i) {
            store.append("a", card.metric(), noise(90, 2, 100 + 90 * i, 1));
            QTest::qWait(30); // more than a frame
        }
        QCOMPARE(paints.count, 0);
        QVERIFY(shown().layers == layers);
        QVERIFY(askServer("windowmap", card));
        QTRY_VERIFY(drawnTo() > 999);
        QVERIFY(paints.count > 0);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    if (QStandardPaths::findExecutable(QStringLiteral("Xvfb")).isEmpty() ||
        QStandardPaths::findExecutable(QStringLiteral("xdotool")).isEmpty()) {
        std::puts("Xvfb or xdotool is not installed");
        return 77;
    }
    QProcess server;
    server.start(QStringLiteral("Xvfb"),
                 {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"), QStringLiteral("0"),
                  QStringLiteral("800x600x24"), QStringLiteral("-nolisten"), QStringLiteral("tcp")});
    if (!server.waitForReadyRead()) return std::puts("Xvfb did not start"), 1;
    qputenv("DISPLAY", ":" + server.readLine().trimmed());
    qputenv("QT_QPA_PLATFORM", "xcb");
    int failures = 0;
    {
        QApplication app(argc, argv);
        ThemeController::instance().install(app);
        HiddenChartTest test;
        failures = QTest::qExec(&test, argc, argv);
    }
    server.terminate();
    server.waitForFinished();
    return failures;
}
#include "hidden_chart_test.moc"
