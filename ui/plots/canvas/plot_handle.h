// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// The end of a curve that can be dragged up and down to set another value, such as a learning rate. It is held from the
// press or the first key until it is released, which sets the new value, or cancelled. Values are above 0 and have two
// significant digits.
class PlotHandle {
public:
    // Places it at a point of the plot; a held one keeps its dragged value.
    void show(const QPointF& at, const QColor& color);
    // Removes it, even while it is held.
    void hide();

    bool isShown() const { return m_shown; }
    bool isHeld() const { return m_held; }
    double value() const { return m_held ? m_value : m_at.y(); }

    bool isNear(const QPointF& pixel, const PlotFrame& frame) const;
    // Holds it when the pixel is near; false otherwise.
    bool grab(const QPointF& pixel, const PlotFrame& frame);
    void dragTo(const QPointF& pixel, const PlotFrame& frame);
    // Moves it by keys, a tenth of a decade each; this starts holding it.
    void nudge(int notches);
    // Ends the hold and returns the new value; nothing if it is unchanged.
    std::optional<double> release();
    void cancel() { m_held = false; }

    void paint(QPainter& painter, const PlotFrame& frame) const;
    // The pixels that it paints; empty while hidden.
    QRect box(const PlotFrame& frame) const;
    bool operator==(const PlotHandle&) const = default;

private:
    void paintHeld(QPainter& painter, const PlotFrame& frame, const QPointF& at) const;

    QPointF m_at; // in axis values
    QColor m_color;
    double m_value = 0;
    bool m_shown = false, m_held = false;
};

// A value with two significant digits, at least a thousandth of `before` (which is above 0).
double steeredValue(double value, double before);

} // namespace trainyard::ui
