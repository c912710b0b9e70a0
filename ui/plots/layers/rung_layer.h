// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// The scores of one run at the scheduler's checks, and its end.
struct RungLine {
    QString run, name, reason{}; // why it was stopped; empty: it continued
    QList<QPointF> points{};     // t and score
    double quality = 0;          // 0 the worst to 1 the best
    QColor color{};              // its own, while hovered or current
    bool best = false, faded = false;
};

// A rung: x = t, and the score needed there.
struct RungCut {
    double t = 0, score = 0; // NaN: none
};

// The runs of a sweep from rung to rung: which continued, which were stopped (a cross), and the score needed (a bar).
class RungLayer final : public PlotLayer {
public:
    RungLayer(QList<RungLine> lines, QList<RungCut> cuts, const QString& tName, const QString& scoreName);

    void paint(QPainter& painter, const PlotFrame& frame) const override;
    PlotBounds bounds(bool logX, bool logY) const override;
    // The nearest point, at most 12 px away.
    std::optional<PlotHit> hit(const QPointF& pixel, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;
    // run,name,t,score,reason: a line for every point.
    std::string csv() const override;
    QString description() const override;

private:
    void paintLine(QPainter& painter, const PlotFrame& frame, const RungLine& line) const;

    QList<RungLine> m_lines; // by quality
    QList<RungCut> m_cuts;
    QString m_tName, m_scoreName;
};

} // namespace trainyard::ui
