// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// A bar along x in the row y = `row`, from one value to another.
struct Bar {
    int row = 0;
    double from = 0, to = 0;
    QString name, note{}; // of the tooltip
    QString label{};      // beside its end; empty: none
    QString run{};        // the run that it represents; empty: none
    QColor color{};       // invalid: the colour of quantities
};

// Bars in rows: shares, or periods of time.
class BarLayer final : public PlotLayer {
public:
    // `fromName` and `toName` head the columns of the CSV file.
    BarLayer(QList<Bar> bars, const QString& fromName, const QString& toName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    std::string csv() const override;
    QString description() const override;

private:
    QRectF boxOf(const Bar& bar, const PlotFrame& frame) const;

    QList<Bar> m_bars;
    QString m_fromName, m_toName;
};

} // namespace trainyard::ui
