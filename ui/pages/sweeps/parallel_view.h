// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/axis_scale.h"
#include "ui/pages/sweeps/sweep_view.h"
#include "ui/plots/layers/parallel_layer.h"

namespace trainyard::ui {

// Parallel coordinates of parameters and score. A drag along an axis brushes it: the filter of the page lets through
// what lies inside, with Shift held besides what an earlier brush of that axis let through. A click on a brush takes it
// away, a double click all of them.
class ParallelView final : public PlotView {
    Q_OBJECT
public:
    explicit ParallelView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    // The lines of all trials; made anew only when the trials or the colours are others, as brushes are drawn often.
    const QList<ParallelLine>& linesOf(const std::vector<AxisScale>& scales, const ScoreSpan& score);
    void brush(QPointF from, QPointF to, bool add, bool done);
    void clear(QPointF at);
    int axisAt(double x) const; // -1: none is near
    std::string pathOf(int axis) const;
    Span spanOf(int axis, double low, double high) const; // in the filter's unit, from places

    QList<ParallelLine> m_lines;       // by quality
    std::vector<std::size_t> m_trials; // of each line: its place in the list of trials
    std::shared_ptr<LinePicture> m_picture;
    int m_revision = -1;
    bool m_dark = false;
    int m_brushing = -1;  // the axis that is dragged along
    QList<Span> m_before; // its spans that stay
};

} // namespace trainyard::ui
