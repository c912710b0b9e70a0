// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/curves_view.h"

#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/curves/chart_bar.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/curves/chart_menu.h"
#include "ui/pages/runs/curves/curves_strip.h"
#include "ui/pages/runs/curves/drawn_note.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/pages/shared/curves_toolbar.h"
#include "ui/pages/shared/run_legend.h"
#include "ui/pages/shared/start_checklist.h"
#include "ui/plots/card/metric_card.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/marks/overview_strip.h"

#include <QKeyEvent>
#include <QScrollArea>
#include <QStackedWidget>

namespace trainyard::ui {

namespace {

constexpr int kZoomPause = 400; // ms without a change before a zoom is saved

auto zoomSetting(const Workbench& bench) {
    return Settings::chartZoom.of(QString::fromStdString(bench.feed.workspace().root.string()));
}

// The inspector shows single test results.
bool hasCurve(const QString& series, std::int64_t points) {
    return hasChart(series) && !run::isSingleTest(series.toStdString(), points);
}

bool hasCurve(const QString& name, const SeriesData* live) { return hasCurve(name, live ? qint64(live->size()) : 0); }

} // namespace

CurvesView::CurvesView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench), m_desk(bench) {
    build();
    m_stripTimer.setSingleShot(true);
    m_stripTimer.setInterval(300);
    connect(&m_stripTimer, &QTimer::timeout, this, &CurvesView::refreshStrip);
    connectFeed();
    connectGroup();
    connectBoard();
    connectViews();
    showSelection();
    showViews();
    restoreZoom();
    keepZoom();
}

void CurvesView::build() {
    auto* layout = column(this);
    m_toolbar = new CurvesToolbar(m_group);
    m_bar = new ChartBar;
    m_board = new ChartBoard(m_group, m_bench.feed.series());
    m_scroll = scrolled(m_board, tr("Charts"));
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // for a chart wider than the middle column
    m_scroll->viewport()->installEventFilter(this);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_scroll);
    m_empty = new EmptyPage;
    m_stack->addWidget(m_empty);
    m_strip = new OverviewStrip;
    m_strip->setFixedHeight(Theme::current().px(44));
    m_strip->setAccessibleName(tr("The whole run; drag to choose the visible range"));
    auto* stripRow = row();
    setMargins(stripRow, 12, 0, 12, 12);
    stripRow->addWidget(m_strip);
    m_legend = new RunLegend(m_bench);
    for (QWidget* each : std::initializer_list<QWidget*>{m_toolbar, m_bar, new DrawnNote(m_bench, this), m_legend})
        layout->addWidget(each);
    layout->addWidget(m_stack, 1);
    layout->addLayout(stripRow);
}

void CurvesView::connectFeed() {
    const auto& feed = m_bench.feed;
    connect(&m_bench.drawn, &DrawnRuns::changed, this, &CurvesView::showSelection);
    connect(&feed, &WorkspaceFeed::runsChanged, this, &CurvesView::showSelection);
    connect(&m_bench.groups, &ShownGroups::changed, this, &CurvesView::showSelection);
    connect(&feed.series(), &SeriesStore::changed, this, &CurvesView::showSeries);
    connect(&feed, &WorkspaceFeed::eventsChanged, this, &CurvesView::showEvents);
    connect(&feed, &WorkspaceFeed::stateChanged, this, [this](const QString& run) {
        if (m_drawn.contains(run)) {
            showChecklist();
            showLiveEnds();
        }
    });
    connect(&m_bench.selection, &RunSelection::currentChanged, this, &CurvesView::showSteering);
    connect(&m_bench.actions, &RunActions::startingChanged, this, &CurvesView::showCharts);
    connect(&feed, &WorkspaceFeed::checkpointsChanged, this, &CurvesView::startStrip);
    connect(&ThemeController::instance(), &ThemeController::changed, this, &CurvesView::startStrip);
}

