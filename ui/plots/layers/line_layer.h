// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// One line through points ordered by x. A y that is NaN leaves a gap.
struct PlotLine {
    QString name;
    QColor color;
    QList<QPointF> points;
};

// Lines of quantities that are no runs, such as the latencies of a service over time. What lies under the pointer tells
// the values of all of them.
class LineLayer final : public PlotLayer {
public:
    // `xName` heads the first column of the CSV file; the lines share their x. `heading` and `value` write an x and a y
    // in the tooltip.
    using Words = QString (*)(double value);
    LineLayer(QList<PlotLine> lines, const QString& xName, Words heading, Words value);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    std::string csv() const override;
    QString description() const override;

private:
    QList<PlotLine> m_lines;
    QString m_xName;
    Words m_heading, m_value;
};

} // namespace trainyard::ui
