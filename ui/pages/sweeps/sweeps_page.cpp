// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/sweeps_page.h"

#include "ui/pages/page_table.h"
#include "ui/pages/sweeps/best_trial.h"
#include "ui/pages/sweeps/contour_view.h"
#include "ui/pages/sweeps/importance_view.h"
#include "ui/pages/sweeps/parallel_view.h"
#include "ui/pages/sweeps/pareto_view.h"
#include "ui/pages/sweeps/progress_views.h"
#include "ui/pages/sweeps/rungs_view.h"
#include "ui/pages/sweeps/scatter_view.h"
#include "ui/pages/sweeps/steering_view.h"
#include "ui/pages/sweeps/sweep_header.h"
#include "ui/pages/sweeps/trial_curves.h"
#include "ui/pages/sweeps/trial_pane.h"
#include "ui/pages/sweeps/view_panel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"

#include <QResizeEvent>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kSelectPause = 150;                    // ms
constexpr int kWithBest = 1032;                      // page width in px from which the best trial has its own column
constexpr int kTrialsColumn = 360;                   // px
constexpr int kWithStatus = 1240, kWideTrials = 432; // page width from which on the table has room for the status

} // namespace

SweepsPage::SweepsPage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench), m_trials(bench.feed), m_filter(m_trials),
      m_stack(new QStackedLayout(this)), m_pane(new TrialPane(bench, m_trials, m_filter)),
      m_best(new BestTrial(bench, m_trials)) {
    if (!bench.feed.sweeps().empty()) // before the views are made, which then fit it at once
        m_trials.setSweep(QString::fromStdString(bench.feed.sweeps().front().id));
    auto* splitter = m_splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_pane);
    splitter->addWidget(buildPlots());
    splitter->addWidget(m_best);
    splitter->setStretchFactor(1, 1);
    connect(splitter, &QSplitter::splitterMoved, this, [splitter] { keepColumns(*splitter); });
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(splitter);
    connect(m_pane, &TrialPane::sweepChosen, this, [this](const QString& sweep) { show(sweep); });
    connect(&bench.feed, &WorkspaceFeed::sweepsChanged, this, &SweepsPage::listSweeps);
    connect(&m_filter, &TrialFilter::changed, this, &SweepsPage::refresh); // also emitted when the trials change
    m_selectLater.setSingleShot(true);
    m_selectLater.setInterval(kSelectPause);
    connect(&m_selectLater, &QTimer::timeout, this, &SweepsPage::selectTrials);
    auto* all = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    all->setContext(Qt::WidgetWithChildrenShortcut);
    connect(all, &QShortcut::activated, &m_filter, &TrialFilter::clearBrushes);
    listSweeps();
}

QWidget* SweepsPage::buildEmpty() {
    auto* empty = new EmptyState(tr("No sweeps yet"),
                                 tr("A sweep trains one model with several settings and shows which one wins. In a new "
                                    "run, the toggle to the right of a field varies it."),
                                 tr("New sweep"), QStringLiteral("sweeps"));
    connect(empty, &EmptyState::triggered, this, [this] { Q_EMIT m_bench.newRunRequested({}, true); });
    return new EmptyPage(empty);
}

QWidget* SweepsPage::buildPlots() {
    auto* middle = new QWidget;
    middle->setMinimumWidth(Theme::current().px(360));
    auto* layout = column(middle);
    auto* cards = new QWidget;
    auto* inner = column(cards, 12);
    setMargins(inner, 12, 12, 12, 12);
    const SweepContext context{m_bench, m_trials, m_filter};
    m_header = new SweepHeader(context);
    m_parameters = new ViewPanel(context, tr("Views of the parameters"),
                                 {{tr("Parallel"), ViewPanel::make<ParallelView>},
                                  {tr("Scatter"), ViewPanel::make<ScatterView>},
                                  {tr("Contour"), ViewPanel::make<ContourView>},
                                  {tr("Importance"), ViewPanel::make<ImportanceView>},
                                  {tr("Pareto"), ViewPanel::make<ParetoView>}},
                                 Settings::sweepParameterView);
    m_progress = new ViewPanel(context, tr("Views of the trials"),
                               {{tr("Curves"), ViewPanel::make<TrialCurves>},
                                {tr("Rungs"), ViewPanel::make<RungsView>},
                                {tr("Best"), ViewPanel::make<BestOverTimeView>},
                                {tr("Distribution"), ViewPanel::make<DistributionView>},
                                {tr("Timeline"), ViewPanel::make<TimelineView>},
                                {tr("Steering"), ViewPanel::make<SteeringView>}},
                               Settings::sweepProgressView);
    inner->addWidget(m_parameters, 1);
    inner->addWidget(m_progress, 1);
    m_link = new Banner(Status::Warn, QString());
    m_link->hide();
    m_linkRoom = new QWidget;
    auto* room = column(m_linkRoom);
    setMargins(room, 12, 12, 12, 0);
    room->addWidget(m_link);
    m_linkRoom->hide();
    layout->addWidget(m_header);
    layout->addWidget(m_linkRoom);
    layout->addWidget(cards, 1);
    return middle;
}

