// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// One run as a dot: a value of it, such as a parameter, against another, such as its score.
struct ScatterDot {
    QString run, name;
    double x = 0, y = 0; // NaN while there is no value: listed, not drawn
    QColor color;
    bool best = false;  // larger than the others
    bool faded = false; // a filter leaves it out: a grey ring
    bool edged = false; // has a dark or light edge, where it stands on its own colour
};

// Dots that can be pointed at, and in a corner how many have no place on the axes.
class ScatterLayer final : public PlotLayer {
public:
    // `xName` and `yName` say what the values are, in the tooltip and in the header of the CSV file.
    ScatterLayer(QList<ScatterDot> dots, const QString& xName, const QString& yName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    // The dot nearest to the pixel, at most 14 px away.
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    // run,name,xName,yName: a line for every dot.
    std::string csv() const override;
    QString description() const override;

private:
    void paintDot(QPainter& painter, const PlotFrame& frame, const ScatterDot& dot) const;

    QList<ScatterDot> m_dots;
    QString m_xName, m_yName;
};

} // namespace trainyard::ui
