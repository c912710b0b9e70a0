// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/pareto_view.h"

#include "engine/run/record/series/source_series.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/values/pareto.h"
#include "ui/models/text/format.h"
#include "ui/pages/sweeps/scatter_view.h"
#include "ui/plots/layers/scatter_layer.h"
#include "ui/plots/layers/step_layer.h"

#include <QComboBox>

#include <set>

namespace trainyard::ui {

namespace {

// The line along the front from left to right. Each step passes above the beaten trials: where a larger x is better, at
// the height of the trial to its right.
QList<QPointF> frontLine(QList<QPointF> points, bool largerX) {
    std::sort(points.begin(), points.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    if (!largerX || points.isEmpty()) return points;
    QList<QPointF> line{points.first()};
    for (qsizetype i = 1; i < points.size(); ++i) line << QPointF(points[i - 1].x(), points[i].y());
    return line;
}

QString axisTitle(const QString& series, spec::Better better) {
    return better == spec::Better::Larger ? ParetoView::tr("%1, larger is better").arg(series)
                                          : ParetoView::tr("%1, smaller is better").arg(series);
}

// Counts configurations when several seeds share one.
QString frontTitle(const sweep::ParetoFront& front, const std::vector<sweep::PairedResult>& results,
                   std::size_t trials) {
    const bool together =
        std::any_of(results.begin(), results.end(), [](const auto& each) { return each.trials.size() > 1; });
    return (together ? ParetoView::tr("Pareto front: %1 of %2 configurations, hypervolume %3")
                     : ParetoView::tr("Pareto front: %1 of %2 trials, hypervolume %3"))
        .arg(front.indices.size())
        .arg(together ? results.size() : trials)
        .arg(metricText(front.hypervolume));
}

} // namespace

ParetoView::ParetoView(const SweepContext& context, QWidget* parent)
    : PlotView(context, parent), m_series(axisChoice(tr("Other series"))) {
    connect(m_series, &QComboBox::activated, this, &ParetoView::refresh);
}

QWidget* ParetoView::options() { return m_series; }

// The series that any trial has logged besides the score.
void ParetoView::fillSeries() {
    std::set<QString> names;
    for (const Trial& trial : m_context.trials.trials())
        for (const auto& summary : trial.run->series)
            if (run::tellsOfTraining(summary.series)) names.insert(QString::fromStdString(summary.series));
    names.erase(m_context.trials.scoreSeries());
    QStringList before, now(names.begin(), names.end());
    for (int i = 0; i < m_series->count(); ++i) before << m_series->itemData(i).toString();
    const QString second = m_context.trials.secondSeries();
    const bool another = std::exchange(m_second, second) != second && now.contains(second);
    if (before == now && !another) return;
    const QString chosen = another ? second : m_series->currentData().toString();
    m_series->clear();
    for (const QString& name : std::as_const(now)) {
        m_series->addItem(seriesTitle(name), name);
        m_series->setItemData(m_series->count() - 1, name, Qt::ToolTipRole);
    }
    const auto usual = std::max<qsizetype>(0, now.indexOf(QStringLiteral("time/step")));
    m_series->setCurrentIndex(static_cast<int>(now.contains(chosen) ? now.indexOf(chosen) : usual));
}

void ParetoView::draw() {
    fillSeries();
    const auto& trials = m_context.trials.trials();
    const QString series = m_series->currentData().toString();
    const QString score = m_context.trials.scoreSeries();
    const auto& second = m_context.trials.scores().second;
    const bool isSecond = !series.isEmpty() && series == m_context.trials.secondSeries();
    const run::Score other =
        isSecond ? *second
                 : run::Score{series.toStdString(), spec::betterOf(series.toStdString()), spec::ScoreAt::Best};
    const auto better = m_context.trials.better();
    QList<ScatterDot> dots;
    std::vector<sweep::Standing> standings;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Trial& trial = trials[i];
        const auto x = sweep::scoreTrial(trial.run->series, other).value;
        const bool faded = !m_context.filter.keeps(i);
        dots << ScatterDot{trial.run->id, nameOf(trial), x.value_or(std::nan("")), trial.score, colorOf(trial),
                           false,         faded};
        standings.push_back(trial.standing);
        standings.back().second = faded ? std::nullopt : x;
    }
    const auto results = sweep::pairedResults(standings, {m_context.trials.scores().first, other});
    std::vector<sweep::LossPair> losses;
    std::vector<qsizetype> places; // of their dots
    std::set<qsizetype> covered;   // dots that another dot represents
    for (const auto& result : results) {
        losses.push_back(result.losses);
        places.push_back(static_cast<qsizetype>(result.trials.front()));
        if (result.trials.size() < 2) continue;
        for (std::size_t i = 1; i < result.trials.size(); ++i) covered.insert(static_cast<qsizetype>(result.trials[i]));
        auto& dot = dots[places.back()]; // represents all of them
        dot.x = sweep::lossOf(result.losses.second, other.better);
        dot.y = sweep::lossOf(result.losses.first, better);
        dot.name = tr("%1, mean of %2 seeds").arg(dot.name).arg(result.trials.size());
    }
    const auto front = sweep::paretoOf(losses);
    if (front.indices.empty())
        return showNothing(tr("No two series yet"),
                           tr("The plot compares trials by the score and another series, once they have logged both."));
    QList<QPointF> points;
    for (const std::size_t index : front.indices) {
        auto& dot = dots[places[index]];
        dot.best = true;
        points << QPointF(dot.x, dot.y);
    }
    for (auto dot = covered.rbegin(); dot != covered.rend(); ++dot) dots.removeAt(*dot);
    const auto line = frontLine(points, other.better == spec::Better::Larger);
    double end = points.first().x();
    for (const QPointF& point : points) end = std::max(end, point.x());
    plot()->setTitle(frontTitle(front, results, trials.size()));
    plot()->setAxes({.title = axisTitle(seriesTitle(series), other.better)},
                    {.title = axisTitle(seriesTitle(score), better)});
    show({std::make_shared<StepLayer>(line, end, tr("front"), series, tr("front of %1").arg(score)),
          std::make_shared<ScatterLayer>(dots, series, score)});
}

} // namespace trainyard::ui
