// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// A field of quantities over the whole plot, in cells of equal size on the drawn axes.
struct HeatField {
    double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1; // the range that it covers
    int columns = 0, rows = 0;
    std::vector<float> quality{}; // by row from yLow, 0 to 1; NaN: unknown
};

// A HeatField in the colours of quantities, behind dots.
class HeatLayer final : public PlotLayer {
public:
    explicit HeatLayer(HeatField field) : m_field(std::move(field)) {}

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;

private:
    HeatField m_field;
};

} // namespace trainyard::ui