void CurvesView::connectGroup() {
    connect(&m_group, &PlotGroup::runClicked, this, [this](const QString& run) { m_bench.selection.setCurrent(run); });
    connect(&m_group, &PlotGroup::hoveredRunChanged, &m_bench.selection, &RunSelection::setHovered);
    connect(&m_bench.selection, &RunSelection::hoveredChanged, this, [this] {
        m_group.setHoveredRun(m_drawn.contains(m_bench.selection.hovered()) ? m_bench.selection.hovered() : QString());
    });
    connect(&m_group, &PlotGroup::crosshairChanged, m_strip, &OverviewStrip::setCrosshair);
    // User actions show at once; the points of a training run show with the next redraw of its curves.
    connect(&m_group, &PlotGroup::visibleRangeChanged, this, [this] {
        if (m_group.isZoomed()) showRange();
    });
    connect(&m_group, &PlotGroup::fullRangeChanged, this, &CurvesView::startStrip);
    connect(&m_group, &PlotGroup::fitted, this, &CurvesView::showRange);
    connect(&m_group, &PlotGroup::modesChanged, this, &CurvesView::startStrip);
    connect(m_strip, &OverviewStrip::rangeRequested, &m_group, &PlotGroup::setVisibleRange);
    connect(m_strip, &OverviewStrip::fitRequested, &m_group, &PlotGroup::fit);
    connect(&m_bench, &Workbench::shownSourcesChanged, this, &CurvesView::showSelection);
    connect(&m_bench, &Workbench::curveDefaultsChanged, m_toolbar, &CurvesToolbar::restore);
    connect(&m_bench, &Workbench::logXToggled, m_toolbar, &CurvesToolbar::toggleLogX);
    connect(&m_bench, &Workbench::bandToggled, m_toolbar, &CurvesToolbar::toggleBand);
    connect(&m_bench, &Workbench::eventsToggled, m_toolbar, &CurvesToolbar::toggleEvents);
}

void CurvesView::connectBoard() {
    connect(&m_desk, &ChartDesk::layoutChanged, this, &CurvesView::showCharts);
    connect(m_board, &ChartBoard::moveRequested, this, [this](const QString& id, const QString& before) {
        m_desk.change(tr("Chart moved"), [&](ChartLayout& layout) { return layout.move(id, before); });
    });
    connect(m_board, &ChartBoard::moveByRequested, this, [this](const QString& id, int places) {
        QStringList shown;
        for (const MetricCard* card : m_board->cards()) shown << m_board->idOf(card);
        m_desk.change(tr("Chart moved"), [&](ChartLayout& layout) { return layout.moveBy(id, places, shown); });
    });
    connect(m_board, &ChartBoard::axesRequested, this, [this](const QString& id, const ChartAxes& axes) {
        m_desk.change(tr("Y axis changed"), [&](ChartLayout& layout) { return layout.setAxes(id, axes); });
    });
    connect(m_board, &ChartBoard::exportRequested, this, [this](MetricCard* card) {
        showChartExport(m_bench, card, card->mapToGlobal(QPoint(card->width() - 200, 36)));
    });
    connect(m_board, &ChartBoard::valueSteered, this, [this](const QString& run, double value) {
        m_bench.actions.command(run, wire::CommandKind::SetLearningRate, value);
    });
    connect(m_board, &ChartBoard::menuRequested, this, &CurvesView::openMenu);
    connect(m_board, &ChartBoard::draggedTo, this, [this](const QPoint& at) {
        const int edge = Theme::current().px(40); // closer to the edge, the board scrolls
        m_scroll->ensureVisible(at.x(), at.y(), 0, edge);
    });
}

