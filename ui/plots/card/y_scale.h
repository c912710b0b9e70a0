// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/card/card_curves.h"
#include "ui/plots/chart/chart_layout.h"
#include "ui/plots/layers/band_layer.h"

#include <optional>

namespace trainyard::ui {

// The y axis of a card: its settings, its zoom, and the resulting range for the drawn curves.
class YScale {
public:
    // False: unchanged. A change ends the zoom.
    bool setAxes(const ChartAxes& axes);
    const ChartAxes& axes() const { return m_axes; }

    // `isForeign`: a zoom made on other runs that contains no points of these: kept, but suspended.
    void setZoom(const std::optional<AxisRange>& zoom, bool isForeign = false);
    void setForeign(bool isForeign) { m_isForeign = isForeign; }
    const std::optional<AxisRange>& zoom() const { return m_zoom; }
    bool isTyped() const { return m_axes.yRange && !m_zoom; }
    bool isFree() const { return !m_axes.yRange && !m_zoom; }

    // `usual`: the mode of axes without their own.
    AxisRange range(const std::vector<CurveView>& views, const std::vector<Band>& bands, const CardCurves& curves,
                    YMode usual) const;

private:
    ChartAxes m_axes;
    std::optional<AxisRange> m_zoom;
    bool m_isForeign = false;
};

} // namespace trainyard::ui
