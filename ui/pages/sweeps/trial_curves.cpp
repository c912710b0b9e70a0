// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_curves.h"

#include "ui/models/text/format.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/plots/card/metric_card.h"
#include "ui/widgets/layout.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

// "lr 0.1, width 64": the values that distinguish a trial.
QString parametersOf(const Trial& trial) {
    QStringList parts;
    for (const auto& [path, value] : trial.params)
        parts << shortPath(QString::fromStdString(path)) + QLatin1Char(' ') + trial.text(path);
    return parts.isEmpty() ? trial.run->name : parts.join(QStringLiteral(", "));
}

} // namespace

TrialCurves::TrialCurves(const SweepContext& context, QWidget* parent) : SweepView(context, parent) {
    m_group.setSmoothing(0);
    column(this);
    makeCard(QStringLiteral("val/accuracy"));
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
    layout()->addWidget(m_card);
    connect(m_card, &MetricCard::exportRequested, this, [this] {
        showChartExport(m_context.bench, m_card, m_card->mapToGlobal(QPoint(m_card->width() - 200, 36)));
    });
}

ChartWidget* TrialCurves::chart() const { return m_card; }

void TrialCurves::draw() {
    if (m_card->metric() != m_context.trials.scoreSeries()) makeCard(m_context.trials.scoreSeries());
    QList<CurveStyle> curves;
    const auto& trials = m_context.trials.trials();
    for (std::size_t i = 0; i < trials.size() && curves.size() < kMostDrawn; ++i)
        if (m_context.filter.keeps(i))
            curves << CurveStyle{trials[i].run->id, parametersOf(trials[i]), trials[i].run->color};
    const auto shown = static_cast<std::size_t>(curves.size());
    const auto counted = [](std::size_t count) { return countText(static_cast<double>(count)); };
    m_card->setNote(shown == trials.size() ? tr("all trials")
                    : shown == m_context.filter.kept()
                        ? tr("%1 of %2 trials").arg(counted(shown), counted(trials.size()))
                        : tr("best %1 of %2 trials").arg(counted(shown), counted(m_context.filter.kept())));
    const auto byId = [](const CurveStyle& a, const CurveStyle& b) { return a.runId < b.runId; };
    std::sort(curves.begin(), curves.end(), byId); // the order by score changes while they train
    if (curves != m_card->curves()) m_card->setCurves(curves);
    for (const CurveStyle& curve : curves) {
        const int at = m_context.trials.indexOf(curve.runId);
        m_card->setLive(curve.runId, at >= 0 && trials[static_cast<std::size_t>(at)].run->active());
    }
}

} // namespace trainyard::ui
