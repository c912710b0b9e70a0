// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/plot_group.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kLiveRoom = 0.015; // share of the axis, for the disc at the end of a live run
constexpr double kFirstRoom = 0.01; // share of the axis, for the disc of a run with one point at its beginning
constexpr double kNearZero = 0.02;  // an axis that would begin this close to 0 begins at 0
constexpr double kMoveRoom = 0.05;  // share of the axis that a panned range may show beyond the points

} // namespace

PlotGroup::PlotGroup(QObject* parent) : QObject(parent) {}

void PlotGroup::setXMode(XMode mode) {
    if (mode == m_xMode) return;
    m_xMode = mode;
    m_zoomed = m_asleep = m_isForeign = false; // a range of steps means nothing in seconds
    m_extents.clear();
    m_full = {};
    m_leastPositive = 0;
    m_crosshair = std::numeric_limits<double>::quiet_NaN();
    Q_EMIT modesChanged();
    Q_EMIT crosshairChanged(m_crosshair);
    Q_EMIT visibleRangeChanged();
}

void PlotGroup::setLogX(bool on) {
    if (on != m_logX) {
        m_logX = on;
        Q_EMIT modesChanged();
    }
}

void PlotGroup::setYMode(YMode mode) {
    if (mode != m_yMode) {
        m_yMode = mode;
        Q_EMIT modesChanged();
    }
}

void PlotGroup::setSmoothing(double weight) {
    weight = std::clamp(weight, 0.0, 0.999);
    if (weight < m_smoothing || weight > m_smoothing) {
        m_smoothing = weight;
        Q_EMIT smoothingChanged(weight);
    }
}

void PlotGroup::setShowBand(bool on) {
    if (on != m_showBand) {
        m_showBand = on;
        Q_EMIT modesChanged();
    }
}

void PlotGroup::setShowEvents(bool on) {
    if (on != m_showEvents) {
        m_showEvents = on;
        Q_EMIT showEventsChanged();
    }
}

void PlotGroup::setVisibleRange(double low, double high) {
    if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) return;
    const XRange range{low, high};
    if (isZoomed() && range == m_visible) return;
    m_visible = range;
    m_zoomed = true;
    m_asleep = m_isForeign = false;
    Q_EMIT visibleRangeChanged();
}

void PlotGroup::requestRange(double low, double high) {
    const AxisRange shown = xAxis();
    const bool log = shown.log && low > 0;
    const auto scaled = [log](double x) { return log ? std::log(x) : x; };
    const double width = scaled(high) - scaled(low);
    const bool moves = std::abs(width - (scaled(shown.high) - scaled(shown.low))) < 1e-6 * width;
    if (!moves || m_full.isEmpty()) return setVisibleRange(low, high);
    if (!isZoomed()) return; // everything is visible
    const double first = log && !(m_full.low > 0) ? m_leastPositive : m_full.low;
    const double least = std::min(scaled(first) - kMoveRoom * width, scaled(shown.low));
    const double most = std::max(scaled(m_full.high) + kMoveRoom * width, scaled(shown.high));
    const double by = scaled(high) > most ? most - scaled(high) : std::max(0.0, least - scaled(low));
    if (log) setVisibleRange(low * std::exp(by), high * std::exp(by));
    else setVisibleRange(low + by, high + by);
}

void PlotGroup::restoreZoom(double low, double high) {
    if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) return;
    m_visible = {low, high};
    m_zoomed = true;
    m_asleep = showsNothing();
    m_isForeign = m_live && m_asleep;
    Q_EMIT visibleRangeChanged();
}

bool PlotGroup::showsNothing() const {
    return !m_full.isEmpty() && (m_visible.high < m_full.low || m_visible.low > m_full.high);
}

void PlotGroup::fit() {
    const bool was = isZoomed();
    m_zoomed = m_asleep = m_isForeign = false;
    Q_EMIT fitted();
    if (was) Q_EMIT visibleRangeChanged();
}

void PlotGroup::jumpToLive() {
    if (isZoomed() && !m_full.isEmpty()) {
        const double width = m_visible.high - m_visible.low;
        setVisibleRange(m_full.high - width, m_full.high);
    }
    setPaused(false);
}

bool PlotGroup::isBehindLive() const { return isZoomed() && !m_full.isEmpty() && m_full.high > m_visible.high; }

void PlotGroup::setPaused(bool on) {
    if (on != m_paused) {
        m_paused = on;
        Q_EMIT pausedChanged(on);
    }
}

void PlotGroup::setCrosshair(double x) {
    const bool same = (std::isnan(x) && std::isnan(m_crosshair)) ||
                      (!(x < m_crosshair) && !(x > m_crosshair) && !std::isnan(x) && !std::isnan(m_crosshair));
    if (!same) {
        m_crosshair = x;
        Q_EMIT crosshairChanged(x);
    }
}

void PlotGroup::setHoveredRun(const QString& runId) {
    if (runId != m_hovered) {
        m_hovered = runId;
        Q_EMIT hoveredRunChanged(runId);
    }
}

void PlotGroup::showOtherRuns() {
    const bool was = isZoomed();
    m_live = m_isForeign = false;
    m_asleep = sleeps();
    if (was != isZoomed()) Q_EMIT visibleRangeChanged();
}

void PlotGroup::goLive() {
    if (m_live) return;
    m_live = true;
    m_isForeign = m_asleep;
}

AxisRange PlotGroup::xAxis() const {
    const XRange shown = visibleRange();
    AxisRange axis{shown.low, shown.high, logX()};
    if (axis.log) {
        if (!(axis.low > 0)) axis.low = m_leastPositive > 0 ? m_leastPositive : 1;
        axis.high = std::max(axis.high, axis.low * 1.01);
    }
    if (isZoomed()) return axis;
    const double span = axis.high - axis.low;
    if (!axis.log && axis.low > 0)
        axis.low = axis.low < span * kNearZero ? 0 : std::max(0.0, padded(axis, kFirstRoom).low);
    axis.high = padded(axis, kLiveRoom).high;
    return axis;
}

void PlotGroup::reportExtent(const QObject* card, const XExtent& extent) {
    if (extent.range.isEmpty()) {
        if (m_extents.remove(card) == 0) return;
    } else if (m_extents.value(card) == extent) {
        return;
    } else {
        m_extents.insert(card, extent);
    }
    XRange full;
    double least = 0;
    for (const XExtent& each : std::as_const(m_extents)) {
        const XRange& range = each.range;
        full = full.isEmpty() ? range : XRange{std::min(full.low, range.low), std::max(full.high, range.high)};
        if (each.leastPositive > 0) least = least > 0 ? std::min(least, each.leastPositive) : each.leastPositive;
    }
    const bool same = full == m_full && !(least < m_leastPositive) && !(least > m_leastPositive);
    if (same) return;
    m_full = full;
    m_leastPositive = least;
    const bool was = isZoomed();
    m_asleep = sleeps();
    Q_EMIT fullRangeChanged();
    if (!was || !isZoomed()) Q_EMIT visibleRangeChanged();
}

} // namespace trainyard::ui
