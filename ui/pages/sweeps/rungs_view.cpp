// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/rungs_view.h"

#include "engine/sweep/results/sweep_analysis.h"
#include "ui/models/text/format.h"
#include "ui/plots/layers/key_layer.h"
#include "ui/plots/layers/rung_layer.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

RungsView::RungsView(const SweepContext& context, QWidget* parent) : PlotView(context, parent) {
    plot()->setTitle(tr("Rungs"));
    plot()->setLog(true, false);
}

void RungsView::draw() {
    const auto& list = m_context.trials;
    if (std::none_of(list.trials().begin(), list.trials().end(),
                     [](const Trial& trial) { return trial.decision.has_value(); }))
        return showNothing(
            tr("No trial was stopped early"),
            tr("No trial of this sweep was stopped early. A scheduler such as ASHA stops the weaker ones."));
    std::map<int, QList<QPointF>> points;
    for (const TrialReport& report : list.log().reports())
        if (std::isfinite(report.loss))
            points[report.trial] << QPointF(report.t, sweep::lossOf(report.loss, list.better()));
    const auto quality = qualities();
    QList<RungLine> lines;
    std::map<double, double> cuts; // the latest cut-off of each rung
    for (std::size_t i = 0; i < list.trials().size(); ++i) {
        const Trial& trial = list.trials()[i];
        if (trial.decision &&
            trial.decision->places > 0) // stopped by the scheduler; a rule of the sweep ended the others
            cuts[trial.decision->rung] =
                std::isfinite(trial.decision->cut) ? sweep::lossOf(trial.decision->cut, list.better()) : std::nan("");
        const auto seen = points.find(trial.run->row.trial);
        if (seen == points.end()) continue;
        lines << RungLine{trial.run->id, nameOf(trial),  list.reason(trial),    seen->second,
                          quality[i],    colorOf(trial), &trial == list.best(), !m_context.filter.keeps(i)};
    }
    QList<RungCut> bars;
    QSet<double> marks; // the rungs, and where trials ended
    for (const auto& [rung, cut] : cuts) {
        bars << RungCut{rung, cut};
        marks << rung;
    }
    double end = 0;
    for (const RungLine& line : lines) end = std::max(end, line.points.last().x());
    marks << end;
    const QString t = list.countsEpochs() ? tr("Epoch") : tr("Step");
    PlotAxis axis{.title = t};
    axis.marks = marks.values();
    std::sort(axis.marks.begin(), axis.marks.end());
    plot()->setAxes(axis, {.title = seriesTitle(list.scoreSeries())});
    const Theme& theme = Theme::current();
    QList<KeyEntry> key{{KeyEntry::Cross, tr("stopped there"), theme.text3}};
    const auto isKnown = [](const auto& rung) {
        return std::isfinite(rung.second);
    }; // with two series, there is no cut-off
    if (std::any_of(cuts.begin(), cuts.end(), isKnown))
        key.prepend({KeyEntry::Line, tr("cut-off of a rung"), theme.warn});
    show({std::make_shared<RungLayer>(lines, bars, t, list.scoreSeries()), std::make_shared<KeyLayer>(key)});
}

} // namespace trainyard::ui
