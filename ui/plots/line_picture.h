// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/plot_layer.h"

#include <QImage>

#include <functional>

namespace trainyard::ui {

// Marks of a layer that take long to paint, as a picture: painted anew only for another plot, other colours or another
// resolution. Files with vectors get the marks themselves. GUI thread.
class LinePicture {
public:
    // Draws at least the marks that are seen in `box`.
    using Paint = std::function<void(QPainter& painter, const QRectF& box)>;
    // Painted in `stripes` side by side: with more than one, several threads call `paint` at a time.
    void show(QPainter& painter, const PlotFrame& frame, const Paint& paint, int stripes = 1);

private:
    void repaint(const QRectF& box, double ratio, const Paint& paint, int stripes);

    QImage m_image;
    QList<double> m_key; // what it was painted for
};

} // namespace trainyard::ui
