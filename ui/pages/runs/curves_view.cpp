// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves_view.h"

#include "engine/run/record/system_series.h"
#include "ui/pages/home/start_checklist.h"
#include "ui/pages/runs/curves_export.h"
#include "ui/pages/runs/curves_toolbar.h"
#include "ui/plots/metric_card.h"
#include "ui/theme/icon.h"
#include "ui/widgets/overview_strip.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QScrollArea>

namespace trainyard::ui {

namespace {
const QStringList& mainSeries() {
    static const QStringList series{QStringLiteral("train/loss"), QStringLiteral("val/accuracy"), QStringLiteral("lr"),
                                    QStringLiteral("samples_per_s")};
    return series;
}
constexpr std::size_t kStripPoints = 300;

// The parts of a rank's time are shown together, by the timeline.
bool hasCard(const QString& series) { return !run::rankTimeOf(series.toStdString()); }
} // namespace

int seriesRank(const QString& series) {
    static const QStringList more =
        mainSeries() +
        QStringList{QStringLiteral("val/loss"), QStringLiteral("train/accuracy"), QStringLiteral("grad_norm")};
    const auto at = more.indexOf(series);
    if (at >= 0) return static_cast<int>(at);
    return static_cast<int>(more.size()) + (run::isSystemSeries(series.toStdString()) ? 1 : 0); // below the training's
}

CurvesView::CurvesView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    auto* layout = column(this);
    m_toolbar = new CurvesToolbar(m_group);
    m_canvas = new QWidget;
    m_grid = new QGridLayout(m_canvas);
    m_grid->setSpacing(theme.px(12));
    setMargins(m_grid, 12, 0, 12, 12);
    m_scroll = scrolled(m_canvas);
    m_scroll->viewport()->installEventFilter(this);
    m_strip = new OverviewStrip;
    m_strip->setFixedHeight(theme.px(44));
    m_strip->setAccessibleName(tr("The whole run; drag to choose what is shown"));
    auto* stripRow = row();
    setMargins(stripRow, 12, 0, 12, 12);
    stripRow->addWidget(m_strip);
    layout->addWidget(m_toolbar);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(stripRow);
    m_stripTimer.setSingleShot(true);
    m_stripTimer.setInterval(300);
    connect(&m_stripTimer, &QTimer::timeout, this, &CurvesView::refreshStrip);
    for (const QString& series : mainSeries()) cardFor(series);
    connectFeed();
    connectGroup();
    connect(m_toolbar, &CurvesToolbar::exportRequested, this, &CurvesView::exportMenu);
    connect(&bench, &Workbench::curveDefaultsChanged, m_toolbar, &CurvesToolbar::restore);
    connect(&bench, &Workbench::logXToggled, m_toolbar, &CurvesToolbar::toggleLogX);
    connect(&bench, &Workbench::bandToggled, m_toolbar, &CurvesToolbar::toggleBand);
    showSelection();
}

void CurvesView::connectFeed() {
    const auto& feed = m_bench.feed;
    connect(&m_bench.selection, &RunSelection::selectedChanged, this, &CurvesView::showSelection);
    connect(&feed, &WorkspaceFeed::runsChanged, this, &CurvesView::showSelection);
    connect(&feed.series(), &SeriesStore::changed, this, &CurvesView::showSeries);
    connect(&feed, &WorkspaceFeed::stateChanged, this, [this](const QString& run) {
        if (m_drawn.contains(run)) {
            showChecklist();
            showLiveEnds();
        }
    });
    connect(&m_bench.actions, &RunActions::startingChanged, this, &CurvesView::showChecklist);
    connect(&feed, &WorkspaceFeed::checkpointsChanged, &m_stripTimer, qOverload<>(&QTimer::start));
}

