// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/progress_views.h"

#include "engine/base/clock.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "ui/models/text/format.h"
#include "ui/plots/layers/bar_layer.h"
#include "ui/plots/layers/scatter_layer.h"
#include "ui/plots/layers/step_layer.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

std::int64_t endOf(const RunItem& run) { return run.row.finishedMs > 0 ? run.row.finishedMs : wallClockMs(); }

// When the first trial began, in ms since 1970.
std::int64_t beginOf(const TrialList& trials) {
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    for (const Trial& trial : trials.trials())
        if (trial.run->row.startedMs > 0) begin = std::min(begin, trial.run->row.startedMs);
    return begin;
}

} // namespace

BestOverTimeView::BestOverTimeView(const SweepContext& context, QWidget* parent)
    : PlotView(context, parent), m_options(new QWidget), m_over(new SegmentedControl({tr("Trials"), tr("Time")})) {
    m_over->setAccessibleName(tr("Best score over"));
    row(m_options)->addWidget(m_over);
    plot()->setTitle(tr("Best score so far"));
    connect(m_over, &SegmentedControl::currentIndexChanged, this, &BestOverTimeView::refresh);
}

void BestOverTimeView::draw() {
    const auto& trials = m_context.trials.trials();
    struct End {
        std::int64_t ms = 0;
        std::size_t trial = 0;
    };
    std::vector<End> ends;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (std::isfinite(trials[i].score)) ends.push_back({endOf(*trials[i].run), i});
    if (ends.empty()) return showNothing(tr("No scores yet"), tr("The curve starts with the first score."));
    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.ms < b.ms; });
    const bool time = m_over->currentIndex() == 1;
    const auto begin = static_cast<double>(beginOf(m_context.trials));
    const auto better = m_context.trials.better();
    std::vector<double> losses;
    for (const End& end : ends) losses.push_back(sweep::lossOf(trials[end.trial].score, better));
    const auto best = sweep::bestSoFar(losses);
    QList<QPointF> course;
    QList<ScatterDot> dots;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Trial& trial = trials[ends[i].trial];
        const double x = time ? (static_cast<double>(ends[i].ms) - begin) / 1000 : static_cast<double>(i + 1);
        const double y = sweep::lossOf(best[i], better); // its own inverse
        if (course.isEmpty() || course.last().y() != y) course << QPointF(x, y);
        dots << ScatterDot{trial.run->id,
                           nameOf(trial),
                           x,
                           trial.score,
                           colorOf(trial),
                           &trial == m_context.trials.best(),
                           !m_context.filter.keeps(ends[i].trial)};
    }
    const QString score = m_context.trials.scoreSeries();
    PlotAxis axis{.title = time ? tr("Time since the first trial") : tr("Trials that ended")};
    axis.unit = time ? AxisUnit::Duration : AxisUnit::Number;
    plot()->setAxes(axis, {.title = seriesTitle(score)});
    show({std::make_shared<StepLayer>(course, dots.last().x, tr("best so far"), axis.title, tr("best %1").arg(score)),
          std::make_shared<ScatterLayer>(dots, axis.title, score)});
}

DistributionView::DistributionView(const SweepContext& context, QWidget* parent) : PlotView(context, parent) {
    plot()->setTitle(tr("Distribution of scores"));
}

void DistributionView::draw() {
    std::vector<double> scores;
    const auto& trials = m_context.trials.trials();
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (m_context.filter.keeps(i)) scores.push_back(trials[i].score);
    const auto points = sweep::edfOf(scores);
    if (points.empty())
        return showNothing(tr("No scores yet"), tr("The distribution appears once trials have scores."));
    QList<QPointF> course{{points.front().value, 0}};
    for (const auto& point : points) course << QPointF(point.value, point.share);
    const QString score = m_context.trials.scoreSeries();
    plot()->setAxes({.title = seriesTitle(score)}, {.title = tr("Share of trials with at most this score")});
    show({std::make_shared<StepLayer>(course, points.back().value, tr("%1 trials").arg(scores.size()), score,
                                      tr("share"))});
}

TimelineView::TimelineView(const SweepContext& context, QWidget* parent) : PlotView(context, parent) {
    plot()->setTitle(tr("Timeline"));
}

void TimelineView::draw() {
    const auto& trials = m_context.trials.trials();
    const std::int64_t begin = beginOf(m_context.trials);
    std::vector<sweep::Stretch> stretches;
    std::vector<std::size_t> begun;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const RunItem& run = *trials[i].run;
        if (run.row.startedMs <= 0) continue;
        begun.push_back(i);
        stretches.push_back(
            {static_cast<double>(run.row.startedMs - begin) / 1000, static_cast<double>(endOf(run) - begin) / 1000});
    }
    if (begun.empty())
        return showNothing(tr("No trial has started"), tr("Each trial is drawn as a bar from its start to its end."));
    const auto lanes = sweep::lanesOf(stretches);
    const int last = *std::max_element(lanes.begin(), lanes.end());
    PlotAxis lanesAxis{.title = tr("Slot")};
    lanesAxis.unit = AxisUnit::Names;
    for (int lane = last; lane >= 0; --lane) lanesAxis.names << QString::number(lane + 1);
    QList<Bar> bars;
    for (std::size_t i = 0; i < begun.size(); ++i) {
        const Trial& trial = trials[begun[i]];
        const QColor color =
            m_context.filter.keeps(begun[i]) ? colorOf(trial) : mix(Theme::current().card, Theme::current().text3, 0.3);
        bars << Bar{.row = last - lanes[i],
                    .from = stretches[i].from,
                    .to = stretches[i].to,
                    .name = nameOf(trial),
                    .note = tr("%1, %2").arg(durationText(stretches[i].to - stretches[i].from),
                                             m_context.trials.statusText(trial)),
                    .run = trial.run->id,
                    .color = color};
    }
    PlotAxis time{.title = tr("Time since the first trial")};
    time.unit = AxisUnit::Duration;
    plot()->setAxes(time, lanesAxis);
    show({std::make_shared<BarLayer>(bars, tr("from (s)"), tr("to (s)"))});
}

} // namespace trainyard::ui