void CurvesView::connectViews() {
    connect(&m_bench, &Workbench::chartSearchRequested, m_bar, &ChartBar::focusSearch);
    connect(m_bar, &ChartBar::searchChanged, this, &CurvesView::showCharts);
    connect(m_bar, &ChartBar::columnsChosen, m_board, &ChartBoard::setColumns);
    connect(m_legend, &RunLegend::shownChanged, m_board, &ChartBoard::setRuns);
    connect(m_bar, &ChartBar::showRequested, this, [this](const QString& id) {
        m_desk.change(id.isEmpty() ? tr("All charts shown") : tr("Chart shown"),
                      [&](ChartLayout& layout) { return id.isEmpty() ? layout.showAll() : layout.hide(id, false); });
    });
    connect(&m_desk, &ChartDesk::viewsChanged, this, &CurvesView::showViews);
    connect(m_toolbar, &CurvesToolbar::choicesChanged, this, &CurvesView::showViews);
    connect(m_bar, &ChartBar::viewRequested, this, &CurvesView::applyView);
    connect(m_bar, &ChartBar::saveRequested, this, [this](const QString& name) {
        m_view = name;
        m_desk.saveView(name, shownView());
    });
    connect(m_bar, &ChartBar::renameRequested, this, [this](const QString& name, const QString& now) {
        if (m_view == name && m_desk.view(now) == nullptr) m_view = now;
        if (!m_desk.renameView(name, now) && name != now)
            Q_EMIT m_bench.statusMessage(tr("A view named “%1” already exists").arg(now), {});
    });
    connect(m_bar, &ChartBar::exportRequested, this, &CurvesView::exportMenu);
    connect(m_bar, &ChartBar::removeRequested, &m_desk, &ChartDesk::removeView);
}

void CurvesView::setZoom(const ChartZoom& zoom) {
    if (zoom.x) m_group.restoreZoom(zoom.x->first, zoom.x->second);
    else m_group.fit();
    m_board->setZooms(zoom.y);
    showRange();
}

// A range of steps means nothing in seconds.
void CurvesView::restoreZoom() {
    const auto saved = chartZoomFromText(zoomSetting(m_bench).get());
    if (saved && saved->second == m_group.xMode()) setZoom(saved->first);
}

// Soon after a change, so that it survives a killed window.
void CurvesView::keepZoom() {
    m_zoomTimer.setSingleShot(true);
    m_zoomTimer.setInterval(kZoomPause);
    connect(&m_zoomTimer, &QTimer::timeout, this, &CurvesView::saveZoom);
    const auto soon = [this] { m_zoomTimer.start(); };
    connect(&m_group, &PlotGroup::visibleRangeChanged, this, soon);
    connect(&m_group, &PlotGroup::fitted, this, soon);
    connect(&m_group, &PlotGroup::modesChanged, this, soon);
    connect(m_board, &ChartBoard::zoomed, this, soon);
}

void CurvesView::saveZoom() const {
    const auto setting = zoomSetting(m_bench);
    const ChartZoom zoom = shownView().zoom;
    if (zoom == ChartZoom{}) setting.forget();
    else setting.set(chartZoomToText(zoom, m_group.xMode()));
}

void CurvesView::saveState() const {
    if (m_zoomTimer.isActive()) saveZoom();
}

RunItemPtr CurvesView::leadingRun() const {
    if (m_drawn.isEmpty()) return {};
    const QString& current = m_bench.selection.current();
    return m_bench.feed.run(m_drawn.contains(current) ? current : m_drawn.first());
}

bool CurvesView::isWaiting() const {
    if (m_drawn.isEmpty()) return m_bench.actions.starting() > 0;
    return std::any_of(m_drawn.begin(), m_drawn.end(), [this](const QString& id) {
        const RunItemPtr run = m_bench.feed.run(id);
        return run && wire::isActive(m_bench.feed.status(*run));
    });
}

void CurvesView::showSelection() {
    const QStringList before = std::exchange(m_drawn, {});
    m_series.clear();
    for (const QString& id : m_bench.drawn.runs()) {
        const RunItemPtr run = m_bench.feed.run(id);
        if (!run) continue;
        m_drawn << id;
        for (const auto& summary : run->series)
            if (const auto name = QString::fromStdString(summary.series); hasCurve(name, summary.count))
                m_series.insert(name);
        for (const QString& name : m_bench.feed.series().names(id))
            if (hasCurve(name, m_bench.feed.series().find(id, name))) m_series.insert(name);
    }
    m_series.removeIf([this](const QString& name) { return !isWanted(m_bench, name); });
    if (m_drawn != before) m_group.showOtherRuns();
    m_legend->setRuns(curveStyles(m_bench, m_drawn));
    m_desk.offer(m_series.values());
    showCharts();
    startStrip();
}

