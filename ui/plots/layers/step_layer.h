// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// A step line: from each point to the right, then up or down to the next; for a best value so far or a distribution.
class StepLayer final : public PlotLayer {
public:
    // `points` by x; the line continues to `end`. `xName` and `yName` head the columns of the CSV file.
    StepLayer(QList<QPointF> points, double end, const QString& name, const QString& xName, const QString& yName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    std::string csv() const override;
    QString description() const override;

private:
    QList<QPointF> m_points;
    double m_end;
    QString m_name, m_xName, m_yName;
};

} // namespace trainyard::ui
