// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

#include <QImage>
#include <QMargins>
#include <QRect>

#include <functional>
#include <limits>
#include <memory>

class QPaintDevice;
class QWidget;

namespace trainyard::ui {

// A PlotScene drawn by QCustomPlot: grid, axes and tick labels, the scene's layers above them, and on top an overlay
// that can be repainted alone. It draws the screen and every export. GUI thread only.
class ScenePlot {
public:
    // Draws the overlay above the layers.
    using Overlay = std::function<void(QPainter&)>;

    // A widget in `parent`; without a parent, only for paintOn(). `theme` must outlive it.
    ScenePlot(QWidget* parent, const Theme& theme, Overlay overlay);
    ~ScenePlot();

    // Draws a new frame; with the same axes, only the part that changed.
    void setScene(PlotScene scene);
    const PlotScene& scene() const { return m_scene; }
    // The mapping from the scene's values to this plot's pixels. Updated at once for a new scene or size.
    PlotFrame frame() const;
    void resize(const QSize& size);
    // Shows the titles of both axes beside them, and leaves `room` around everything. Else that of x shows at the end
    // of its labels, where it takes no height.
    void showTitles(const QMargins& room);
    // Takes colours and fonts from the theme again.
    void applyTheme();
    // Repaints only the overlay or a part of it, not the axes and layers.
    void repaintOverlay();
    void repaintOverlay(const QRect& part);
    // Draws everything into `size` units of an image, an SVG or a PDF.
    void paintOn(QPaintDevice& device, const QSize& size);

private:
    class Ticker;
    class Painted;
    class Screen;
    void setUp();
    void setUpAxes();
    void layOut();
    void setTitles();
    double titleRoom() const; // what the title of x takes of the labels' row, in pixels
    void paintTitle(QPainter& painter) const;
    void showAxes();
    void setChanged(double from);
    QRect changedPart() const; // of the picture
    void paintLayers(QPainter& painter, const PlotFrame& shown) const;
    void updatePicture();
    void paintScreen(QPainter& painter);

    const Theme& m_theme;
    PlotScene m_scene;
    bool m_titled = false;
    Overlay m_overlay;
    QImage m_picture; // of everything but the overlay
    QRect m_box;      // place of the layers in it
    // The pixel from which on (to the right) the layers must be repainted; minus infinity: the axes, too.
    double m_changed = -std::numeric_limits<double>::infinity();
    std::unique_ptr<Screen> m_plot;
};

} // namespace trainyard::ui
