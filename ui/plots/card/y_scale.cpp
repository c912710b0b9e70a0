// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/y_scale.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr std::size_t kColumnsAsked = 5000; // sampled from all curves, to find their typical values

double quantile(std::vector<double>& values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

struct Spread {
    std::vector<double> lows, highs; // of the columns, or of a sample of very many
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
};

Spread spreadOf(const std::vector<CurveView>& views) {
    Spread spread;
    std::size_t all = 0;
    for (const CurveView& view : views) all += (view.smoothed ? view.raw : view.main).size();
    const std::size_t stride = all / kColumnsAsked + 1;
    spread.lows.reserve(all / stride + views.size());
    spread.highs.reserve(all / stride + views.size());
    for (const CurveView& view : views) {
        for (const Columns* columns : {&view.raw, &view.main}) {
            spread.min = std::min(spread.min, columns->bounds().min);
            spread.max = std::max(spread.max, columns->bounds().max);
        }
        const Columns& columns = view.smoothed ? view.raw : view.main;
        for (std::size_t i = 0; i < columns.size(); i += stride) {
            if (columns[i].extent.isEmpty()) continue;
            spread.lows.push_back(columns[i].extent.min);
            spread.highs.push_back(columns[i].extent.max);
        }
    }
    return spread;
}

// The means that stand for their runs.
void addMeans(Spread& spread, const std::vector<Band>& bands) {
    for (const Band& band : bands) {
        for (const BandPoint& point : band.points) {
            if (!band.isOneLine || point.runs == 0) continue;
            spread.min = std::min(spread.min, point.mean);
            spread.max = std::max(spread.max, point.mean);
            spread.lows.push_back(point.mean);
            spread.highs.push_back(point.mean);
        }
    }
}

// With few runs, a band reaches beyond them. A log axis ignores the part of the band that it cannot show.
void addBands(Spread& spread, const std::vector<Band>& bands, bool log) {
    for (const Band& band : bands) {
        for (const BandPoint& point : band.points) {
            if (point.runs < 2) continue;
            const double low = point.mean - point.deviation;
            spread.max = std::max(spread.max, point.mean + point.deviation);
            spread.highs.push_back(point.mean + point.deviation);
            if (log && !(low > 0)) continue;
            spread.min = std::min(spread.min, low);
            spread.lows.push_back(low);
        }
    }
}

// Room for a line at 100 %; beyond it there is nothing to show.
constexpr double kPercentEnd = 101;

bool isShareInPercent(const CardCurves& curves, const Spread& spread) {
    return spread.min >= 0 && spread.max <= 100 && curves.metric().endsWith(QLatin1String("_percent"));
}

} // namespace

bool YScale::setAxes(const ChartAxes& axes) {
    if (axes == m_axes) return false;
    m_axes = axes;
    setZoom({});
    return true;
}

void YScale::setZoom(const std::optional<AxisRange>& zoom, bool isForeign) {
    m_zoom = zoom;
    m_isForeign = isForeign;
}

AxisRange YScale::range(const std::vector<CurveView>& views, const std::vector<Band>& bands, const CardCurves& curves,
                        YMode usual) const {
    Spread spread = spreadOf(views);
    addMeans(spread, bands);
    if (spread.lows.empty()) return {0, 1, false};
    const YMode mode = m_axes.y.value_or(usual);
    const bool belowZero = m_axes.yRange && !(m_axes.yRange->first > 0); // a typed range decides
    const bool log =
        spread.min > 0 && !belowZero && (mode == YMode::Log || (mode == YMode::Auto && curves.fallOverDecades()));
    const bool zoomShows = m_zoom && !m_isForeign && m_zoom->low <= spread.max && m_zoom->high >= spread.min;
    if (zoomShows && (!log || m_zoom->low > 0)) return {m_zoom->low, m_zoom->high, log};
    if (m_axes.yRange) return {m_axes.yRange->first, m_axes.yRange->second, log};
    addBands(spread, bands, log);
    const auto scaled = [log](double value) { return log ? std::log10(value) : value; };
    double low = scaled(spread.min);
    double high = scaled(spread.max);
    // Unsmoothed series have no outliers: the warm-up of a learning rate is part of its schedule.
    if (mode == YMode::Auto && spread.lows.size() > 20 && curves.isNoisy()) {
        const double typicalLow = scaled(quantile(spread.lows, 0.02));
        const double typicalHigh = scaled(quantile(spread.highs, 0.98));
        const double room = std::max(typicalHigh - typicalLow, 0.0) * 0.5;
        low = low < typicalLow - room && room > 0 ? typicalLow - room * 0.2 : low;
        high = high > typicalHigh + room && room > 0 ? typicalHigh + room * 0.2 : high;
    }
    const bool isShare = !log && isShareInPercent(curves, spread);
    // A series that is constant except for rounding is drawn as constant.
    if (!(high - low > 1e-6 * std::max(std::abs(low), std::abs(high)))) {
        const double pad = log ? 0.1 : std::max(std::abs(high) * 0.05, 1e-9);
        low -= pad;
        high += pad;
    }
    const double pad = (high - low) * 0.05;
    const double floor = low;
    low -= pad;
    high += pad;
    if (!log && spread.min >= 0 && floor < (high - low) * 0.25) low = 0;
    if (isShare && high > kPercentEnd) high = kPercentEnd;
    return log ? AxisRange{std::pow(10.0, low), std::pow(10.0, high), true} : AxisRange{low, high, false};
}

} // namespace trainyard::ui
