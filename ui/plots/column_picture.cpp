// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/column_picture.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kTile = 16; // pixels: as many rows as columns stay in the nearest cache while they change places

// Memory of the picture before on this thread: as all of it was drawn, nothing is left in it. Fresh memory costs as
// much as some of the lines.
struct Spare {
    std::vector<QRgb> pixels, rows;
};
thread_local Spare spare;

} // namespace

ColumnPicture::ColumnPicture(const QRect& area)
    : m_area(area), m_pixels(std::move(spare.pixels)), m_rows(std::move(spare.rows)) {}

ColumnPicture::~ColumnPicture() {
    if (m_left < m_right) return; // not drawn
    spare.pixels = std::move(m_pixels);
    spare.rows = std::move(m_rows);
}

void ColumnPicture::add(const PixelBar& bar, QRgb color) {
    const int top = std::max(bar.top, m_area.top());
    const int bottom = std::min(bar.bottom, m_area.top() + m_area.height());
    if (bar.x < m_area.left() || bar.x > m_area.right() || top >= bottom) return;
    const auto size = static_cast<std::size_t>(m_area.width()) * static_cast<std::size_t>(m_area.height());
    if (m_pixels.size() < size) m_pixels.resize(size, 0);
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
    const qsizetype stride = box.width();
    const auto size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(box.height());
    if (m_rows.size() < size) m_rows.resize(size);
    QRgb* pixels = m_rows.data();
    for (int left = 0; left < box.width(); left += kTile) {
        for (int top = 0; top < box.height(); top += kTile) {
            for (int x = left; x < std::min(left + kTile, box.width()); ++x) {
                QRgb* column = m_pixels.data() + static_cast<std::ptrdiff_t>(box.left() + x) * m_area.height();
                for (int y = top; y < std::min(top + kTile, box.height()); ++y)
                    pixels[y * stride + x] = column[box.top() + y];
            }
        }
    }
    painter.drawImage(touched.topLeft(), QImage(reinterpret_cast<const uchar*>(pixels), box.width(), box.height(),
                                                stride * qsizetype{sizeof(QRgb)}, QImage::Format_ARGB32_Premultiplied));
    std::fill_n(m_pixels.begin() + qsizetype{box.left()} * m_area.height(), stride * m_area.height(), 0);
    m_left = m_top = std::numeric_limits<int>::max();
    m_right = m_bottom = std::numeric_limits<int>::min();
}

} // namespace trainyard::ui
