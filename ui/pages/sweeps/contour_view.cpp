// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/contour_view.h"

#include "ui/models/text/format.h"
#include "ui/pages/sweeps/axis_scale.h"
#include "ui/pages/sweeps/scatter_view.h"
#include "ui/plots/layers/heat_layer.h"
#include "ui/plots/layers/key_layer.h"
#include "ui/plots/layers/parallel_layer.h"
#include "ui/plots/layers/scatter_layer.h"
#include "ui/widgets/layout.h"

#include <QComboBox>

#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kCells = 32;            // of each axis
constexpr double kWidth = 0.07;       // of the kernel, in plot widths
constexpr double kLeastWeight = 0.02; // sum over all trials; below it, the cell stays blank

// A trial in the unit square of the plot.
struct Place {
    double x = 0, y = 0, quality = 0;
};

AxisRange rangeOf(const QList<ScatterDot>& dots, double ScatterDot::* at, const AxisScale& scale) {
    AxisRange range{INFINITY, -INFINITY, scale.isLog()};
    for (const ScatterDot& dot : dots) {
        range.low = std::min(range.low, dot.*at);
        range.high = std::max(range.high, dot.*at);
    }
    if (!scale.isChoice()) return padded(range, 0.04);
    return {range.low - 0.5, range.high + 0.5, false};
}

HeatField fieldOf(const std::vector<Place>& places, const AxisRange& x, const AxisRange& y) {
    HeatField field{x.low, x.high, y.low, y.high, kCells, kCells, {}};
    const double spread = 2 * kWidth * kWidth;
    for (int row = 0; row < kCells; ++row)
        for (int column = 0; column < kCells; ++column) {
            const double atX = (column + 0.5) / kCells, atY = (row + 0.5) / kCells;
            double weights = 0, sum = 0;
            for (const Place& place : places) {
                const double away = (place.x - atX) * (place.x - atX) + (place.y - atY) * (place.y - atY);
                const double weight = std::exp(-away / spread);
                weights += weight;
                sum += weight * place.quality;
            }
            field.quality.push_back(weights < kLeastWeight ? NAN : static_cast<float>(sum / weights));
        }
    return field;
}

} // namespace

ContourView::ContourView(const SweepContext& context, QWidget* parent)
    : PlotView(context, parent), m_options(new QWidget), m_x(axisChoice(tr("x parameter"))),
      m_y(axisChoice(tr("y parameter"))) {
    auto* line = row(m_options, 4);
    line->addWidget(m_x);
    line->addWidget(new Label(tr("×"), TextRole::SmallSecondary));
    line->addWidget(m_y);
    for (auto* choice : {m_x, m_y}) connect(choice, &QComboBox::activated, this, &ContourView::refresh);
}

void ContourView::draw() {
    const auto& axes = m_context.trials.axes();
    fillAxisChoice(*m_x, axes, 0);
    fillAxisChoice(*m_y, axes, 1);
    if (axes.size() < 2)
        return showNothing(tr("One parameter"), tr("A contour plot needs a sweep over at least two parameters."));
    const AxisScale xScale(axes[static_cast<std::size_t>(std::max(0, m_x->currentIndex()))]);
    const AxisScale yScale(axes[static_cast<std::size_t>(std::max(0, m_y->currentIndex()))]);
    const auto& trials = m_context.trials.trials();
    const auto quality = qualities();
    QList<ScatterDot> dots;
    std::vector<double> qualityOf;
    for (std::size_t i = trials.size(); i-- > 0;) {
        const double x = xScale.coordinate(trials[i]), y = yScale.coordinate(trials[i]);
        if (!m_context.filter.keeps(i) || !std::isfinite(trials[i].score) || !std::isfinite(x) || !std::isfinite(y))
            continue;
        dots << ScatterDot{.run = trials[i].run->id,
                           .name = nameOf(trials[i]),
                           .x = x,
                           .y = y,
                           .color = rampColor(Theme::current(), quality[i]),
                           .best = &trials[i] == m_context.trials.best(),
                           .edged = true};
        qualityOf.push_back(quality[i]);
    }
    if (dots.isEmpty()) return showNothing(tr("No scores yet"), tr("The contour appears once trials have scores."));
    const AxisRange xRange = rangeOf(dots, &ScatterDot::x, xScale), yRange = rangeOf(dots, &ScatterDot::y, yScale);
    const AxisMap xMap(xRange, 0, 1), yMap(yRange, 0, 1);
    std::vector<Place> places;
    for (qsizetype i = 0; i < dots.size(); ++i)
        places.push_back({xMap.toPixel(dots[i].x), yMap.toPixel(dots[i].y), qualityOf[static_cast<std::size_t>(i)]});
    const ScoreSpan span = scoreSpan();
    plot()->setAxes(xScale.plotAxis(), yScale.plotAxis());
    plot()->setLog(xScale.isLog(), yScale.isLog());
    show({std::make_shared<HeatLayer>(fieldOf(places, xRange, yRange)),
          std::make_shared<ScatterLayer>(dots, xScale.title(), yScale.title()),
          std::make_shared<KeyLayer>(QList<KeyEntry>{
              {KeyEntry::Ramp,
               metricText(span.best),
               {},
               tr("%1 %2").arg(seriesTitle(m_context.trials.scoreSeries()), metricText(span.worst))}})});
}

} // namespace trainyard::ui
