// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"
#include "ui/series/run_band.h"

namespace trainyard::ui {

// The mean of runs as a thin line, and one standard deviation to either side as a grey area. It has a gap where fewer
// than two runs have a value.
class BandLayer final : public PlotLayer {
public:
    explicit BandLayer(std::vector<BandPoint> points) : m_points(std::move(points)) {}

    const std::vector<BandPoint>& points() const { return m_points; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;

private:
    std::vector<BandPoint> m_points;
};

} // namespace trainyard::ui