// Charts without points are hidden, except the main ones while they wait for their first.
void CurvesView::showCharts() {
    const bool waiting = isWaiting();
    const bool validated = std::any_of(m_series.begin(), m_series.end(),
                                       [](const QString& series) { return series.startsWith(QLatin1String("val/")); });
    const RunItemPtr run = leadingRun();
    const bool any = std::any_of(m_series.begin(), m_series.end(),
                                 [](const QString& series) { return run::tellsOfTraining(series.toStdString()); });
    const auto awaited = [&](const QString& series) {
        if (run && run->isProgram) return !any && series == mainSeries().first(); // who knows what it will report?
        return mainSeries().contains(series) && !(validated && series.startsWith(QLatin1String("val/")));
    };
    const auto has = [&](const ChartCard& chart) {
        return (waiting && awaited(chart.id)) ||
               std::any_of(chart.series.begin(), chart.series.end(),
                           [this](const QString& series) { return m_series.contains(series); });
    };
    QList<ChartCard> all = m_desk.layout().charts(), shown = m_desk.layout().shown(m_bar->search());
    all.removeIf([&](const ChartCard& chart) { return !has(chart); });
    shown.removeIf([&](const ChartCard& chart) { return !has(chart); });
    QList<std::pair<QString, QString>> hidden;
    for (const ChartCard& chart : std::as_const(all))
        if (chart.hidden) hidden << std::pair{chart.id, chart.title()};
    m_board->setCharts(shown);
    m_bar->setHidden(hidden);
    m_bar->setCounts(static_cast<int>(shown.size()), static_cast<int>(all.size() - hidden.size()));
    if (shown.isEmpty()) showEmpty(all);
    m_stack->setCurrentIndex(shown.isEmpty() ? 1 : 0);
    for (const QString& id : std::as_const(m_drawn)) showEvents(id);
    showChecklist();
    showLiveEnds();
    showViews();
}

namespace {

// The message in place of the board, and the action of the button below it.
struct Instead {
    QString what, why, action, icon;
    std::function<void()> act;
};

} // namespace

// The message in place of the board; `withPoints`: all charts that could be shown.
void CurvesView::showEmpty(const QList<ChartCard>& withPoints) {
    const RunItemPtr run = leadingRun();
    const auto hidden = std::count_if(withPoints.begin(), withPoints.end(), [](const auto& c) { return c.hidden; });
    Instead instead;
    if (!run && !m_bench.feed.loaded()) {
        instead = {}; // no message before the runs are read
    } else if (m_bench.feed.runs().empty()) {
        const Action& start = action("new-run");
        instead = {tr("No curves yet"), tr("Start a run to see its curves here while it trains."), actionText(start),
                   QLatin1String(start.icon), [this] { Q_EMIT m_bench.newRunRequested(QString(), false); }};
    } else if (!run) {
        instead = {tr("No run selected"), tr("Select runs in the table to draw them."), {}, {}, {}};
    } else if (withPoints.isEmpty()) {
        const bool queued = m_bench.feed.status(*run) == wire::RunStatus::Queued;
        instead = queued ? Instead{tr("Waiting"), tr("The trial starts when an earlier one ends."), {}, {}, {}}
                         : Instead{tr("No points"), tr("The run ended before it logged anything."), {}, {}, {}};
    } else if (hidden == withPoints.size()) {
        instead = {tr("All charts are hidden"), tr("The layout of this workspace hides them."), tr("Show all"),
                   QStringLiteral("eye"), [this] { Q_EMIT m_bar->showRequested(QString()); }};
    } else {
        instead = {tr("0 of %1 charts match").arg(withPoints.size() - hidden),
                   tr("No series has “%1” in its name.").arg(m_bar->search().trimmed()), tr("Clear the search"),
                   QStringLiteral("search"), [this] { m_bar->setSearch(QString()); }};
    }
    // A run reports several times a second: an unchanged message stays, and so does the keyboard focus.
    if (const auto* shown = m_empty->state();
        shown && shown->accessibleName() == instead.what && shown->accessibleDescription() == instead.why)
        return;
    auto* state = new EmptyState(instead.what, instead.why, instead.action, instead.icon);
    if (instead.act) connect(state, &EmptyState::triggered, m_bar, instead.act);
    m_empty->setState(state);
}

