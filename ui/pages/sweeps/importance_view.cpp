// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/importance_view.h"

#include "ui/models/text/format.h"
#include "ui/plots/layers/bar_layer.h"

namespace trainyard::ui {

ImportanceView::ImportanceView(const SweepContext& context, QWidget* parent) : PlotView(context, parent) {
    plot()->setTitle(tr("Importance"));
}

void ImportanceView::draw() {
    const auto& trials = m_context.trials.trials();
    std::vector<sweep::TriedParams> kept;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (m_context.filter.keeps(i)) kept.push_back({trials[i].params, trials[i].standing});
    const auto found = sweep::importanceOfTrials(m_context.trials.axes(), m_context.trials.better(), kept);
    if (!found)
        return showNothing(tr("Not enough trials"), QString::fromStdString(found.error().message) + QLatin1Char('.'));
    PlotAxis names{.title = tr("Parameter")};
    names.unit = AxisUnit::Names;
    QList<Bar> bars;
    for (std::size_t i = 0; i < found->axes.size(); ++i) { // the first one at the top
        const auto& axis = found->axes[found->axes.size() - 1 - i];
        const QString name = shortPath(QString::fromStdString(axis.path));
        names.names << name;
        const QString span = tr("%1 to %2").arg(percentText(axis.low), percentText(axis.high));
        bars << Bar{.row = static_cast<int>(i),
                    .to = axis.share,
                    .name = name,
                    .note = tr("Explains %1% of whether a trial ranks in the top tenth (PED-ANOVA); %2 in 80% of "
                               "bootstrap samples")
                                .arg(fixedText(axis.share * 100, 1), span),
                    .label = tr("%1 (%2)").arg(percentText(axis.share), span)};
    }
    const QString title = tr("Importance · %n trials", nullptr, static_cast<int>(found->results));
    plot()->setTitle(sweep::tellsImportance(found->axes) ? title : tr("%1: too few to tell").arg(title));
    plot()->setAxes({.title = tr("Share of importance")}, names);
    show({std::make_shared<BarLayer>(bars, tr("from"), tr("share"))});
}

} // namespace trainyard::ui