void SweepsPage::listSweeps() {
    const auto& sweeps = m_bench.feed.sweeps();
    m_stack->setCurrentIndex(sweeps.empty() ? 0 : 1);
    QList<std::pair<QString, QString>> names;
    for (const auto& sweep : sweeps)
        names << std::pair(QString::fromStdString(sweep.name), QString::fromStdString(sweep.id));
    m_pane->setSweeps(names);
    if (!m_wanted.isEmpty() && !m_pane->choose(m_wanted))
        return m_pane->chooseNone(); // the list will have it in a moment
    const QString wanted = m_wanted.isEmpty() ? m_trials.sweep() : m_wanted;
    if (!m_pane->choose(wanted) && !names.isEmpty()) m_pane->choose(names.first().second);
    m_wanted.clear();
    if (!sweeps.empty() && m_pane->chosen() != m_trials.sweep()) show(m_pane->chosen());
    refresh();
}

void SweepsPage::show(const QString& sweep) {
    m_wanted = m_pane->choose(sweep) ? QString() : sweep;
    if (!m_wanted.isEmpty()) m_pane->chooseNone();
    m_trials.setSweep(sweep);
    m_selectedTrials.clear();
    m_parameters->restart();
    m_progress->restart();
    refresh();
}

void SweepsPage::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    m_selectedTrials.clear();
    selectTrials();
    showBest();
}

// In a narrow window, the table shows the best trial first, with a star.
void SweepsPage::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitColumns(*m_splitter, width(), width() < Theme::current().px(kWithStatus) ? kTrialsColumn : kWideTrials);
    m_best->setVisible(width() >= Theme::current().px(kWithBest));
}

// The trials whose curves are drawn: the best of the filtered ones, and the selected one.
QStringList SweepsPage::drawn() const {
    QStringList runs;
    const auto& trials = m_trials.trials();
    for (std::size_t i = 0; i < trials.size() && runs.size() < TrialCurves::kMostDrawn; ++i)
        if (m_filter.keeps(i)) runs << trials[i].run->id;
    const QString current = m_bench.selection.current();
    const int chosen = m_bench.selection.isCurrentChosen() ? m_trials.indexOf(current) : -1;
    if (chosen >= 0 && m_filter.keeps(static_cast<std::size_t>(chosen)) && !runs.contains(current)) runs << current;
    return runs;
}

void SweepsPage::selectTrials() {
    const QStringList runs = drawn();
    QStringList sorted = runs;
    sorted.sort();
    if (!isVisible() || sorted == m_selectedTrials || runs.isEmpty())
        return; // only when the sweep or its trials change: the user's choice stays
    m_selectedTrials = sorted;
    m_bench.selection.setSelected(runs);
}

// When a sweep has ended, its best trial becomes the current one, unless the user has selected another.
void SweepsPage::showBest() {
    const auto* sweep = m_trials.row();
    const Trial* best = m_trials.best();
    if (!isVisible() || !sweep || !best || wire::isActive(sweep->status)) return;
    const auto& selection = m_bench.selection;
    if (selection.isCurrentChosen() || m_trials.indexOf(selection.current()) < 0) return;
    m_bench.selection.suggestCurrent(best->run->id);
}

// For a sweep that lives on an unreachable host: since when, and its last known state.
void SweepsPage::showLink(const store::SweepRow& sweep) {
    const Residence home = m_bench.feed.homeOf(QString::fromStdString(sweep.id));
    const bool isLost =
        home.isOutOfReach() && (wire::isActive(sweep.status) || sweep.status == wire::RunStatus::Unknown);
    const auto id = QString::fromStdString(sweep.id);
    const QString key = isLost ? QStringLiteral("%1 %2 %3").arg(id, home.host).arg(home.link.sinceMs) : QString();
    m_linkRoom->setVisible(isLost);
    if (std::exchange(m_linkShown, key) == key || !isLost) return;
    const QString known = sweep.status == wire::RunStatus::Unknown
                              ? tr("Nothing is known about it yet.")
                              : tr("Last known: %1, %n trials.", nullptr, static_cast<int>(m_trials.trials().size()))
                                    .arg(statusWord(sweep.status).toLower());
    m_link->setMessage(Status::Warn, home.outOfReachText(),
                       known + QLatin1Char(' ') +
                           tr("The sweep continues without the link; Trainyard keeps trying to reconnect.") +
                           QLatin1Char('\n') + QString::fromStdString(home.link.error));
    m_link->appear();
}

void SweepsPage::refresh() {
    const auto* sweep = m_trials.row();
    if (!sweep) return;
    const auto& trials = m_trials.trials();
    const auto done =
        std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return !trial.run->active(); });
    m_header->setSweep(*sweep, static_cast<std::size_t>(done), trials.size());
    showLink(*sweep);
    if (m_selectedTrials.isEmpty()) selectTrials();
    else if (!m_selectLater.isActive()) m_selectLater.start();
    showBest();
    m_parameters->refresh();
    m_progress->refresh();
    m_best->refresh();
}

Page sweepsPage() { return {"sweeps", QT_TRANSLATE_NOOP("Page", "Sweeps"), "sweeps", makePage<SweepsPage>}; }

} // namespace trainyard::ui
