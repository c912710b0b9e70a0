// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <cmath>
#include <limits>

namespace trainyard::ui {

// The values between the two ends of an axis; log needs low > 0.
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

    bool isLog() const { return m_log; }
    double toPixel(double value) const { return m_origin + (scaled(value) - m_low) * m_factor; }
    double toValue(double pixel) const {
        const double at = m_low + (pixel - m_origin) / m_factor;
        return m_log ? std::pow(10.0, at) : at;
    }

private:
    // Values that a log axis cannot show lie far below it. A frame takes 100,000 logarithms, and float ones cost a
    // quarter; their error is far below a pixel unless the range is narrow.
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

// The tick labels of an axis: 12k, 2:30, the local time of seconds since 1970, or names for 0, 1, 2, …. None: neither
// ticks nor a line.
enum class AxisUnit { Number, Duration, WallTime, Names, None };

// One axis of a plot: its range, its tick labels, and its title in exports.
struct PlotAxis {
    AxisRange range{};
    AxisUnit unit = AxisUnit::Number;
    QString title{};
    QStringList names{};   // for AxisUnit::Names
    QList<double> marks{}; // places of ticks; empty: at round values

    bool operator==(const PlotAxis&) const = default;
};

// The range with its width times `factor`, the place at `share` of it (0 = low, 1 = high) staying
// where it is. Below 1 zooms in. On a log axis widths are those of the logarithms.
AxisRange zoomed(const AxisRange& range, double share, double factor);
// The range moved by `share` of its width, to higher values when positive.
AxisRange shifted(const AxisRange& range, double share);
// `last` while each of its ends is less than `room` (as a share of the width) from that of `wanted`; else `wanted`.
AxisRange steady(const AxisRange& last, const AxisRange& wanted, double room);
// The range with `share` of its width more room at each end; one without a width gets some.
AxisRange padded(const AxisRange& range, double share);

} // namespace trainyard::ui