void CurvesView::connectGroup() {
    connect(&m_group, &PlotGroup::runClicked, this, [this](const QString& run) { m_bench.selection.setCurrent(run); });
    connect(&m_group, &PlotGroup::hoveredRunChanged, &m_bench.selection, &RunSelection::setHovered);
    connect(&m_bench.selection, &RunSelection::hoveredChanged, this, [this] {
        m_group.setHoveredRun(m_drawn.contains(m_bench.selection.hovered()) ? m_bench.selection.hovered() : QString());
    });
    connect(&m_group, &PlotGroup::crosshairChanged, m_strip, &OverviewStrip::setCrosshair);
    const auto showRange = [this] {
        const XRange full = m_group.fullRange();
        const XRange shown = m_group.visibleRange();
        if (full.isEmpty() || shown.isEmpty()) return; // nothing has an extent yet
        m_strip->setFullRange(full.low, full.high);
        m_strip->setVisibleRange(shown.low, shown.high);
    };
    connect(&m_group, &PlotGroup::visibleRangeChanged, this, showRange);
    connect(&m_group, &PlotGroup::fullRangeChanged, this, showRange);
    connect(&m_group, &PlotGroup::fitted, this, showRange);
    connect(&m_group, &PlotGroup::modesChanged, &m_stripTimer, qOverload<>(&QTimer::start));
    connect(m_strip, &OverviewStrip::rangeRequested, &m_group, &PlotGroup::setVisibleRange);
    connect(m_strip, &OverviewStrip::fitRequested, &m_group, &PlotGroup::fit);
}

MetricCard* CurvesView::cardFor(const QString& series) {
    auto at = m_cards.find(series);
    if (at != m_cards.end()) return at->second;
    auto* card = new MetricCard(series, &m_group, &m_bench.feed.series(), m_canvas);
    if (series == QLatin1String("samples_per_s")) card->setNote(tr("all workers"));
    card->setCurves(curves());
    m_cards.emplace(series, card);
    connect(card, &MetricCard::expandRequested, this, [this, series] {
        m_expanded = m_expanded == series ? QString() : series;
        arrange();
    });
    connect(card, &MetricCard::exportRequested, this,
            [this, card] { showChartExport(m_bench, card, card->mapToGlobal(QPoint(card->width() - 200, 36))); });
    arrange();
    return card;
}

void CurvesView::arrange() {
    const Theme& theme = Theme::current();
    std::vector<std::pair<QString, MetricCard*>> ordered(m_cards.begin(), m_cards.end());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return seriesRank(a.first) < seriesRank(b.first); });
    while (auto* item = m_grid->takeAt(0)) delete item;
    const int columns = std::clamp((width() - theme.px(12)) / theme.px(332), 1, 4);
    int count = 0;
    for (const auto& [series, card] : ordered) {
        const bool shown = m_expanded.isEmpty() || series == m_expanded;
        card->setVisible(shown);
        if (shown) {
            m_grid->addWidget(card, count / columns, count % columns);
            ++count;
        }
    }
    // Two rows fill what is visible; the others are a scroll away.
    const int rows = (count + columns - 1) / columns;
    const int room = m_scroll->viewport()->height() - theme.px(12);
    const int height = rows < 2 ? room : std::max(theme.px(220), (room - theme.px(12)) / 2);
    for (int i = 0; i < std::max(8, m_grid->rowCount()); ++i) {
        m_grid->setColumnStretch(i, i < std::min(columns, count) ? 1 : 0);
        m_grid->setRowMinimumHeight(i, i < rows ? height : 0);
        m_grid->setRowStretch(i, i < rows ? 1 : 0);
    }
}

QList<CurveStyle> CurvesView::curves() const {
    QList<CurveStyle> curves;
    for (const QString& id : m_drawn)
        if (const RunItemPtr run = m_bench.feed.run(id)) curves << CurveStyle{id, run->name, run->row.colorIndex};
    return curves;
}

void CurvesView::showSelection() {
    m_drawn.clear();
    QSet<QString> series;
    for (const QString& id : m_bench.selection.selected()) {
        const RunItemPtr run = m_bench.feed.run(id);
        if (!run) continue;
        m_drawn << id;
        for (const auto& summary : run->series) series.insert(QString::fromStdString(summary.series));
        for (const QString& name : m_bench.feed.series().names(id)) series.insert(name);
    }
    for (const QString& name : series)
        if (hasCard(name)) cardFor(name);
    const QList<CurveStyle> drawn = curves();
    for (const auto& [name, card] : m_cards)
        if (card->curves() != drawn) card->setCurves(drawn);
    showChecklist();
    showLiveEnds();
    m_stripTimer.start();
}

