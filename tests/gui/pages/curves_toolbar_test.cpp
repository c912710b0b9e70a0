// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar of the curves: every choice reaches the cards, is remembered, and fits a window of 1280×720.
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shared/curves_toolbar.h"
#include "ui/pages/shared/run_legend.h"
#include "ui/plots/canvas/plot_canvas.h"
#include "ui/plots/card/metric_card.h"
#include "ui/plots/layers/band_layer.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QMenu>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <filesystem>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const BandLayer* bandOf(const MetricCard& card) {
    for (const auto& layer : card.findChild<PlotCanvas*>()->scene().layers)
        if (const auto* band = dynamic_cast<const BandLayer*>(layer.get())) return band;
    return nullptr;
}

} // namespace

class CurvesToolbarTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    // Opens the page of runs with two runs drawn.
    void open(const QSize& size) {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(size);
        m_window->setPage(PageId::runs);
        m_window->show();
        [&] { QTRY_COMPARE(static_cast<int>(m_window->bench().feed.runs().size()), 12); }();
        m_window->bench().selection.setSelected(
            {m_window->bench().feed.runs()[2]->id, m_window->bench().feed.runs()[4]->id});
        [&] { QTRY_VERIFY(!loss().findChild<PlotCanvas*>()->scene().layers.empty()); }();
    }
    CurvesToolbar& toolbar() { return *m_window->findChild<CurvesToolbar*>(); }
    const PlotGroup& group() { return m_window->findChild<CurvesView*>()->group(); }
    MetricCard& loss() {
        for (auto* card : m_window->findChild<CurvesView*>()->findChildren<MetricCard*>())
            if (card->metric() == QLatin1String("train/loss")) return *card;
        qFatal("there is no card of the loss");
    }
    QAction& choice(const char* id) {
        for (QAction* each : toolbar().findChildren<QAction*>())
            if (each->text() == actionText(action(id))) return *each;
        qFatal("the toolbar has no %s", id);
    }
    bool isDrawn(bool logX, bool band) {
        loss().refreshNow();
        const PlotScene& scene = loss().findChild<PlotCanvas*>()->scene();
        return scene.x.range.log == logX && (bandOf(loss()) != nullptr) == band;
    }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = (m_folder.path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
    }
    void init() { QSettings().clear(); }
    void cleanup() { m_window.reset(); }

    // Feature: a log x axis, also with step 0, and the mean ± std band, from the toolbar and the command palette,
    // remembered. Also in plots_test, run_band_test.
    void togglesReachTheCardsAndSurviveARestart() {
        open({1600, 900});
        QTRY_VERIFY(isDrawn(false, false));
        choice("log-x").trigger();
        QTRY_VERIFY(isDrawn(true, false));
        choice("band").trigger();
        QTRY_VERIFY(isDrawn(true, true));
        m_window.reset();
        open({1600, 900});
        QVERIFY(choice("log-x").isChecked() && choice("band").isChecked());
        QVERIFY(group().logX() && group().showBand());
        QTRY_VERIFY(isDrawn(true, true));
        QCOMPARE(Settings::curvesLogX.get(), true);
        QCOMPARE(Settings::curvesBand.get(), true);
        choice("log-x").trigger();
        choice("band").trigger();
        QTRY_VERIFY(isDrawn(false, false));
    }

    // From the command palette, wherever the window is.
    void actionsToggleThem() {
        open({1600, 900});
        for (const char* id : {"log-x", "band"}) action(id).act({m_window->bench(), nullptr, m_window.get()});
        QTRY_VERIFY(isDrawn(true, true));
        QVERIFY(choice("log-x").isChecked() && choice("band").isChecked());
        QVERIFY(choice("band").toolTip().contains(QStringLiteral("standard deviation")));
    }

    // "Jump to live" is the longest of the words of the live button.
    void theWordsOfTheLiveButtonFitToo() {
        open({1400, 800});
        auto& shown = m_window->findChild<CurvesView*>()->group();
        QTRY_VERIFY(!shown.fullRange().isEmpty());
        shown.setVisibleRange(1, 2);
        QVERIFY(shown.isBehindLive());
        QVERIFY(toolbar().minimumSizeHint().width() <= toolbar().width());
    }

    void aBandNeedsTwoRuns() {
        open({1600, 900});
        choice("band").trigger();
        QTRY_VERIFY(isDrawn(false, true));
        QCOMPARE(bandOf(loss())->bands().front().points.front().runs, 2);
        m_window->bench().selection.setSelected({m_window->bench().feed.runs()[2]->id});
        QTRY_VERIFY(isDrawn(false, false));
    }

    void theLegendHidesARun() {
        open({1600, 900});
        auto* legend = m_window->findChild<RunLegend*>();
        QTRY_VERIFY(legend->isVisible());
        QTRY_COMPARE(loss().curves().size(), 2);
        const QString other = loss().curves()[1].runId;
        auto* entry = legend->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly).value(1);
        QTest::mouseClick(entry, Qt::LeftButton); // the first, after the button for more
        QCOMPARE(loss().curves().size(), 1);
        QCOMPARE(loss().curves()[0].runId, other);
        QTest::keyClick(entry, Qt::Key_Space);
        QCOMPARE(loss().curves().size(), 2);
    }

    void everythingFitsTheWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x720") << QSize(1280, 720);
        QTest::newRow("1366x768") << QSize(1366, 768);
        QTest::newRow("1600x900") << QSize(1600, 900);
        QTest::newRow("900x700") << QSize(900, 700);
    }
    void everythingFitsTheWindow() {
        QFETCH(QSize, size);
        open(size);
        QCOMPARE(m_window->size(), size);
        QTest::qWait(50);
        QVERIFY2(toolbar().minimumSizeHint().width() <= toolbar().width(),
                 qPrintable(
                     QStringLiteral("needs %1 of %2").arg(toolbar().minimumSizeHint().width()).arg(toolbar().width())));
        const QWidget* right = nullptr;
        bool reachable = false; // as a button, or in the menu of one
        bool isButton = false;
        for (auto* button : toolbar().findChildren<QToolButton*>()) {
            if (!button->isVisible()) continue;
            QVERIFY(toolbar().rect().contains(button->geometry()));
            QVERIFY2(right == nullptr || !right->geometry().intersects(button->geometry()), qPrintable(button->text()));
            right = button;
            isButton = isButton || button->defaultAction() == &choice("band");
            reachable = reachable || button->defaultAction() == &choice("band") ||
                        (button->menu() && button->menu()->actions().contains(&choice("band")));
        }
        QVERIFY(reachable);
        if (size.width() < 1280) return;
        QVERIFY(toolbar().findChild<QSlider*>()->isVisible());
        QVERIFY(isButton || size.width() < 1366); // runs of several seeds are read by their band
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-curves-toolbar-test"));
    QApplication::setOrganizationName(QStringLiteral("trainyard-curves-toolbar-test"));
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    ThemeController::instance().install(app);
    CurvesToolbarTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "curves_toolbar_test.moc"
