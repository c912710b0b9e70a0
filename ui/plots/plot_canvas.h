// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/chart_view.h"

#include <QWidget>

#include <memory>

namespace trainyard::ui {

// A dot of one run under the crosshair.
struct CrosshairDot {
    double x = 0;
    double y = 0;
    QColor color;
};

// Axes, grid and curves of one card, and the mouse on them. It draws the ChartView it is given and
// reports what the user wants; it decides nothing.
class PlotCanvas : public QWidget {
    Q_OBJECT
public:
    explicit PlotCanvas(QWidget* parent = nullptr);
    ~PlotCanvas() override;

    // Draws a new frame.
    void setView(ChartView view);
    const ChartView& view() const;
    // The rectangle between the axes, in this widget's pixels.
    QRectF plotRect() const;
    // Moves crosshair (NaN hides it) and dots; does not redraw the curves.
    void setCrosshair(double x, const std::vector<CrosshairDot>& dots);
    // Takes colours and fonts from the current theme.
    void applyTheme();

Q_SIGNALS:
    // The pointer moved to these values; pixel is its place in this widget.
    void hovered(double x, double y, QPointF pixel);
    void left();
    void clicked(QPointF pixel);
    void xRangeRequested(double low, double high);
    void yRangeRequested(double low, double high);
    void fitRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::ui
