// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_handle.h"
#include "ui/plots/canvas/scene_plot.h"

#include <QHash>
#include <QPixmap>
#include <QWidget>

namespace trainyard::ui {

// A dot of one run under the crosshair.
struct CrosshairDot {
    double x = 0;
    double y = 0;
    QColor color;

    bool operator==(const CrosshairDot&) const = default;
};

// A mouse press and its outcome, in pixels of the canvas.
struct PlotDrag {
    bool pressed = false;
    bool panning = false;
    QPointF from, at;

    // Farther from its start than the hand moves in a click.
    bool isDrag() const;
    // The part of `area` that it frames; a flat one zooms in x only, and takes the whole height.
    QRectF box(const QRectF& area) const;
    bool isFlat() const;
};

// What a drag of the left button is for.
enum class DragUse { Zoom, Report };

// A scene on the screen, and mouse and keys on it: drag zooms, the middle button pans, the wheel
// zooms x and with Shift y, a double click fits. It reports what the user wants and decides nothing.
// GUI thread only.
class PlotCanvas : public QWidget {
    Q_OBJECT
public:
    explicit PlotCanvas(QWidget* parent = nullptr);

    // Report: a drag is told by dragged(), and wheel and middle button do nothing.
    void setDragUse(DragUse use) { m_dragUse = use; }
    // On a page that scrolls the wheel is the page's; with Ctrl it zooms.
    void leaveWheelToPage() { m_isWheelOfPage = true; }
    // Titles beside the axes.
    void showTitles() { m_plot.showTitles({}); }
    // Draws a new frame.
    void setScene(PlotScene scene) { m_plot.setScene(std::move(scene)); }
    const PlotScene& scene() const { return m_plot.scene(); }
    // The rectangle between the axes, in this widget's pixels.
    QRectF plotRect() const { return frame().area; }
    // Where the values of the scene lie in it.
    PlotFrame frame() const { return m_plot.frame(); }
    // Moves crosshair (NaN hides it) and dots; does not redraw the layers.
    void setCrosshair(double x, const std::vector<CrosshairDot>& dots);
    // Takes colours and fonts from the current theme.
    void applyTheme() { m_plot.applyTheme(); }
    // The end of a curve that can be dragged to another value. On it the left button drags; Ctrl+Up and Ctrl+Down move
    // it, Enter releases it there, Escape lets go of it.
    const PlotHandle& handle() const { return m_handle; }
    void showHandle(const QPointF& at, const QColor& color); // as PlotHandle::show()
    void hideHandle();
    void dropHandle(); // cancels its drag
    // Left and Right pan, + and - zoom x, Shift+Up and Shift+Down zoom y, Home fits; false for any other key. The
    // widget with the focus calls it.
    bool takeKey(const QKeyEvent& event);

Q_SIGNALS:
    // The pointer moved to this value of x; pixel is its place in this widget.
    void hovered(double x, QPointF pixel);
    void left();
    void clicked(QPointF pixel);
    // A drag between two places, in this widget's pixels; `add`: Shift is held; `done`: the button is released.
    void dragged(QPointF from, QPointF to, bool add, bool done);
    void xRangeRequested(double low, double high);
    void yRangeRequested(double low, double high);
    void fitRequested();
    void handleGrabbed();         // by the mouse
    void handleSet(double value); // released at another value

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool takeHandleKey(const QKeyEvent& event);
    void releaseHandle();
    void setHandle(const PlotHandle& handle);
    void requestX(const AxisRange& range) { Q_EMIT xRangeRequested(range.low, range.high); }
    void requestY(const AxisRange& range) { Q_EMIT yRangeRequested(range.low, range.high); }
    void paintOverlay(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintZoomBox(QPainter& painter) const;
    const QPixmap& dotOf(const QColor& color, const Theme& theme, double ratio) const;

    double m_crosshair = std::numeric_limits<double>::quiet_NaN();
    std::vector<CrosshairDot> m_dots;
    mutable QHash<QList<QRgb>, QPixmap> m_dotPictures; // by color, background and resolution
    DragUse m_dragUse = DragUse::Zoom;
    bool m_isWheelOfPage = false;
    PlotDrag m_drag;
    PlotHandle m_handle;
    ScenePlot m_plot;
};

} // namespace trainyard::ui
