// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_data.h"

#include <QColor>
#include <QList>
#include <QPointF>
#include <QString>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace trainyard::ui {

// One axis of a picture; log needs low > 0.
struct AxisRange {
    double low = 0;
    double high = 1;
    bool log = false;

    bool operator==(const AxisRange&) const = default;
};

// Turns values of one axis into pixels and back.
class AxisMap {
public:
    AxisMap(const AxisRange& range, double pixelLow, double pixelHigh)
        : m_log(range.log), m_narrow(range.low > 0 && range.high / range.low < 4), m_low(scaled(range.low)),
          m_factor((pixelHigh - pixelLow) / (scaled(range.high) - m_low)), m_origin(pixelLow) {}

    double toPixel(double value) const { return m_origin + (scaled(value) - m_low) * m_factor; }
    double toValue(double pixel) const {
        const double at = m_low + (pixel - m_origin) / m_factor;
        return m_log ? std::pow(10.0, at) : at;
    }

private:
    // What a log axis cannot show is far below it. A frame takes 100,000 logarithms, and those of
    // floats cost a quarter; their error is far below a pixel unless the range is narrow.
    double scaled(double value) const {
        if (!m_log) return value;
        if (!(value > 0)) return -400.0;
        const auto rough = static_cast<float>(value);
        return m_narrow || !(rough > 0) || !(rough < std::numeric_limits<float>::max())
                   ? std::log10(value)
                   : static_cast<double>(std::log2(rough)) * 0.30102999566398120;
    }

    bool m_log, m_narrow;
    double m_low, m_factor, m_origin;
};

// Mean and standard deviation over the runs at one x.
struct BandPoint {
    double x = 0;
    double mean = 0;
    double deviation = 0;
};

// One run as a frame draws it.
struct CurveView {
    QString runId;
    QString name;
    QColor color;
    QList<qreal> dash;
    bool live = false;
    bool smoothed = false;   // main is smoothed and raw lies faint behind it
    std::vector<Column> raw; // only when smoothed
    std::vector<Column> main;
    QPointF end; // x and y of the last shown value; NaN when there is none
};

// Points that the y range leaves out.
struct OutlierMark {
    std::size_t above = 0;
    std::size_t below = 0;
    double aboveX = 0;
    double belowX = 0;
    QColor aboveColor;
    QColor belowColor;
};

// All that one frame of a chart shows. Built on the GUI thread, drawn on any.
struct ChartView {
    XMode xMode = XMode::Step;
    AxisRange x, y;
    std::vector<CurveView> curves;
    std::vector<BandPoint> band;
    OutlierMark outliers;
    double smoothing = 0;
    QString hoveredRun;
};

} // namespace trainyard::ui