void CurvesView::showChecklist() {
    const RunItemPtr run =
        m_drawn.isEmpty() ? RunItemPtr{}
                          : m_bench.feed.run(m_drawn.contains(m_bench.selection.current()) ? m_bench.selection.current()
                                                                                           : m_drawn.first());
    const auto status = run ? m_bench.feed.status(*run) : wire::RunStatus::Finished;
    // Only trials of a sweep wait for others; any other run that is queued is about to start.
    const bool waits = run && status == wire::RunStatus::Queued && !run->row.sweep.empty();
    const bool active = run ? wire::isActive(status) && !waits : m_bench.actions.starting() > 0;
    const auto steps = active ? startSteps(run ? run->workers : m_bench.actions.starting(),
                                           run ? m_bench.feed.state(run->id) : nullptr)
                              : QList<ChecklistStep>{};
    const bool started =
        std::all_of(steps.begin(), steps.end(), [](const auto& step) { return step.state == StepState::Done; });
    for (const auto& [name, card] : m_cards) {
        const bool validation = name.startsWith(QLatin1String("val/"));
        card->setChecklist(started && validation ? QList<ChecklistStep>{} : steps);
        if (active) card->setEmptyText(tr("No value yet"), tr("Validation comes at the end of each epoch."));
        else if (!run) card->setEmptyText(tr("No run selected"), tr("Select runs in the table to draw them."));
        else if (waits) card->setEmptyText(tr("Waiting"), tr("The trial starts when an earlier one has ended."));
        else card->setEmptyText(tr("No points"), tr("This run logged no %1.").arg(name));
    }
}

void CurvesView::showLiveEnds() {
    for (const QString& id : m_drawn) {
        const RunItemPtr run = m_bench.feed.run(id);
        const bool live = run && wire::isActive(m_bench.feed.status(*run));
        for (const auto& [name, card] : m_cards) card->setLive(id, live);
    }
}

void CurvesView::showSeries(const QString& run, const QString& series) {
    if (!m_drawn.contains(run)) return;
    if (hasCard(series)) cardFor(series);
    if (!m_stripTimer.isActive()) m_stripTimer.start();
}

void CurvesView::refreshStrip() {
    QList<OverviewCurve> curves;
    for (const CurveStyle& style : this->curves()) {
        if (const SeriesData* points = m_bench.feed.series().find(style.runId, mainSeries().first()))
            curves << OverviewCurve{Theme::current().curve(style.colorIndex),
                                    outline(*points, m_group.xMode(), kStripPoints)};
    }
    m_strip->setCurves(curves);
    QList<OverviewCheckpoint> marks;
    QList<double> ticks;
    for (const QString& id : m_drawn) {
        const RunItemPtr run = m_bench.feed.run(id);
        if (!run || m_group.xMode() == XMode::RelativeTime) continue;
        const bool byStep = m_group.xMode() == XMode::Step;
        for (const auto& row : m_bench.feed.checkpoints(id)) {
            marks << OverviewCheckpoint{byStep ? static_cast<double>(row.step) : row.epoch,
                                        Theme::current().curve(run->row.colorIndex), row.best};
        }
        const double epochs = run->settings.value(QStringLiteral("epochs")).toDouble();
        if (id == m_drawn.first() && epochs >= 1 && epochs <= 60) {
            const double unit = byStep ? static_cast<double>(run->row.totalSteps) / epochs : 1.0;
            for (int epoch = 1; unit > 0 && epoch <= static_cast<int>(epochs); ++epoch) ticks << epoch * unit;
        }
    }
    m_strip->setCheckpoints(marks);
    m_strip->setEpochTicks(ticks);
}

bool CurvesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize) arrange();
    return QWidget::eventFilter(watched, event);
}

void CurvesView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) {
        m_toolbar->toggleLive();
    } else if (event->key() == Qt::Key_End) {
        m_group.jumpToLive();
    } else if (event->key() == Qt::Key_Escape && !m_expanded.isEmpty()) {
        m_expanded.clear();
        arrange();
    } else if (event->key() == Qt::Key_F || event->key() == Qt::Key_Home) {
        m_group.fit();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void CurvesView::exportMenu(const QPoint& globalPosition) {
    QList<MetricCard*> cards;
    for (const auto& [name, card] : m_cards)
        if (card->isVisibleTo(m_canvas)) cards << card;
    showChartsExport(m_bench, cards, globalPosition, this);
}

} // namespace trainyard::ui
