// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/line_picture.h"

#include "ui/plots/canvas/in_parallel.h"

#include <QPaintEngine>
#include <QPainter>

#include <cmath>
#include <cstring>

namespace trainyard::ui {

namespace {

constexpr double kBeyond = 6;  // pixels beyond the axes that a plot shows
constexpr int kTileWidth = 64; // device pixels
constexpr int kFewTiles = 2;   // painted faster than another thread wakes up
constexpr int kMargin = 2;     // device pixels beside a tile: QPainter may shade a line differently where it clips it

} // namespace

void LinePicture::show(QPainter& painter, const PlotFrame& frame, const Paint& paint, bool tiled) {
    const QRectF box = frame.area.adjusted(-kBeyond, -kBeyond, kBeyond, kBeyond);
    if (painter.paintEngine()->type() != QPaintEngine::Raster || painter.transform().type() > QTransform::TxTranslate)
        return paint(painter, box);
    const double ratio = painter.device()->devicePixelRatioF();
    const QPointF low = frame.toPixel(0, 0), high = frame.toPixel(1, 1);
    const QList<double> key{box.x(), box.y(),  box.width(), box.height(), low.x(),
                            low.y(), high.x(), high.y(),    ratio,        frame.theme.dark ? 1.0 : 0.0};
    if (key != m_key) setChanged(-std::numeric_limits<double>::infinity());
    m_key = key;
    if (m_changed < box.right()) repaint(box, ratio, paint, tiled);
    m_changed = std::numeric_limits<double>::infinity();
    painter.drawImage(box.topLeft(), m_image);
}

// Tiles have fixed places, so that a picture painted in parts equals one painted at once.
void LinePicture::repaint(const QRectF& box, double ratio, const Paint& paint, bool tiled) {
    const QSize size = (box.size() * ratio).toSize();
    if (m_image.size() != size) m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(ratio);
    uchar* pixels = m_image.bits();
    const int height = m_image.height(), all = m_image.width();
    const int width = tiled ? kTileWidth : std::max(1, all);
    const qsizetype row = m_image.bytesPerLine();
    const int first = static_cast<int>(std::max(0.0, std::floor((m_changed - box.left()) * ratio))) / width;
    const auto paintTile = [&](int i) {
        const int left = (first + i) * width, right = std::min(all, left + width);
        // Reuses this thread's previous tile: fresh memory costs as much as some of the lines.
        thread_local QImage tile;
        const QSize tileSize(width + 2 * kMargin, height);
        if (tile.size() != tileSize) tile = QImage(tileSize, QImage::Format_ARGB32_Premultiplied);
        tile.setDevicePixelRatio(ratio);
        tile.fill(Qt::transparent);
        const QRectF part(box.left() + (left - kMargin) / ratio, box.top(), tile.width() / ratio, box.height());
        QPainter inner(&tile);
        inner.translate(-part.topLeft());
        inner.setClipRect(part); // Qt draws thin lines ten times as fast within a clip
        paint(inner, part);
        inner.end();
        const auto bytes = 4 * static_cast<std::size_t>(right - left);
        for (int y = 0; y < height; ++y)
            std::memcpy(pixels + y * row + qsizetype{4} * left, tile.constScanLine(y) + 4 * kMargin, bytes);
    };
    const int tiles = (all + width - 1) / width - first;
    if (tiles > kFewTiles) return inParallel(tiles, paintTile);
    for (int i = 0; i < tiles; ++i) paintTile(i);
}

} // namespace trainyard::ui
