// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_curves.h"

#include "ui/models/text/format.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/pages/shared/run_legend.h"
#include "ui/plots/card/metric_card.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QSet>

#include <algorithm>
#include <utility>

namespace trainyard::ui {

namespace {

// "lr 0.1, width 64": the values that distinguish a trial.
QString parametersOf(const Trial& trial) {
    QStringList parts;
    for (const auto& [path, value] : trial.params)
        parts << shortPath(QString::fromStdString(path)) + QLatin1Char(' ') + trial.text(path);
    return parts.isEmpty() ? trial.run->name : parts.join(QStringLiteral(", "));
}

const QString kByConfiguration = QStringLiteral("configuration"); // no path of a parameter

QString groupOf(const Trial& trial, const QString& by) {
    if (by == kByConfiguration) return parametersOf(trial);
    return shortPath(by) + QLatin1Char(' ') + trial.text(by.toStdString());
}

// Whether trials share values of a parameter: groups of one trial each would say nothing.
bool makesGroups(const std::vector<Trial>& trials, const std::string& path) {
    QSet<QString> values;
    for (const Trial& trial : trials) values.insert(trial.text(path));
    return values.size() > 1 && values.size() * 2 <= std::ssize(trials);
}

} // namespace

TrialCurves::TrialCurves(const SweepContext& context, QWidget* parent)
    : SweepView(context, parent), m_groupBy(new QComboBox), m_legend(new RunLegend(context.bench)) {
    m_group.setSmoothing(0);
    column(this)->addWidget(m_legend);
    makeCard(context.trials.scoreSeries());
    m_groupBy->setAccessibleName(tr("Group the curves"));
    m_groupBy->setObjectName(QStringLiteral("curvesGroupBy"));
    m_groupBy->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_groupBy, &QComboBox::activated, this, [this] {
        colorGroups();
        refresh();
    });
    connect(m_legend, &RunLegend::shownChanged, this, [this](const QList<CurveStyle>& shown) {
        if (isGrouped()) showCurves(shown);
    });
    connect(&m_group, &PlotGroup::runClicked, this,
            [this](const QString& run) { m_context.bench.selection.setCurrent(run); });
    connect(&m_group, &PlotGroup::hoveredRunChanged, &m_context.bench.selection, &RunSelection::setHovered);
    connect(&m_context.bench.selection, &RunSelection::hoveredChanged, this,
            [this] { m_group.setHoveredRun(m_context.bench.selection.hovered()); });
}

// A card shows one series for its lifetime: another score needs another card.
void TrialCurves::makeCard(const QString& series) {
    if (m_card) m_card->deleteLater();
    m_card = new MetricCard(series, &m_group, &m_context.bench.feed.series());
    static_cast<QVBoxLayout*>(layout())->addWidget(m_card, 1);
    connect(m_card, &MetricCard::exportRequested, this, [this] {
        showChartExport(m_context.bench, m_card, m_card->mapToGlobal(QPoint(m_card->width() - 200, 36)));
    });
}

ChartWidget* TrialCurves::chart() const { return m_card; }

QWidget* TrialCurves::options() { return m_groupBy; }

bool TrialCurves::isGrouped() const { return !m_groupBy->currentData().toString().isEmpty(); }

// Keeps the choice where the sweep has it.
void TrialCurves::offerGroups() {
    if (std::exchange(m_offeredFor, m_context.trials.revision()) == m_context.trials.revision()) return;
    QList<std::pair<QString, QString>> offered{{tr("Each trial"), {}}}, listed;
    if (!m_context.trials.configurations().empty()) offered << std::pair{tr("Configurations"), kByConfiguration};
    for (const auto& axis : m_context.trials.axes()) {
        const QString path = QString::fromStdString(axis.path);
        if (makesGroups(m_context.trials.trials(), axis.path))
            offered << std::pair{tr("By %1").arg(shortPath(path)), path};
    }
    for (int i = 0; i < m_groupBy->count(); ++i)
        listed << std::pair{m_groupBy->itemText(i), m_groupBy->itemData(i).toString()};
    if (offered != listed) {
        const QString chosen = m_groupBy->currentData().toString();
        m_groupBy->clear();
        for (const auto& [words, path] : std::as_const(offered)) m_groupBy->addItem(words, path);
        m_groupBy->setCurrentIndex(std::max(0, m_groupBy->findData(chosen)));
    }
    m_groupBy->setEnabled(offered.size() > 1);
    colorGroups();
}

// In the order in which the trials were drawn: as more come, groups keep their colours.
void TrialCurves::colorGroups() {
    m_colors = {};
    if (!isGrouped()) return;
    std::vector<const Trial*> byNumber;
    for (const Trial& trial : m_context.trials.trials()) byNumber.push_back(&trial);
    std::ranges::sort(byNumber, {}, [](const Trial* trial) { return trial->run->row.trial; });
    for (const Trial* trial : byNumber) (void)m_colors.of(groupOf(*trial, m_groupBy->currentData().toString()));
}

void TrialCurves::showNote(std::size_t drawn) {
    const std::size_t all = m_context.trials.trials().size(), kept = m_context.filter.kept();
    const auto counted = [](std::size_t count) { return countText(static_cast<double>(count)); };
    m_card->setNote(drawn == all    ? tr("all trials")
                    : drawn == kept ? tr("%1 of %2 trials").arg(counted(drawn), counted(all))
                                    : tr("best %1 of %2 trials").arg(counted(drawn), counted(kept)));
}

// The best of the filtered trials, in an order that stays while they train.
QList<CurveStyle> TrialCurves::curves() {
    QList<CurveStyle> curves;
    const auto& trials = m_context.trials.trials();
    const QString by = m_groupBy->currentData().toString();
    for (std::size_t i = 0; i < trials.size() && curves.size() < kMostDrawn; ++i) {
        if (!m_context.filter.keeps(i)) continue;
        curves << CurveStyle{trials[i].run->id, parametersOf(trials[i]), trials[i].run->color};
        if (!isGrouped()) continue;
        const QString group = groupOf(trials[i], by);
        curves.last().group = {group, group, m_colors.of(group), true};
    }
    std::ranges::sort(curves, {}, &CurveStyle::runId);
    return curves;
}

void TrialCurves::showCurves(const QList<CurveStyle>& curves) {
    if (curves != m_card->curves()) m_card->setCurves(curves);
    const auto& trials = m_context.trials.trials();
    for (const CurveStyle& curve : curves) {
        const int at = m_context.trials.indexOf(curve.runId);
        m_card->setLive(curve.runId, at >= 0 && trials[static_cast<std::size_t>(at)].run->active());
    }
}

void TrialCurves::draw() {
    if (m_card->metric() != m_context.trials.scoreSeries()) makeCard(m_context.trials.scoreSeries());
    offerGroups();
    m_group.setShowBand(isGrouped());
    const QList<CurveStyle> drawn = curves();
    showNote(static_cast<std::size_t>(drawn.size()));
    m_legend->setRuns(isGrouped() ? drawn : QList<CurveStyle>()); // tells which of them are shown
    if (!isGrouped()) showCurves(drawn);
}

} // namespace trainyard::ui
