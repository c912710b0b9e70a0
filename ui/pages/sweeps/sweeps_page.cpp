// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/sweeps_page.h"

#include "ui/actions/action.h"
#include "ui/models/format.h"
#include "ui/pages/sweeps/trial_delegate.h"
#include "ui/plots/metric_card.h"
#include "ui/plots/scatter_plot.h"
#include "ui/widgets/card.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/split_button.h"
#include "ui/widgets/status_chip.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>

#include <limits>

namespace trainyard::ui {

SweepsPage::SweepsPage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench), m_trials(bench.feed) {
    m_group.setSmoothing(0);
    build();
    connectFeed();
    listSweeps();
}

void SweepsPage::build() {
    const Theme& theme = Theme::current();
    m_stack = new QStackedLayout(this);
    auto* none = new QWidget;
    auto* noneLayout = column(none);
    setMargins(noneLayout, 24, 84, 24, 24);
    auto* empty = new EmptyState(tr("No sweeps yet"),
                                 tr("A sweep trains one model with several learning rates and shows which one wins. "
                                    "Turn on Sweep next to the learning rate of a new run."),
                                 tr("New sweep"), QStringLiteral("sweeps"));
    empty->setMaximumWidth(theme.px(480));
    connect(empty, &EmptyState::triggered, this, [this] { Q_EMIT m_bench.newRunRequested({}, true); });
    noneLayout->addWidget(empty, 0, Qt::AlignHCenter);
    noneLayout->addStretch();
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildLeft());
    splitter->addWidget(buildMiddle());
    splitter->addWidget(buildRight());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({theme.px(344), theme.px(752), theme.px(296)});
    m_stack->addWidget(none);
    m_stack->addWidget(splitter);
}

QWidget* SweepsPage::buildLeft() {
    const Theme& theme = Theme::current();
    auto* left = new Surface(SurfaceColor::Panel);
    left->setMinimumWidth(theme.px(260));
    auto* layout = column(left);
    auto* top = row(nullptr, 8);
    setMargins(top, 12, 8, 12, 8);
    m_sweeps = new QComboBox;
    m_sweeps->setAccessibleName(tr("Sweep"));
    m_sweeps->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    top->addWidget(m_sweeps, 1);
    connect(m_sweeps, &QComboBox::activated, this, [this] { show(m_sweeps->currentData().toString()); });
    m_table = plainTable(&m_trials, tr("Trials"));
    m_table->setItemDelegateForColumn(0, new TrialDelegate(m_bench, m_trials, m_table));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && index.row() < m_trials.rowCount())
            m_bench.selection.setCurrent(m_trials.trials()[static_cast<std::size_t>(index.row())].run->id);
    });
    connect(m_table, &QTableView::doubleClicked, this, [this] { Q_EMIT m_bench.pageRequested(PageId::runs); });
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    return left;
}