ChartView CurvesView::shownView() const {
    ChartView view = m_toolbar->choices();
    view.layout = m_desk.layout();
    if (const XRange x = m_group.zoom(); !x.isEmpty()) view.zoom.x = std::pair{x.low, x.high};
    view.zoom.y = m_board->zooms();
    return view;
}

void CurvesView::showViews() {
    QStringList names;
    for (const auto& [name, view] : m_desk.views()) names << name;
    if (!m_view.isEmpty() && !names.contains(m_view)) m_view.clear();
    const ChartView* saved = m_desk.view(m_view);
    const bool changed = saved ? !looksLike(*saved, shownView()) : !m_desk.layout().isStandard();
    m_bar->setViews(names, m_view, changed);
}

void CurvesView::setView(const QString& name, const ChartView& view) {
    m_view = name;
    m_toolbar->setChoices(view);
    m_desk.replace(view.layout);
    setZoom(view.zoom);
    showViews();
}

// The standard view sets the layout only: the settings have the defaults for drawing curves.
void CurvesView::applyView(const QString& name) {
    const ChartView before = shownView();
    ChartView next = before;
    next.layout = {};
    next.zoom = {};
    if (const ChartView* saved = m_desk.view(name)) next = *saved;
    const auto undo = [self = QPointer<CurvesView>(this), before, was = m_view] {
        if (self) self->setView(was, before);
    };
    setView(name, next);
    Q_EMIT m_bench.actions.done(tr("View “%1”").arg(name.isEmpty() ? tr("Standard") : name), undo);
}

void CurvesView::showChecklist() {
    const RunItemPtr run = leadingRun();
    const auto status = run ? m_bench.feed.status(*run) : wire::RunStatus::Finished;
    // Trials wait for other trials, jobs for their cluster, which says why; other queued runs are about to start.
    const bool isTrial = run && !run->row.sweep.empty();
    const bool waits = run && status == wire::RunStatus::Queued && (isTrial || !run->row.error.message.empty());
    const bool active = run ? wire::isActive(status) && !waits : m_bench.actions.starting() > 0;
    const auto* state = run ? m_bench.feed.state(run->id) : nullptr;
    // For a run that lives elsewhere, only its steps tell about its start.
    const bool trains = status == wire::RunStatus::Running && (run->row.step > 0 || (state && state->step > 0));
    const auto steps =
        active && !trains ? startSteps(run ? run->workers : m_bench.actions.starting(), state) : QList<ChecklistStep>{};
    const bool started =
        std::all_of(steps.begin(), steps.end(), [](const auto& step) { return step.state == StepState::Done; });
    bool told = false; // only one chart shows the start-up steps
    for (MetricCard* card : m_board->cards()) {
        const bool validation = card->metric().startsWith(QLatin1String("val/"));
        const bool tells = !told && !(validation && started);
        card->setChecklist(tells ? steps : QList<ChecklistStep>{});
        told = told || tells;
        if (active)
            card->setEmptyText(tr("No value yet"), validation ? tr("Validation runs at the end of each epoch.")
                                                              : tr("The first step logs it."));
        else if (waits)
            card->setEmptyText(tr("Waiting"), isTrial ? tr("The trial starts when an earlier one ends.")
                                                      : sentence(QString::fromStdString(run->row.error.message)));
        else if (hasPoints(*card)) card->setEmptyText({}, {});
        else card->setEmptyText(tr("No points"), tr("This run logged no %1.").arg(seriesText(card->metric())));
    }
}

