// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_page.h"

#include "ui/models/desktop/settings.h"
#include "ui/pages/page_table.h"
#include "ui/pages/runs/curves/curves_view.h"
#include "ui/pages/runs/curves/rank_timeline_view.h"
#include "ui/pages/runs/inspector/inspector.h"
#include "ui/pages/runs/inspector/logs_view.h"
#include "ui/pages/runs/inspector/model_view.h"
#include "ui/pages/runs/inspector/run_banner.h"
#include "ui/pages/runs/samples/samples_view.h"
#include "ui/pages/runs/table/archive_sheet.h"
#include "ui/pages/runs/table/compare_view.h"
#include "ui/pages/runs/table/import_sheet.h"
#include "ui/pages/runs/table/runs_panel.h"
#include "ui/pages/runs/table/scaling_sheet.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/layout.h"

#include <QApplication>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace trainyard::ui {

namespace {

// In design pixels.
constexpr int kRunsColumn = 336, kLeastRuns = 240, kLeastInspector = 272;
constexpr int kMiddle = 480; // its content fits this width; beside one column in the smallest window:
constexpr int kLeastMiddle = 360;

} // namespace

RunsPage::RunsPage(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    m_splitter = new QSplitter(Qt::Horizontal);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_runs = new RunsPanel(bench);
    m_runs->setMinimumWidth(theme.px(kLeastRuns));
    m_inspector = new Inspector(bench);
    m_inspector->setMinimumWidth(theme.px(kLeastInspector));

    m_middle = new Surface(SurfaceColor::Window);
    auto* layout = column(m_middle);
    auto* tabsRow = new Surface(SurfaceColor::Window, BottomEdge);
    tabsRow->setFixedHeight(theme.px(40));
    auto* tabsLayout = row(tabsRow);
    setMargins(tabsLayout, 8, 0, 8, 0);
    m_tabs = new QTabBar;
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Views of the selected runs"));
    m_tabs->addTab(tr("Curves"));
    m_tabs->addTab(tr("Model"));
    m_tabs->addTab(tr("Logs"));
    m_tabs->addTab(tr("Compare"));
    m_tabs->addTab(tr("Timeline"));
    m_tabs->addTab(tr("Samples"));
    tabsLayout->addWidget(m_tabs);
    tabsLayout->addStretch();
    m_notes = new QVBoxLayout;
    m_notes->setContentsMargins(0, 0, 0, 0);
    m_pages = new QStackedWidget;
    m_curves = new CurvesView(bench);
    m_logs = new LogsView(bench);
    m_pages->addWidget(m_curves);
    m_pages->addWidget(new ModelView(bench));
    m_pages->addWidget(m_logs);
    m_pages->addWidget(new CompareView(bench));
    m_pages->addWidget(new RankTimelineView(bench));
    m_samples = new SamplesView(bench);
    m_pages->addWidget(m_samples);
    layout->addWidget(tabsRow);
    layout->addLayout(m_notes);
    layout->addWidget(new RunBanner(bench));
    layout->addWidget(m_pages, 1);

    m_splitter->addWidget(m_runs);
    m_splitter->addWidget(m_middle);
    m_splitter->addWidget(m_inspector);
    m_splitter->setStretchFactor(1, 1);
    column(this)->addWidget(m_splitter);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { keepColumns(*m_splitter); });

    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    if (m_splitter->restoreState(Settings::runsSplitter.get())) keepColumns(*m_splitter);
    setTab(Settings::runsTab.get());
    connect(m_tabs, &QTabBar::currentChanged, this, &RunsPage::arranged);
    connect(m_splitter, &QSplitter::splitterMoved, this, &RunsPage::arranged);
    listen();
    showTabs();
}

// A program has no samples that Trainyard knows, and nobody times the parts of its steps.
void RunsPage::showTabs() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    for (const Tab tab : {TimelineTab, SamplesTab}) m_tabs->setTabVisible(tab, !run || !run->isProgram);
}

