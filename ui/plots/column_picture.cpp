// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/column_picture.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kTile = 16; // pixels: as many rows as columns stay in the nearest cache while they change places

} // namespace

void ColumnPicture::add(const PixelBar& bar, QRgb color) {
    const int top = std::max(bar.top, m_area.top());
    const int bottom = std::min(bar.bottom, m_area.top() + m_area.height());
    if (bar.x < m_area.left() || bar.x > m_area.right() || top >= bottom) return;
    if (m_pixels.empty())
        m_pixels.resize(static_cast<std::size_t>(m_area.width()) * static_cast<std::size_t>(m_area.height()), 0);
    QRgb* column = m_pixels.data() + static_cast<std::ptrdiff_t>(bar.x - m_area.left()) * m_area.height();
    std::fill(column + (top - m_area.top()), column + (bottom - m_area.top()), color);
    m_touched |= QRect(bar.x, top, 1, bottom - top);
}

void ColumnPicture::add(const QPointF& from, const QPointF& to, QRgb color) {
    const int first = static_cast<int>(std::floor(from.x()));
    const int last = std::max(first, static_cast<int>(std::ceil(to.x())) - 1);
    const double slope = to.x() > from.x() ? (to.y() - from.y()) / (to.x() - from.x()) : 0;
    for (int x = std::max(first, m_area.left()); x <= std::min(last, m_area.right()); ++x) {
        const double enters = x == first ? from.y() : from.y() + slope * (x - from.x());
        const double leaves = x == last ? to.y() : from.y() + slope * (x + 1 - from.x());
        const int top = static_cast<int>(std::floor(std::min(enters, leaves)));
        const int bottom = static_cast<int>(std::round(std::max(enters, leaves)));
        add(PixelBar{x, top, std::max(top + 1, bottom)}, color);
    }
}

void ColumnPicture::flush(QPainter& painter) {
    if (m_touched.isEmpty()) return;
    const QRect box = m_touched.translated(-m_area.topLeft());
    QImage image(box.size(), QImage::Format_ARGB32_Premultiplied);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (int left = 0; left < box.width(); left += kTile) {
        for (int top = 0; top < box.height(); top += kTile) {
            for (int x = left; x < std::min(left + kTile, box.width()); ++x) {
                QRgb* column = m_pixels.data() + static_cast<std::ptrdiff_t>(box.left() + x) * m_area.height();
                for (int y = top; y < std::min(top + kTile, box.height()); ++y)
                    pixels[y * stride + x] = column[box.top() + y];
            }
        }
    }
    painter.drawImage(m_touched.topLeft(), image);
    std::fill(m_pixels.begin(), m_pixels.end(), 0);
    m_touched = {};
}

} // namespace trainyard::ui
