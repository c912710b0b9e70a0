// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/lane_layer.h"

#include "ui/models/text/format.h"
#include "ui/plots/canvas/plot_words.h"

#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr double kLaneHeight = 0.76; // of the distance of two lanes
constexpr double kHighestLane = 72;  // pixels
constexpr double kLeastWidth = 2;    // pixels; narrower spans are painted together
constexpr std::array<TimePart, kTimeParts> kOrder{TimePart::Compute, TimePart::Communication, TimePart::Data,
                                                  TimePart::Wait}; // from the bottom

struct LaneBox {
    double top = 0, height = 0;
};
LaneBox boxOf(const PlotFrame& frame, double place) {
    const double height = std::min(kHighestLane, kLaneHeight * std::abs(frame.y.toPixel(1) - frame.y.toPixel(0)));
    return {frame.y.toPixel(place) - height / 2, height};
}

} // namespace

QColor timePartColor(const Theme& theme, TimePart part) {
    switch (part) {
    case TimePart::Data: return theme.seq[1];
    case TimePart::Compute: return theme.seq[3];
    case TimePart::Communication: return theme.seq[4];
    case TimePart::Wait: return theme.warn;
    }
    return theme.text3;
}

QStringList LaneLayer::names(const std::vector<RankLane>& lanes) {
    QStringList names;
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) names << PlotWords::tr("rank %1").arg(lane->rank);
    return names;
}

void LaneLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) paintLane(painter, frame, lane);
}

void LaneLayer::paintLane(QPainter& painter, const PlotFrame& frame, std::size_t lane) const {
    const auto& spans = m_lanes[lane].spans;
    const LaneBox box = boxOf(frame, placeOf(lane, m_lanes.size()));
    const double left = frame.x.toValue(frame.area.left()), right = frame.x.toValue(frame.area.right());
    auto span = std::lower_bound(spans.begin(), spans.end(), left,
                                 [](const TimeSpan& each, double time) { return each.to <= time; });
    while (span != spans.end() && span->from < right) {
        // Joins spans until they are wide enough to be visible; a gap ends the joining.
        const auto first = span;
        TimeShares sum{};
        double seconds = 0, end = first->from;
        do {
            const double length = span->to - span->from;
            for (std::size_t part = 0; part < kTimeParts; ++part)
                sum[part] += static_cast<float>(length) * span->shares[part];
            seconds += length;
            end = span->to;
            ++span;
        } while (span != spans.end() && span->from <= end &&
                 frame.x.toPixel(end) - frame.x.toPixel(first->from) < kLeastWidth);
        const double x0 = std::max(frame.area.left(), frame.x.toPixel(first->from));
        const double x1 = std::min(frame.area.right(), frame.x.toPixel(end));
        painter.fillRect(QRectF(x0, box.top, x1 - x0, box.height), frame.theme.track);
        double bottom = box.top + box.height;
        for (const TimePart part : kOrder) {
            const double share = std::clamp(static_cast<double>(shareOf(sum, part)) / seconds, 0.0, 1.0);
            const double height = std::min(share * box.height, bottom - box.top);
            bottom -= height;
            painter.fillRect(QRectF(x0, bottom, x1 - x0, height), timePartColor(frame.theme, part));
        }
    }
}

PlotBounds LaneLayer::bounds(bool, bool) const {
    PlotBounds bounds;
    for (const RankLane& lane : m_lanes) {
        if (lane.spans.empty()) continue;
        bounds.add(lane.spans.front().from, -0.5);
        bounds.add(lane.spans.back().to, static_cast<double>(m_lanes.size()) - 0.5);
    }
    return bounds;
}

std::optional<PlotHit> LaneLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const double time = frame.x.toValue(pixel.x());
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const LaneBox box = boxOf(frame, placeOf(i, m_lanes.size()));
        if (pixel.y() < box.top || pixel.y() > box.top + box.height) continue;
        const auto& spans = m_lanes[i].spans;
        const auto span = std::lower_bound(spans.begin(), spans.end(), time,
                                           [](const TimeSpan& each, double at) { return each.to <= at; });
        TooltipContent tooltip;
        tooltip.heading = PlotWords::tr("rank %1").arg(m_lanes[i].rank);
        tooltip.note = durationText(time);
        if (span == spans.end() || span->from > time) {
            tooltip.footer = PlotWords::tr("The rank was silent");
            return PlotHit{{}, 0, tooltip};
        }
        float rest = 1;
        for (auto part = kOrder.rbegin(); part != kOrder.rend(); ++part) { // from top to bottom
            const float share = shareOf(span->shares, *part);
            tooltip.rows << TooltipRow{timePartColor(frame.theme, *part), timePartName(*part), percentText(share), {}};
            rest -= share;
        }
        if (rest > 0.02F)
            tooltip.footer = PlotWords::tr("%1 of it in other work, such as validation").arg(percentText(rest));
        return PlotHit{{}, 0, tooltip};
    }
    return std::nullopt;
}

QList<LegendEntry> LaneLayer::legend(const Theme& theme) const {
    QList<LegendEntry> entries;
    for (const TimePart part : kOrder) entries << LegendEntry{timePartName(part), timePartColor(theme, part), true};
    return entries;
}

std::string LaneLayer::csv() const {
    std::string text = "rank,from_s,to_s,data,compute,communication,wait\n";
    for (const RankLane& lane : m_lanes)
        for (const TimeSpan& span : lane.spans) {
            text += std::to_string(lane.rank) + ',' + csvNumber(span.from).toStdString() + ',' +
                    csvNumber(span.to).toStdString();
            for (const float share : span.shares) text += ',' + csvNumber(static_cast<double>(share)).toStdString();
            text += '\n';
        }
    return text;
}

QString LaneLayer::description() const {
    QStringList spoken;
    const double end = endOf(m_lanes);
    for (const RankLane& lane : m_lanes) {
        TimeShares mean = meanShares(lane, 0, end);
        QStringList parts;
        for (const TimePart part : kOrder)
            parts << timePartName(part) + QLatin1Char(' ') + percentText(shareOf(mean, part));
        spoken << PlotWords::tr("rank %1: %2").arg(lane.rank).arg(parts.join(QLatin1String(", ")));
    }
    return spoken.join(QLatin1String("; "));
}

} // namespace trainyard::ui
