// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_picture.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kBeyond = 6; // pixels beyond the axes that a plot shows

} // namespace

void LinePicture::show(QPainter& painter, const PlotFrame& frame, const Paint& paint) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster || painter.transform().type() > QTransform::TxTranslate)
        return paint(painter);
    const double ratio = painter.device()->devicePixelRatioF();
    const QRectF box = frame.area.adjusted(-kBeyond, -kBeyond, kBeyond, kBeyond);
    const QPointF low = frame.toPixel(0, 0), high = frame.toPixel(1, 1);
    const QList<double> key{box.x(), box.y(),  box.width(), box.height(), low.x(),
                            low.y(), high.x(), high.y(),    ratio,        frame.theme.dark ? 1.0 : 0.0};
    if (key != m_key) {
        m_key = key;
        m_image = QImage((box.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_image.setDevicePixelRatio(ratio);
        m_image.fill(Qt::transparent);
        QPainter inner(&m_image);
        inner.translate(-box.topLeft());
        inner.setClipRect(box); // Qt draws thin lines ten times as fast within a clip
        paint(inner);
    }
    painter.drawImage(box.topLeft(), m_image);
}

} // namespace trainyard::ui