void RunsPage::listen() {
    connect(&m_bench.selection, &RunSelection::currentChanged, this, &RunsPage::showTabs);
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, &RunsPage::showTabs);
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, [this] {
        if (m_bench.feed.runs().empty() == m_inspector->isVisible()) fitColumns();
    });
    connect(&m_bench, &Workbench::tabRequested, this, &RunsPage::setTab);
    connect(&m_bench, &Workbench::samplesRequested, this, [this](const QString& checkpoint) {
        setTab(SamplesTab);
        m_samples->showCheckpoint(checkpoint);
    });
    connect(&m_bench, &Workbench::runsTableToggled, this, &RunsPage::toggleRuns);
    connect(&m_bench, &Workbench::inspectorToggled, this, &RunsPage::toggleInspector);
    connect(&m_bench, &Workbench::filterRequested, this, [this] {
        showRuns();
        m_runs->focusFilter();
    });
    connect(&m_bench, &Workbench::importRequested, this, [this](const QStringList& paths) {
        auto* sheet = new ImportSheet(m_bench, window());
        sheet->open();
        sheet->look(paths);
    });
    connect(&m_bench, &Workbench::archivedRequested, this, [this] { (new ArchiveSheet(m_bench, window()))->open(); });
    connect(&m_bench, &Workbench::scalingRequested, this, [this](const QString& id) {
        if (const RunItemPtr run = m_bench.feed.run(id)) (new ScalingSheet(m_bench, run, window()))->open();
    });
    connect(&m_bench, &Workbench::renameRequested, this, [this](const QString& run) {
        showRuns();
        m_runs->rename(run);
    });
    connect(&m_bench, &Workbench::logSearchRequested, this, [this] {
        setTab(LogsTab);
        m_logs->focusSearch();
    });
    connect(&m_bench, &Workbench::chartExportRequested, this,
            [this] { m_curves->exportMenu(mapToGlobal(QPoint(window()->width() / 2, 90))); });
}

// In a narrow window, too.
void RunsPage::showRuns() {
    if (m_runs->isVisible()) return;
    m_runsWanted = m_runsLast = true;
    fitColumns();
}

void RunsPage::setTab(int tab) { m_tabs->setCurrentIndex(std::clamp(tab, 0, m_tabs->count() - 1)); }

void RunsPage::toggleRuns() {
    m_runsWanted = !m_runs->isVisible();
    m_runsLast = true;
    fitColumns();
}

void RunsPage::toggleInspector() {
    m_inspectorWanted = !m_inspector->isVisible();
    m_runsLast = false;
    fitColumns();
}

// The middle keeps its width: where both side columns do not fit, the one requested last stays.
void RunsPage::fitColumns() {
    const Theme& theme = Theme::current();
    const int wide = window()->width();
    const bool isEmpty = m_bench.feed.loaded() && m_bench.feed.runs().empty(); // nothing to inspect
    bool inspector = m_inspectorWanted.value_or(wide >= theme.px(1180) && !isEmpty);
    bool runs = m_runsWanted.value_or(wide >= theme.px(960));
    const auto left = [&] {
        return width() - (runs ? theme.px(kLeastRuns) + 1 : 0) - (inspector ? theme.px(kLeastInspector) + 1 : 0);
    };
    if (runs && inspector && left() < theme.px(kMiddle)) (m_runsLast ? inspector : runs) = false;
    m_middle->setMinimumWidth(std::clamp(left(), theme.px(kLeastMiddle), theme.px(kMiddle)));
    for (const auto& [column, shown] :
         {std::pair<QWidget*, bool>(m_inspector, inspector), std::pair<QWidget*, bool>(m_runs, runs)}) {
        // The focus stays on the page: Qt would hand it to the first widget of the window.
        const QWidget* focus = QApplication::focusWidget();
        if (!shown && focus && (focus == column || column->isAncestorOf(focus))) m_tabs->setFocus();
        column->setVisible(shown);
    }
}

void RunsPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) ui::fitColumns(*m_splitter, width(), kRunsColumn);
    fitColumns();
}

void RunsPage::tell(const QString& text) {
    auto* holder = new QWidget;
    auto* layout = column(holder);
    setMargins(layout, 12, 12, 12, 0);
    auto* banner = new Banner(Status::Info, text);
    banner->setClosable(true);
    layout->addWidget(banner);
    m_notes->addWidget(holder);
    connect(banner, &Banner::dismissed, holder, &QWidget::deleteLater);
    banner->appear();
}

void RunsPage::saveState() const {
    if (keepsColumns(*m_splitter)) Settings::runsSplitter.set(m_splitter->saveState());
    Settings::runsTab.set(m_tabs->currentIndex());
    m_curves->saveState();
}

Page runsPage() { return {"runs", QT_TRANSLATE_NOOP("Page", "Runs"), "runs", makePage<RunsPage>}; }

} // namespace trainyard::ui
