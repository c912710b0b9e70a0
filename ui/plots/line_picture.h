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
    using Paint = std::function<void(QPainter& painter)>;
    void show(QPainter& painter, const PlotFrame& frame, const Paint& paint);

private:
    QImage m_image;
    QList<double> m_key; // what it was painted for
};

} // namespace trainyard::ui
