// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/axis_scale.h"
#include "ui/pages/sweeps/sweep_view.h"
#include "ui/plots/layers/parallel_layer.h"

namespace trainyard::ui {

// Parallel coordinates of parameters and score. A drag along an axis brushes it: the page's filter keeps the trials
// inside. With Shift, the axis keeps its earlier brushes as well. A click on a brush removes it, a double click removes
// all.
class ParallelView final : public PlotView {
    Q_OBJECT
public:
    explicit ParallelView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    // Rebuilds the lines of all trials; only when the trials or the colours change, because brushes change often.
    const QList<ParallelLine>& linesOf(const std::vector<AxisScale>& scales, const ScoreSpan& score);
    void brush(QPointF from, QPointF to, bool add, bool done);
    void clear(QPointF at);
    int axisAt(double x) const; // -1: none is near
    std::string pathOf(int axis) const;
    Span spanOf(int axis, double low, double high) const; // from places to the filter's units

    QList<ParallelLine> m_lines;       // sorted by quality
    std::vector<std::size_t> m_trials; // for each line, its trial's index in the list
    std::shared_ptr<LinePicture> m_picture;
    int m_revision = -1;
    bool m_dark = false;
    int m_brushing = -1;  // the axis being brushed
    QList<Span> m_before; // its earlier brushes
};

} // namespace trainyard::ui
