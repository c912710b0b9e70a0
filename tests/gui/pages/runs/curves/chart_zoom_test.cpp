// SPDX-License-Identifier: GPL-3.0-or-later
// What the curves are zoomed to comes back: after a restart, with a saved view, and only where it shows something.
#include "tests/gui/sample_workspace.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/curves/chart_bar.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/marks/overview_strip.h"

#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

class ChartZoomTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    // Two runs: one of 1000 steps, one of 10.
    void fill() {
        const auto store = std::move(*store::Store::open(m_workspace));
        for (const auto& [id, steps] : {std::pair{"long", 1000}, std::pair{"short", 10}}) {
            store::RunRow row;
            row.id = row.name = id;
            row.specJson = "{}";
            row.status = wire::RunStatus::Finished;
            row.createdMs = 1'700'000'000'000 + steps;
            QVERIFY(store->createRun(row).ok());
            std::vector<wire::Point> points;
            for (int step = 1; step <= steps; ++step)
                points.push_back({step, step / 10.0, step / 100.0, 1.0 + 0.001 * step});
            QVERIFY(store->appendPoints(id, {{"train/loss", 0, std::move(points)}}).ok());
        }
    }
    void open() {
        m_window.reset();
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1400, 900);
        m_window->setPage(PageId::runs);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 2);
        show("long");
        QTRY_VERIFY(group().fullRange().high >= 1000);
    }
    void show(const QString& run) { m_window->bench().selection.show(run); }
    CurvesView& view() { return *m_window->findChild<CurvesView*>(); }
    PlotGroup& group() { return view().group(); }
    MetricCard& loss() { return *m_window->findChild<ChartBoard*>()->card(QStringLiteral("train/loss")); }
    AxisRange lossY() {
        loss().refreshNow();
        return loss().yRange();
    }
    // As the wheel and a drag do it.
    void zoom() {
        group().setVisibleRange(200, 300);
        Q_EMIT loss().findChild<PlotCanvas*>()->yRangeRequested(1.1, 1.4);
    }
    bool isZoomed() {
        const AxisRange y = lossY();
        return group().isZoomed() && group().visibleRange() == XRange{200, 300} && qFuzzyCompare(y.low, 1.1) &&
               qFuzzyCompare(y.high, 1.4);
    }
    bool isWhole() { return !group().isZoomed() && lossY().high > 1.9 && lossY().low < 1.05; }
    QByteArray saved() { return Settings::chartZoom.of(QString::fromStdString(m_workspace.root.string())).get(); }

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = m_folder->path().toStdString();
        fill();
        open();
    }
    void cleanup() { m_window.reset(); }

    // Feature: the zoom of charts comes back after a restart and with a saved view, only where it shows points and in
    // its own x; each workspace has its own page. Also in chart_layout_test, live_chart_test, page_table_test.
    void comesBackAfterARestart() {
        QTRY_VERIFY(isWhole());
        zoom();
        QTRY_VERIFY(isZoomed());
        QTRY_VERIFY(!saved().isEmpty()); // also for a window that is killed
        open();
        QTRY_VERIFY(isZoomed());
        // A double click shows all again, now and later.
        QTest::mouseDClick(loss().findChild<PlotCanvas*>(), Qt::LeftButton, {},
                           loss().findChild<PlotCanvas*>()->rect().center());
        QTRY_VERIFY(isWhole());
        QTRY_VERIFY(saved().isEmpty());
        open();
        QTRY_VERIFY(isWhole());
    }

    void holdsOnlyWhereItShowsSomething() {
        zoom();
        QTRY_VERIFY(isZoomed());
        show("short");
        QTRY_COMPARE(group().fullRange().high, 10.0);
        QTRY_VERIFY(!group().isZoomed());
        QVERIFY(lossY().high < 1.1); // its y is that of its points
        show("long");
        QTRY_VERIFY(isZoomed());
        show("short");
        QTRY_VERIFY(!saved().isEmpty());
        open();
        QTRY_VERIFY(isZoomed()); // of the other run
    }

    void isOfTheXThatItWasMadeIn() {
        zoom();
        QTRY_VERIFY(!saved().isEmpty());
        Settings::curvesX.set(static_cast<int>(XMode::Epoch));
        m_window.reset();
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->setPage(PageId::runs);
        m_window->show();
        QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 2);
        show("long");
        QTRY_VERIFY(group().fullRange().high > 99 && group().fullRange().high < 101);
        QVERIFY(isWhole());
    }

    void theStripIsDrawnHoweverOftenCheckpointsCome() {
        WorkspaceFeed& feed = m_window->bench().feed;
        const QColor color = Theme::current().curve(feed.run("short")->color);
        const auto isDrawn = [&] {
            const QImage image = m_window->findChild<OverviewStrip*>()->grab().toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QColor pixel = image.pixelColor(x, y);
                    if (std::abs(pixel.red() - color.red()) < 30 && std::abs(pixel.green() - color.green()) < 30 &&
                        std::abs(pixel.blue() - color.blue()) < 30)
                        return true;
                }
            return false;
        };
        QVERIFY(!isDrawn());
        QTimer often;
        connect(&often, &QTimer::timeout, this, [&feed] { Q_EMIT feed.checkpointsChanged(QStringLiteral("short")); });
        often.start(20);
        show("short");
        QTRY_VERIFY(isDrawn());
    }

    void isPartOfASavedView() {
        auto& bar = *m_window->findChild<ChartBar*>();
        zoom();
        QTRY_VERIFY(isZoomed());
        Q_EMIT bar.saveRequested(QStringLiteral("detail"));
        group().fit();
        QTRY_VERIFY(isWhole());
        Q_EMIT bar.viewRequested(QStringLiteral("detail"));
        QTRY_VERIFY(isZoomed());
        Q_EMIT bar.viewRequested(QString()); // the standard one
        QTRY_VERIFY(isWhole());
        show("short"); // which it shows nothing of
        QTRY_COMPARE(group().fullRange().high, 10.0);
        Q_EMIT bar.viewRequested(QStringLiteral("detail"));
        QVERIFY(!group().isZoomed());
        show("long");
        QTRY_VERIFY(isZoomed());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-chart-zoom-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-chart-zoom-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    ChartZoomTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "chart_zoom_test.moc"
