// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/curve_stroke.h"
#include "ui/plots/line_picture.h"
#include "ui/series/series_data.h"

namespace trainyard::ui {

// One run as a frame draws it.
struct CurveView {
    QString runId;
    QString name; // in a legend
    QColor color;
    int pattern = 0; // of its line: 0 solid, then ever shorter dashes
    bool live = false;
    bool smoothed = false;   // main is smoothed and raw lies faint behind it
    std::vector<Column> raw; // only when smoothed
    std::vector<Column> main;
    QPointF end; // x and y of the last shown value; NaN when there is none
};

// Lines through the columns of runs, the raw values behind their averages, and a disc where a run goes on.
class CurveLayer final : public PlotLayer {
public:
    // `moving`: one frame of many that follow one another, of which none is looked at closely. The lines of many curves
    // are not antialiased then.
    explicit CurveLayer(std::vector<CurveView> curves, bool moving = false)
        : m_curves(std::move(curves)), m_moving(moving) {}

    const std::vector<CurveView>& curves() const { return m_curves; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;

private:
    // What was computed for one place of the axes.
    struct Strokes {
        QList<double> key{};
        std::vector<Stroke> raws{}, mains{};
        bool fineRaws = true, fineMains = true; // antialiased
        double mainWidth = 2;
    };
    class Brush;
    void updateStrokes(const PlotFrame& frame) const;
    void paintRaw(Brush& brush, std::size_t curve, const PlotFrame& frame) const;
    void paintMain(Brush& brush, std::size_t curve, const PlotFrame& frame) const;
    void paintAll(QPainter& painter, const PlotFrame& frame) const;
    void paintFaded(QPainter& painter, const PlotFrame& frame) const;

    std::vector<CurveView> m_curves;
    bool m_moving;
    mutable Strokes m_strokes;
    mutable LinePicture m_picture, m_fadedRaws, m_fadedMains;
};

} // namespace trainyard::ui
