// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_picture.h"

#include "ui/plots/in_parallel.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kBeyond = 6; // pixels beyond the axes that a plot shows
constexpr int kNarrow = 32;   // pixels: a stripe that is not worth a thread

} // namespace

void LinePicture::show(QPainter& painter, const PlotFrame& frame, const Paint& paint, int stripes) {
    const QRectF box = frame.area.adjusted(-kBeyond, -kBeyond, kBeyond, kBeyond);
    if (painter.paintEngine()->type() != QPaintEngine::Raster || painter.transform().type() > QTransform::TxTranslate)
        return paint(painter, box);
    const double ratio = painter.device()->devicePixelRatioF();
    const QPointF low = frame.toPixel(0, 0), high = frame.toPixel(1, 1);
    const QList<double> key{box.x(), box.y(),  box.width(), box.height(), low.x(),
                            low.y(), high.x(), high.y(),    ratio,        frame.theme.dark ? 1.0 : 0.0};
    if (key != m_key) setChanged(-std::numeric_limits<double>::infinity());
    m_key = key;
    if (m_changed < box.right()) repaint(box, ratio, paint, stripes);
    m_changed = std::numeric_limits<double>::infinity();
    painter.drawImage(box.topLeft(), m_image);
}

// The threads write to parts of one image, so that nothing has to be put together. The image of the frame before is
// painted over: fresh memory costs as much as some of the lines.
void LinePicture::repaint(const QRectF& box, double ratio, const Paint& paint, int stripes) {
    const QSize size = (box.size() * ratio).toSize();
    if (m_image.size() != size) m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(ratio);
    uchar* pixels = m_image.bits();
    const int height = m_image.height();
    const int first = static_cast<int>(std::max(0.0, std::floor((m_changed - box.left()) * ratio)));
    const int width = m_image.width() - first;
    const qsizetype row = m_image.bytesPerLine();
    stripes = std::clamp(width / kNarrow, 1, stripes);
    inParallel(stripes, [&](int i) {
        const int left = first + width * i / stripes, right = first + width * (i + 1) / stripes;
        if (left == right) return;
        QImage stripe(pixels + qsizetype{4} * left, right - left, height, row, QImage::Format_ARGB32_Premultiplied);
        stripe.setDevicePixelRatio(ratio);
        stripe.fill(Qt::transparent);
        const QRectF part(box.left() + left / ratio, box.top(), (right - left) / ratio, box.height());
        QPainter inner(&stripe);
        inner.translate(-part.topLeft());
        inner.setClipRect(part); // Qt draws thin lines ten times as fast within a clip
        paint(inner, part);
    });
}

} // namespace trainyard::ui
