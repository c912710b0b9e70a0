// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// One run as a dot: one of its values, such as a parameter, against another, such as its score.
struct ScatterDot {
    QString run, name;
    double x = 0, y = 0; // NaN: no value; listed but not drawn
    QColor color;
    bool best = false;  // larger than the others
    bool faded = false; // outside the filter: a grey ring
    bool edged = false; // has a dark or light edge, to stand out on its own colour
};

// Dots with hover, and in a corner the number of dots that have no place on the axes.
class ScatterLayer final : public PlotLayer {
public:
    // `xName` and `yName` name the values, in the tooltip and in the header of the CSV file.
    ScatterLayer(QList<ScatterDot> dots, const QString& xName, const QString& yName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    // The dot nearest to the pixel, at most 14 px away.
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    // run,name,xName,yName: a line for every dot.
    std::string csv() const override;
    // Each dot in words; of many, how many there are and where they lie.
    QString description() const override;

private:
    class Stamps;
    void paintDot(QPainter& painter, const PlotFrame& frame, const ScatterDot& dot, Stamps* stamps) const;

    QList<ScatterDot> m_dots;
    QString m_xName, m_yName;
};

} // namespace trainyard::ui
