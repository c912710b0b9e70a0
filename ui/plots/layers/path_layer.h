// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// A line through points that are no values of a run over its steps.
struct NamedPath {
    QString name;
    QColor color;
    bool reference = false; // what the others are compared with: thin, dashed, without a tooltip
    QList<QPointF> points;  // in the order in which they are joined
};

// Such lines with hover.
class PathLayer final : public PlotLayer {
public:
    // `xName` and `yName` name the values, in the tooltip and in the header of the CSV file.
    PathLayer(QList<NamedPath> lines, const QString& xName, const QString& yName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    // The point nearest to the pixel, at most 14 px away.
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    // name,xName,yName: a line for every point.
    std::string csv() const override;
    QString description() const override;
    const QList<NamedPath>& lines() const { return m_lines; }

private:
    QList<NamedPath> m_lines;
    QString m_xName, m_yName;
};

} // namespace trainyard::ui