QWidget* SweepsPage::buildMiddle() {
    const Theme& theme = Theme::current();
    auto* middle = new QWidget;
    middle->setMinimumWidth(theme.px(360));
    auto* layout = column(middle);
    auto* header = new Surface(SurfaceColor::Window, BottomEdge);
    header->setFixedHeight(theme.px(48));
    auto* line = row(header, 12);
    setMargins(line, 12, 0, 12, 1);
    m_title = new Label(QString(), TextRole::Title);
    m_chip = new StatusChip(QString());
    m_about = new Label(QString(), TextRole::SmallSecondary);
    m_stop = new SplitButton(actionName(action("stop")), QLatin1String(action("stop").icon));
    const auto stop = [this](wire::StopMode mode) { m_bench.actions.stopSweep(m_trials.sweep(), mode); };
    connect(m_stop, &QToolButton::clicked, this, [stop] { stop(wire::StopMode::SaveAndStop); });
    const std::pair<const char*, wire::StopMode> ways[] = {
        {"stop", wire::StopMode::SaveAndStop}, {"stop-now", wire::StopMode::StopNow}, {"kill", wire::StopMode::Kill}};
    for (const auto& [id, mode] : ways) {
        if (action(id).danger) m_stop->addSeparator();
        connect(m_stop->addItem(actionName(action(id)), action(id).danger), &QAction::triggered, this,
                [stop, mode = mode] { stop(mode); });
    }
    line->addWidget(m_title);
    line->addWidget(m_chip);
    line->addWidget(m_about, 1);
    line->addWidget(m_stop);
    auto* cards = new QWidget;
    auto* inner = column(cards, 12);
    setMargins(inner, 12, 12, 12, 12);
    m_scatterCard = new Card(tr("Score"));
    m_scale = new SegmentedControl({tr("Log"), tr("Linear")});
    m_scale->setAccessibleName(tr("Horizontal axis"));
    m_scatterCard->addAction(m_scale);
    m_scatter = new ScatterPlot;
    m_scatterCard->body()->addWidget(m_scatter, 1);
    m_curves = new MetricCard(QStringLiteral("val/accuracy"), &m_group, &m_bench.feed.series());
    m_curves->setNote(tr("all trials"));
    inner->addWidget(m_scatterCard, 4);
    inner->addWidget(m_curves, 5);
    layout->addWidget(header);
    layout->addWidget(cards, 1);
    connect(m_scale, &SegmentedControl::currentIndexChanged, this,
            [this](int index) { m_scatter->setLog(index == 0); });
    connect(m_scatter, &ScatterPlot::chosen, this, [this](const QString& run) { m_bench.selection.setCurrent(run); });
    connect(m_scatter, &ScatterPlot::hovered, &m_bench.selection, &RunSelection::setHovered);
    return middle;
}

QWidget* SweepsPage::buildRight() {
    const Theme& theme = Theme::current();
    auto* right = new Surface(SurfaceColor::Panel);
    right->setMinimumWidth(theme.px(264));
    auto* layout = column(right, 8);
    setMargins(layout, 16, 16, 16, 16);
    m_best = new QWidget;
    auto* inner = column(m_best, 6);
    inner->addWidget(new Label(tr("Best trial"), TextRole::SectionHeading));
    auto* name = row(nullptr, 8);
    m_bestName = new Label(QString(), TextRole::Title);
    m_bestScore = new Label(QString(), TextRole::Title);
    name->addWidget(m_bestName, 1);
    name->addWidget(m_bestScore);
    m_bestNote = new Label(QString(), TextRole::SmallSecondary);
    m_bestCurve = new Sparkline;
    m_bestCurve->setFixedHeight(theme.px(72));
    m_bestCurve->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* buttons = row(nullptr, 8);
    auto* longer = button(tr("Train this longer"), QStringLiteral("play"), "primary");
    longer->setToolTip(tr("5 more epochs from its last checkpoint"));
    auto* again = button(actionText(action("run-again")), QLatin1String(action("run-again").icon));
    again->setToolTip(actionTip(action("run-again")));
    buttons->addWidget(longer, 1);
    buttons->addWidget(again);
    connect(longer, &QPushButton::clicked, this, [this] {
        if (const Trial* best = m_trials.best()) {
            m_bench.actions.resume(best->run->id, best->run->status == wire::RunStatus::Finished ? 5 : 0);
            m_bench.selection.setCurrent(best->run->id);
        }
    });
    connect(again, &QPushButton::clicked, this, [this] {
        if (const Trial* best = m_trials.best()) action("run-again").act({m_bench, best->run, this});
    });
    m_bestParams = new PairList;
    m_runnerUp = new Label(QString(), TextRole::SmallSecondary);
    m_runnerUp->setWordWrap(true);
    inner->addLayout(name);
    inner->addWidget(m_bestNote);
    inner->addWidget(m_bestCurve);
    inner->addLayout(buttons);
    inner->addSpacing(theme.px(12));
    inner->addWidget(new Label(tr("Parameters"), TextRole::SectionHeading));
    inner->addWidget(m_bestParams);
    inner->addSpacing(theme.px(12));
    inner->addWidget(new Label(tr("Over the runner-up"), TextRole::SectionHeading));
    inner->addWidget(m_runnerUp);
    layout->addWidget(m_best);
    layout->addStretch();
    return right;
}

