// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_layer.h"

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

// "3 points above" at the upper edge, and the same at the lower one, where they hide least of the curves.
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

// The left end of the place of this width at which a text between two pixel rows of a plot hides least of the curves'
// lines: `wanted` where it hides nothing there.
double freePlace(const std::vector<CurveView>& curves, const PlotFrame& frame, double top, double bottom, double width,
                 double wanted);

} // namespace trainyard::ui
