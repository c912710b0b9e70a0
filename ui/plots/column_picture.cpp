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
    m_left = std::min(m_left, bar.x);
    m_right = std::max(m_right, bar.x + 1);
    m_top = std::min(m_top, top);
    m_bottom = std::max(m_bottom, bottom);
}

void ColumnPicture::add(const QPointF& from, const QPointF& to, QRgb color, int more) {
    const int first = static_cast<int>(std::floor(from.x()));
    const int last = std::max(first, static_cast<int>(std::ceil(to.x())) - 1);
    const double slope = to.x() > from.x() ? (to.y() - from.y()) / (to.x() - from.x()) : 0;
    for (int x = std::max(first, m_area.left()); x <= std::min(last, m_area.right()); ++x) {
        const double enters = x == first ? from.y() : from.y() + slope * (x - from.x());
        const double leaves = x == last ? to.y() : from.y() + slope * (x + 1 - from.x());
        const int top = static_cast<int>(std::floor(std::min(enters, leaves)));
        const int bottom = static_cast<int>(std::round(std::max(enters, leaves)));
        add(PixelBar{x, top, std::max(top + 1, bottom) + more}, color);
    }
}

void ColumnPicture::flush(QPainter& painter) {
    if (m_left >= m_right) return;
    const QRect touched(m_left, m_top, m_right - m_left, m_bottom - m_top);
    const QRect box = touched.translated(-m_area.topLeft());
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
    painter.drawImage(touched.topLeft(), image);
    std::fill(m_pixels.begin(), m_pixels.end(), 0);
    m_left = m_top = std::numeric_limits<int>::max();
    m_right = m_bottom = std::numeric_limits<int>::min();
}

} // namespace trainyard::ui