void SweepsPage::connectFeed() {
    const auto& feed = m_bench.feed;
    connect(&feed, &WorkspaceFeed::sweepsChanged, this, &SweepsPage::listSweeps);
    connect(&feed, &WorkspaceFeed::runsChanged, this, &SweepsPage::refresh);
    connect(&m_group, &PlotGroup::runClicked, this, [this](const QString& run) { m_bench.selection.setCurrent(run); });
    connect(&m_group, &PlotGroup::hoveredRunChanged, &m_bench.selection, &RunSelection::setHovered);
    connect(&m_bench.selection, &RunSelection::hoveredChanged, this, [this] {
        m_scatter->setHovered(m_bench.selection.hovered());
        m_group.setHoveredRun(m_bench.selection.hovered());
    });
    connect(&m_bench.selection, &RunSelection::currentChanged, this, [this] {
        if (const int row = m_trials.rowOf(m_bench.selection.current()); row >= 0) m_table->selectRow(row);
    });
}

void SweepsPage::listSweeps() {
    const auto& sweeps = m_bench.feed.sweeps();
    m_stack->setCurrentIndex(sweeps.empty() ? 0 : 1);
    QList<std::pair<QString, QString>> names, listed; // name and id
    for (const auto& sweep : sweeps)
        names << std::pair(QString::fromStdString(sweep.name), QString::fromStdString(sweep.id));
    for (int i = 0; i < m_sweeps->count(); ++i)
        listed << std::pair(m_sweeps->itemText(i), m_sweeps->itemData(i).toString());
    if (names != listed) { // filling it anew takes the row from under an open list
        m_sweeps->clear();
        for (const auto& [name, id] : names) m_sweeps->addItem(name, id);
    }
    if (!m_wanted.isEmpty() && m_sweeps->findData(m_wanted) < 0) {
        m_sweeps->setCurrentIndex(-1); // it was just started: it is in the list in a moment
        return;
    }
    const QString chosen = m_wanted.isEmpty() ? m_trials.sweep() : m_wanted;
    const int at = std::max(0, m_sweeps->findData(chosen));
    if (at != m_sweeps->currentIndex()) m_sweeps->setCurrentIndex(at);
    m_wanted.clear();
    if (!sweeps.empty() && m_sweeps->currentData().toString() != m_trials.sweep())
        show(m_sweeps->currentData().toString());
    refresh();
}

void SweepsPage::show(const QString& sweep) {
    m_wanted = sweep; // a sweep that was just started is not in the list yet
    m_sweeps->setCurrentIndex(m_sweeps->findData(sweep));
    if (m_sweeps->currentIndex() >= 0) m_wanted.clear();
    m_trials.setSweep(sweep);
    m_selectedTrials.clear();
    refresh();
}

void SweepsPage::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    m_selectedTrials.clear();
    selectTrials();
}

void SweepsPage::selectTrials() {
    QStringList runs;
    for (const Trial& trial : m_trials.trials()) runs << trial.run->id;
    QStringList sorted = runs;
    sorted.sort();
    if (!isVisible() || sorted == m_selectedTrials || runs.isEmpty())
        return; // only when the sweep or its trials change: the choice of the user stays
    m_selectedTrials = sorted;
    m_bench.selection.setSelected(runs);
}

void SweepsPage::refresh() {
    const auto& sweeps = m_bench.feed.sweeps();
    const auto at = std::find_if(sweeps.begin(), sweeps.end(), [this](const auto& sweep) {
        return QString::fromStdString(sweep.id) == m_trials.sweep();
    });
    if (at == sweeps.end()) return;
    m_title->setText(QString::fromStdString(at->name));
    m_chip->setChip(statusWord(at->status), wire::isActive(at->status)                ? Status::Info
                                            : at->status == wire::RunStatus::Finished ? Status::Success
                                            : at->status == wire::RunStatus::Failed   ? Status::Error
                                                                                      : Status::Neutral);
    const auto& trials = m_trials.trials();
    const auto done =
        std::count_if(trials.begin(), trials.end(), [](const Trial& trial) { return !trial.run->active(); });
    m_about->setText(tr("%1 of %2 trials done")
                         .arg(done)
                         .arg(std::max<std::size_t>(static_cast<std::size_t>(std::max(0, at->trials)), trials.size())));
    m_stop->setVisible(wire::isActive(at->status));
    selectTrials();
    showScatter();
    showCurves();
    showBest();
}

