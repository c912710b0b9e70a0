// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/curve_stroke.h"
#include "ui/plots/canvas/line_picture.h"
#include "ui/series/series_data.h"

namespace trainyard::ui {

// One run as drawn in a frame.
struct CurveView {
    QString runId;
    QString name; // in a legend
    QColor color;
    int pattern = 0; // of its line: 0 solid, then ever shorter dashes
    bool live = false;
    bool smoothed = false; // main is smoothed, with faint raw values behind it
    Columns raw;           // only when smoothed
    Columns main;
    QPointF end; // x and y of the last shown value; NaN when there is none
};

// The level of detail of a frame.
struct CurveDetail {
    bool moving = false; // one frame of a movement: many curves are drawn without antialiasing
    int columnWidth = 1; // pixels that a column of the curves covers
};

// The lines of curves for one place of the axes.
struct CurveStrokes {
    QList<double> place{};
    int columnWidth = 1;
    std::vector<Stroke> raws{}, mains{};
    bool fineRaws = true, fineMains = true; // antialiased
    double mainWidth = 2;
};

// The painted curves, reused from frame to frame. GUI thread.
class CurvePictures {
    friend class CurveLayer;
    // Switches to the curves of this layer.
    void show(quint64 layer, const std::vector<CurveView>& curves, CurveStrokes strokes);

    quint64 m_layer = 0;                                         // the layer they belong to
    double m_changed = -std::numeric_limits<double>::infinity(); // pixel from which they differ from the last layer
    std::vector<std::pair<QRgb, int>> m_looks{};
    CurveStrokes m_strokes{};
    LinePicture m_all{}, m_fadedRaws{}, m_fadedMains{};
};

// Lines through the columns of runs, the raw values behind their averages, and a disc at the end of each training run.
class CurveLayer final : public PlotLayer {
public:
    // `pictures`: of the layer that this one replaces on the screen; the parts that both share are not painted again.
    explicit CurveLayer(std::vector<CurveView> curves, const CurveDetail& detail = {},
                        std::shared_ptr<CurvePictures> pictures = std::make_shared<CurvePictures>());

    const std::vector<CurveView>& curves() const { return m_curves; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    double changedFrom(const PlotLayer& before, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;

private:
    class Brush;
    CurveStrokes strokes(const PlotFrame& frame) const;
    void updateStrokes(const PlotFrame& frame) const;
    void paintRaw(Brush& brush, std::size_t curve, const PlotFrame& frame) const;
    void paintMain(Brush& brush, std::size_t curve, const PlotFrame& frame) const;
    void paintAll(QPainter& painter, const PlotFrame& frame) const;
    void paintFaded(QPainter& painter, const PlotFrame& frame) const;

    std::vector<CurveView> m_curves;
    CurveDetail m_detail;
    quint64 m_number; // unique among layers
    std::shared_ptr<CurvePictures> m_pictures;
};

} // namespace trainyard::ui
