// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"
#include "ui/series/rank_lanes.h"

namespace trainyard::ui {

QColor timePartColor(const Theme& theme, TimePart part);

// How each rank spent its time: one lane per rank, its parts stacked from the bottom. x: seconds of training; y: the
// lanes, the first at the top.
class LaneLayer final : public PlotLayer {
public:
    explicit LaneLayer(std::vector<RankLane> lanes) : m_lanes(std::move(lanes)) {}

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    // rank,from_s,to_s,data,compute,communication,wait
    std::string csv() const override;
    QString description() const override;

    // The place of a lane on the y axis, and its name there.
    static double placeOf(std::size_t lane, std::size_t lanes) { return static_cast<double>(lanes - 1 - lane); }
    static QStringList names(const std::vector<RankLane>& lanes);

private:
    void paintLane(QPainter& painter, const PlotFrame& frame, std::size_t lane) const;

    std::vector<RankLane> m_lanes;
};

} // namespace trainyard::ui
