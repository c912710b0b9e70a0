// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/plot_axis.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

AxisRange between(const AxisRange& range, double lowShare, double highShare) {
    const auto at = [&range](double share) {
        return range.log ? range.low * std::pow(range.high / range.low, share)
                         : range.low + (range.high - range.low) * share;
    };
    return {at(lowShare), at(highShare), range.log};
}

} // namespace

AxisRange zoomed(const AxisRange& range, double share, double factor) {
    return between(range, share - share * factor, share + (1 - share) * factor);
}

AxisRange shifted(const AxisRange& range, double share) { return between(range, share, 1 + share); }

AxisRange steady(const AxisRange& last, const AxisRange& wanted, double room) {
    if (last.log != wanted.log) return wanted;
    const auto scaled = [&wanted](double value) { return wanted.log ? std::log10(value) : value; };
    const double most = room * (scaled(wanted.high) - scaled(wanted.low));
    const auto isNear = [&](double one, double other) { return std::abs(scaled(one) - scaled(other)) < most; };
    return isNear(last.low, wanted.low) && isNear(last.high, wanted.high) ? last : wanted;
}

AxisRange padded(const AxisRange& range, double share) {
    if (range.high > range.low) return between(range, -share, 1 + share);
    if (range.log) return {range.low / 1.3, range.high * 1.3, true};
    const double room = std::max(std::abs(range.high) * 0.05, 1e-9);
    return {range.low - room, range.high + room, false};
}

} // namespace trainyard::ui