void SweepsPage::showScatter() {
    const QString path = m_trials.paths().value(0);
    QList<ScatterPlot::Dot> dots;
    const Trial* best = m_trials.best();
    for (const Trial& trial : m_trials.trials()) {
        dots << ScatterPlot::Dot{trial.run->id,
                                 trial.run->name,
                                 trial.params.value(path),
                                 trial.score,
                                 Theme::current().curve(trial.run->row.colorIndex),
                                 best == &trial};
    }
    m_scatterCard->setTitle(path.isEmpty() ? tr("Score")
                                           : QStringLiteral("%1 × %2").arg(shortPath(path), m_trials.scoreSeries()));
    m_scatter->setDots(dots, shortPath(path), m_trials.scoreSeries());
}

void SweepsPage::replaceCurves() {
    auto* card = new MetricCard(m_trials.scoreSeries(), &m_group, &m_bench.feed.series());
    card->setNote(tr("all trials"));
    delete m_curves->parentWidget()->layout()->replaceWidget(m_curves, card);
    m_curves->deleteLater();
    m_curves = card;
}

void SweepsPage::showCurves() {
    QList<CurveStyle> curves;
    for (const Trial& trial : m_trials.trials()) {
        const QString rate = m_trials.paths().isEmpty()
                                 ? trial.run->name
                                 : QStringLiteral("%1 %2")
                                       .arg(shortPath(m_trials.paths().first()))
                                       .arg(trial.params.value(m_trials.paths().first()), 0, 'g', 3);
        curves << CurveStyle{trial.run->id, rate, trial.run->row.colorIndex};
    }
    if (m_curves->metric() != m_trials.scoreSeries()) replaceCurves();
    const auto byId = [](const CurveStyle& a, const CurveStyle& b) { return a.runId < b.runId; };
    std::sort(curves.begin(), curves.end(), byId); // the order by score changes while they train
    if (curves != m_curves->curves()) m_curves->setCurves(curves);
    for (const Trial& trial : m_trials.trials()) m_curves->setLive(trial.run->id, trial.run->active());
}

void SweepsPage::showBest() {
    const Trial* best = m_trials.best();
    m_best->setVisible(best != nullptr);
    if (!best) return;
    m_bestName->setText(best->run->name);
    m_bestScore->setText(metricText(best->score));
    m_bestNote->setText(
        tr("%1 at step %2").arg(m_trials.scoreSeries(), countText(static_cast<double>(best->scoreStep))));
    const bool scoredAlike = best->run->scoreSeries == m_trials.scoreSeries();
    m_bestCurve->setValues(scoredAlike ? m_bench.feed.spark(*best->run) : QList<double>(),
                           Theme::current().curve(best->run->row.colorIndex));
    QList<PairList::Pair> params;
    for (auto it = best->params.begin(); it != best->params.end(); ++it)
        params << PairList::Pair{shortPath(it.key()), QString::number(it.value(), 'g', 4),
                                 it.key() + QLatin1Char(' ') + exactText(it.value())};
    m_bestParams->setPairs(params);
    const auto& trials = m_trials.trials();
    const bool second = trials.size() > 1 && std::isfinite(trials[1].score);
    m_runnerUp->setText(
        second ? tr("%1 better than %2 (%3). One seed each: repeat both before trusting a small difference.")
                     .arg(metricText(std::abs(best->score - trials[1].score)), trials[1].run->name,
                          metricText(trials[1].score))
               : tr("No other trial has a score yet."));
}

} // namespace trainyard::ui
