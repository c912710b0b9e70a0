// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

#include <QImage>

#include <algorithm>
#include <functional>
#include <limits>

namespace trainyard::ui {

// Marks of a layer that are slow to paint, as a picture. Repaints only what changed, or everything for another plot,
// other colours or another resolution. Vector files get the marks themselves. GUI thread.
class LinePicture {
public:
    // The marks right of `left`, in the plot's pixels, have changed since they were painted.
    void setChanged(double left) { m_changed = std::min(m_changed, left); }
    // Draws at least the marks visible in `box`.
    using Paint = std::function<void(QPainter& painter, const QRectF& box)>;
    // `tiled`: several threads call `paint` at a time, each for a part of the picture.
    void show(QPainter& painter, const PlotFrame& frame, const Paint& paint, bool tiled = false);

private:
    void repaint(const QRectF& box, double ratio, const Paint& paint, bool tiled);

    QImage m_image;
    QList<double> m_key; // the plot that it was painted for
    double m_changed = -std::numeric_limits<double>::infinity();
};

} // namespace trainyard::ui
