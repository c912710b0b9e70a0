// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_layer.h"

namespace trainyard::ui {

// Points that the y range leaves out.
struct OutlierMark {
    std::size_t above = 0;
    std::size_t below = 0;
    double aboveX = 0;
    double belowX = 0;
    QColor aboveColor;
    QColor belowColor;
};

// "3 points above" at the upper edge, and the same at the lower one.
class OutlierLayer final : public PlotLayer {
public:
    explicit OutlierLayer(const OutlierMark& mark) : m_mark(mark) {}

    void paint(QPainter& painter, const PlotFrame& frame) const override;

private:
    OutlierMark m_mark;
};

} // namespace trainyard::ui
