// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/chart_tooltip.h"
#include "ui/plots/canvas/plot_layer.h"
#include "ui/plots/chart/chart_widget.h"

#include <QPointer>

namespace trainyard::ui {

class PlotCanvas;

// A standalone plot. Its axes fit its layers until the user zooms (see PlotCanvas); the mark under the pointer has a
// tooltip, and a click selects its run. GUI thread only.
class Plot : public ChartWidget {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);
    ~Plot() override;

    // The quantities of the axes. Other titles mean other values: they end the zoom.
    void setTitles(const QString& x, const QString& y);
    // The same with units and names; the ranges follow the layers.
    void setAxes(const PlotAxis& x, const PlotAxis& y);
    // Shows titles beside the axes on the screen, too.
    void showTitles();
    // The title of an export, in place of "x × y".
    void setTitle(const QString& title) { m_title = title; }
    // The layers, from the bottom up. A zoom stays.
    void setLayers(PlotLayers layers);
    // Which axes are logarithmic; a change ends the zoom.
    void setLog(bool x, bool y);
    // Ends the zoom.
    void fit();
    // Emphasises a run; the others fade. Empty: none.
    void setHovered(const QString& run);
    // Marks the window's current run.
    void setCurrent(const QString& run);
    // Reports drags with dragged(), and turns off every kind of zoom.
    void reportDrags();
    // For a page that scrolls: it keeps the wheel, and Ctrl+wheel zooms.
    void leaveWheelToPage();
    // The visible scene.
    const PlotScene& scene() const { return m_scene; }
    bool isZoomed() const { return m_xZoom.has_value(); }

    QString title() const override;
    QString spokenSummary() const override;
    void exportChart(const QString& path, ChartFormat format, const QSize& size, ExportDone done) override;
    void exportCsv(const QString& path, ExportDone done) override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString& run);
    // The run under the pointer changed; empty: none.
    void hovered(const QString& run);
    // Emitted after reportDrags(), in axis values; `done`: a click, or the end of a drag.
    void dragged(QPointF from, QPointF to, bool add, bool done);
    void clicked(QPointF at);
    void doubleClicked();
    // The visible part of x has changed, or the layers reach farther.
    void rangeChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void arrange();
    std::optional<PlotHit> hitAt(const QPointF& pixel) const;
    void pointAt(const QPointF& pixel);
    void pointAway();

    PlotCanvas* m_canvas;
    PlotScene m_scene;
    QString m_title;
    bool m_fixed = false; // a drag does not zoom
    std::optional<AxisRange> m_xZoom, m_yZoom;
    bool m_logX = false, m_logY = false;
    QPointer<ChartTooltip> m_tooltip;
};

} // namespace trainyard::ui
