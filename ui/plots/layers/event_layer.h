// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_style.h"
#include "ui/plots/canvas/plot_layer.h"
#include "ui/series/plot_point.h"
#include "ui/series/series_data.h"

namespace trainyard::ui {

// An event that changed a run's curves, at its place in x.
struct EventMark {
    double x = 0;
    std::int64_t step = 0;
    QString run, name; // of the run
    QColor color{};
    QString text{};

    bool operator==(const EventMark&) const = default;
};

// Rule: where an event lies on the x axis.
// `series` are points of the run, which give the epoch.
double eventX(const PlotEvent& event, const SeriesData& series, XMode mode);

// A run of a chart, its events, and some of its points.
struct MarkedRun {
    CurveStyle style;
    const std::vector<PlotEvent>* events; // may be null
    const SeriesData* points;
};
// The events that a chart marks. With more than kMostMarkedRuns runs they would hide the curves: then only those of the
// hovered run, if any.
constexpr std::size_t kMostMarkedRuns = 3;
// Rule: which events a chart marks.
std::vector<EventMark> marksOf(const std::vector<MarkedRun>& runs, XMode mode, const QString& hovered);

// Marks where the learning rate was set by hand, the number of workers changed, or workers were replaced or restarted:
// a thin dashed line with a diamond on the x axis.
class EventLayer final : public PlotLayer {
public:
    explicit EventLayer(std::vector<EventMark> marks) : m_marks(std::move(marks)) {}

    const std::vector<EventMark>& marks() const { return m_marks; }
    // The marks at a pixel, at most a few pixels to either side.
    std::vector<EventMark> marksAt(const QPointF& pixel, const PlotFrame& frame) const;

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    double changedFrom(const PlotLayer& before, const PlotFrame& frame) const override;
    // The text of each mark, if it fits.
    QList<LegendEntry> legend(const Theme& theme) const override;
    QString description() const override;

private:
    std::vector<EventMark> m_marks;
};

// "step 120: learning rate 0.1 → 0.05", preceded by the run if there are several.
QString markText(const EventMark& mark, bool withRun);

} // namespace trainyard::ui
