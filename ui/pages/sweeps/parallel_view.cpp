// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/parallel_view.h"

#include "ui/models/text/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::ui {

namespace {

constexpr double kAxisReach = 0.35; // share of the way to the next axis

} // namespace

ParallelView::ParallelView(const SweepContext& context, QWidget* parent) : PlotView(context, parent) {
    plot()->reportDrags();
    plot()->setTitle(tr("Parameters"));
    plot()->setAccessibleName(tr("Parallel coordinates of the trials"));
    plot()->setToolTip(tr("Drag along an axis to filter; Shift adds a brush, Esc clears them"));
    connect(plot(), &Plot::dragged, this, &ParallelView::brush);
    connect(plot(), &Plot::clicked, this, &ParallelView::clear);
    connect(plot(), &Plot::doubleClicked, &m_context.filter, &TrialFilter::clearBrushes);
}

void ParallelView::draw() {
    const auto& trials = m_context.trials.trials();
    if (trials.empty() || m_context.trials.axes().empty())
        return showNothing(tr("No trials yet"), tr("Each trial is drawn as a line across the parameter axes."));
    std::vector<AxisScale> scales(m_context.trials.axes().begin(), m_context.trials.axes().end());
    const ScoreSpan score = scoreSpan();
    QList<ParallelAxis> axes;
    for (std::size_t j = 0; j < scales.size(); ++j) {
        ParallelAxis axis{scales[j].title(), scales[j].ticksAtPlaces(), {}};
        for (const Span& span : m_context.filter.brush(pathOf(static_cast<int>(j))))
            axis.brushes << std::pair(span.low, span.high);
        axes << axis;
    }
    ParallelAxis last{.name = m_context.trials.scoreSeries(), .title = seriesTitle(m_context.trials.scoreSeries())};
    for (const Tick& tick : linearTicks(std::min(score.worst, score.best), std::max(score.worst, score.best), 5))
        last.ticks.push_back({score.place(tick.position), tick.label});
    for (const Span& span : m_context.filter.brush({}))
        last.brushes << std::pair(score.place(span.low), score.place(span.high));
    last.ramp = true;
    axes << last;
    QList<ParallelLine> lines = linesOf(scales, score);
    for (qsizetype i = 0; i < lines.size(); ++i)
        lines[i].faded = !m_context.filter.keeps(m_trials[static_cast<std::size_t>(i)]);
    PlotAxis none;
    none.unit = AxisUnit::None;
    plot()->setAxes(none, none);
    show({std::make_shared<ParallelLayer>(std::move(axes), std::move(lines), m_picture)});
}

const QList<ParallelLine>& ParallelView::linesOf(const std::vector<AxisScale>& scales, const ScoreSpan& score) {
    if (m_revision == m_context.trials.revision() && m_dark == Theme::current().dark) return m_lines;
    m_revision = m_context.trials.revision();
    m_dark = Theme::current().dark;
    m_lines.clear();
    m_picture = std::make_shared<LinePicture>();
    const auto& trials = m_context.trials.trials();
    const auto quality = qualities();
    m_trials.resize(trials.size());
    std::iota(m_trials.begin(), m_trials.end(), std::size_t{0});
    std::stable_sort(m_trials.begin(), m_trials.end(), [&](auto a, auto b) { return quality[a] < quality[b]; });
    for (const std::size_t i : m_trials) {
        const Trial& trial = trials[i];
        ParallelLine line{
            trial.run->id, nameOf(trial), {}, {}, quality[i], colorOf(trial), &trial == m_context.trials.best()};
        for (std::size_t j = 0; j < scales.size(); ++j) {
            line.places << scales[j].place(trial);
            line.values << trial.text(m_context.trials.axes()[j].path);
        }
        line.places << (std::isfinite(trial.score) ? score.place(trial.score) : std::nan(""));
        line.values << metricText(trial.score);
        m_lines << std::move(line);
    }
    return m_lines;
}

int ParallelView::axisAt(double x) const {
    const int axis = static_cast<int>(std::lround(x));
    const bool near = std::abs(x - axis) <= kAxisReach;
    return near && axis >= 0 && axis <= static_cast<int>(m_context.trials.axes().size()) ? axis : -1;
}

std::string ParallelView::pathOf(int axis) const {
    const auto& axes = m_context.trials.axes();
    return axis < static_cast<int>(axes.size()) ? axes[static_cast<std::size_t>(axis)].path : std::string();
}

Span ParallelView::spanOf(int axis, double low, double high) const {
    if (axis < static_cast<int>(m_context.trials.axes().size()))
        return {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
    const ScoreSpan scale = scoreSpan();
    // Scores worse than the lower end of the axis are drawn at that end.
    const double away = scale.best >= scale.worst ? -INFINITY : INFINITY;
    const double from = low <= 0 ? away : scale.score(low), to = scale.score(std::min(high, 1.0));
    return {std::min(from, to), std::max(from, to)};
}

void ParallelView::brush(QPointF from, QPointF to, bool add, bool done) {
    if (m_brushing < 0) {
        m_brushing = axisAt(from.x());
        if (m_brushing < 0) return;
        plot()->setFocus(); // Esc must reach the page
        m_before = add ? m_context.filter.brush(pathOf(m_brushing)) : QList<Span>();
    }
    const Span span = spanOf(m_brushing, std::min(from.y(), to.y()), std::max(from.y(), to.y()));
    m_context.filter.setBrush(pathOf(m_brushing), m_before + QList<Span>{span});
    if (done) m_brushing = -1;
}

void ParallelView::clear(QPointF at) {
    const int axis = axisAt(at.x());
    if (axis < 0) return;
    const Span point = spanOf(axis, at.y(), at.y());
    QList<Span> left = m_context.filter.brush(pathOf(axis));
    left.removeIf([&](const Span& span) { return point.high >= span.low && point.high <= span.high; });
    m_context.filter.setBrush(pathOf(axis), left);
}

} // namespace trainyard::ui