// Also true for points not read or drawn yet: the window has just opened, or the run was just selected.
bool CurvesView::hasPoints(const MetricCard& card) const {
    const QStringList series = card.series();
    return std::any_of(m_drawn.begin(), m_drawn.end(), [&](const QString& id) {
        const RunItemPtr run = m_bench.feed.run(id);
        const auto isStored = [&](const store::SeriesSummary& summary) {
            return series.contains(QString::fromStdString(summary.series));
        };
        const auto isRead = [&](const QString& name) { return m_bench.feed.series().find(id, name) != nullptr; };
        return std::any_of(series.begin(), series.end(), isRead) ||
               (run && std::any_of(run->series.begin(), run->series.end(), isStored));
    });
}

void CurvesView::showLiveEnds() {
    for (const QString& id : m_drawn) {
        const RunItemPtr run = m_bench.feed.run(id);
        const bool live = run && wire::isActive(m_bench.feed.status(*run));
        for (MetricCard* card : m_board->cards()) card->setLive(id, live);
    }
    showSteering();
}

// The learning rate of the current run can be dragged while it trains.
void CurvesView::showSteering() {
    const RunItemPtr run = leadingRun();
    const auto status = run ? m_bench.feed.status(*run) : wire::RunStatus::Finished;
    const bool trains = status == wire::RunStatus::Running || status == wire::RunStatus::Paused;
    if (auto* card = m_board->card(QStringLiteral("lr"))) card->setSteered(trains ? run->id : QString());
}

void CurvesView::showEvents(const QString& run) {
    if (!m_drawn.contains(run)) return;
    for (MetricCard* card : m_board->cards()) card->setEvents(run, m_bench.feed.events(run));
}

void CurvesView::showSeries(const QString& run, const QString& series) {
    if (!m_drawn.contains(run)) return;
    const bool isNew = !m_series.contains(series) && isWanted(m_bench, series);
    if (isNew && hasCurve(series, m_bench.feed.series().find(run, series))) {
        m_series.insert(series);
        m_desk.offer({series});
        showCharts();
    }
    startStrip();
}

// A running timer is left alone: events more frequent than its interval would postpone it forever.
void CurvesView::startStrip() {
    if (!m_stripTimer.isActive()) m_stripTimer.start();
}

void CurvesView::showRange() {
    const XRange full = m_group.fullRange();
    const XRange shown = m_group.visibleRange();
    if (full.isEmpty() || shown.isEmpty()) return; // nothing has an extent yet
    m_strip->setFullRange(full.low, full.high);
    m_strip->setVisibleRange(shown.low, shown.high);
}

void CurvesView::refreshStrip() {
    m_strip->setVisible(!m_series.isEmpty() || isWaiting()); // else there is no range to choose
    fillStrip(*m_strip, m_bench.feed, curveStyles(m_bench, m_drawn), m_group.xMode());
    showRange();
}

bool CurvesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize)
        m_board->setRoom(m_scroll->viewport()->size());
    return QWidget::eventFilter(watched, event);
}

void CurvesView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) {
        m_toolbar->toggleLive();
    } else if (event->key() == Qt::Key_End) {
        m_group.jumpToLive();
    } else if (event->key() == Qt::Key_Escape && m_board->shrink()) {
        event->accept();
    } else if (event->key() == Qt::Key_F || event->key() == Qt::Key_Home) {
        m_group.fit();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void CurvesView::openMenu(const QString& chart, const QPoint& position) {
    MetricCard* card = m_board->card(chart);
    if (card != nullptr) showChartMenu({m_bench, m_desk, *m_board, *card, chart, m_series.values()}, position);
}

void CurvesView::exportMenu(const QPoint& globalPosition) {
    QList<MetricCard*> cards = m_board->cards();
    cards.removeIf([this](const MetricCard* card) { return !card->isVisibleTo(m_board); });
    showChartsExport(m_bench, cards, globalPosition, this);
}

} // namespace trainyard::ui
