// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_layer.h"

namespace trainyard::ui {

// Points outside the y range.
struct OutlierMark {
    std::size_t above = 0;
    std::size_t below = 0;
    double aboveX = 0;
    double belowX = 0;
    QColor aboveColor;
    QColor belowColor;
};

// "3 points above" at the upper edge, and "… below" at the lower one, placed to hide as little of the curves as
// possible.
class OutlierLayer final : public PlotLayer {
public:
    OutlierLayer(const OutlierMark& mark, std::shared_ptr<const CurveLayer> curves)
        : m_mark(mark), m_curves(std::move(curves)) {}

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    double changedFrom(const PlotLayer& before, const PlotFrame& frame) const override;

private:
    bool isEmpty() const { return m_mark.above == 0 && m_mark.below == 0; }

    OutlierMark m_mark;
    std::shared_ptr<const CurveLayer> m_curves;
};

// The left end for a text of this width, between two pixel rows of a plot, where it hides least of the curves: `wanted`
// if it hides nothing there.
double freePlace(const std::vector<CurveView>& curves, const PlotFrame& frame, double top, double bottom, double width,
                 double wanted);

} // namespace trainyard::ui
