// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/column_picture.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kTile = 16; // pixels: this many rows and columns stay in the first cache while they are transposed

// Memory of this thread's previous picture, which was drawn whole, so it is empty. Fresh memory costs as much as
// drawing some of the lines.
struct Spare {
    std::vector<ColumnPicture::Bar> bars;
    std::vector<QRgb> pixels, rows;
};
thread_local Spare spare;

void paintUnder(QRgb* from, const QRgb* to, QRgb color) {
    for (QRgb* pixel = from; pixel < to; ++pixel) *pixel = *pixel == 0 ? color : *pixel;
}

} // namespace

ColumnPicture::ColumnPicture(const QRect& area, const PixelColumns& columns)
    : m_columns(columns), m_first(columns.columnOf(area.left())),
      m_count(area.isEmpty() ? 0 : columns.columnOf(area.right()) - m_first + 1), m_bars(std::move(spare.bars)),
      m_pixels(std::move(spare.pixels)), m_rows(std::move(spare.rows)) {
    m_area = QRect(columns.pixelOf(m_first), area.top(), m_count * columns.width, area.height());
}

ColumnPicture::~ColumnPicture() {
    m_bars.clear();
    spare = {std::move(m_bars), std::move(m_pixels), std::move(m_rows)};
}

void ColumnPicture::addToColumn(int column, int top, int bottom, QRgb color) {
    top = std::max(top, m_area.top());
    bottom = std::min(bottom, m_area.top() + m_area.height());
    if (column < m_first || column >= m_first + m_count || top >= bottom) return;
    m_bars.push_back({column - m_first, top - m_area.top(), bottom - m_area.top(), color});
    m_left = std::min(m_left, column);
    m_right = std::max(m_right, column + 1);
    m_top = std::min(m_top, top);
    m_bottom = std::max(m_bottom, bottom);
}

void ColumnPicture::add(const PixelBar& bar, QRgb color) {
    addToColumn(m_columns.columnOf(bar.x), bar.top, bar.bottom, color);
}

void ColumnPicture::add(const QPointF& from, const QPointF& to, QRgb color, int more) {
    const double width = m_columns.width;
    const double fromX = (from.x() - m_columns.origin) / width, toX = (to.x() - m_columns.origin) / width;
    const int first = floorOf(fromX);
    const int last = std::max(first, -floorOf(-toX) - 1);
    const double slope = toX > fromX ? (to.y() - from.y()) / (toX - fromX) : 0;
    for (int x = std::max(first, m_first); x <= std::min(last, m_first + m_count - 1); ++x) {
        const double enters = x == first ? from.y() : from.y() + slope * (x - fromX);
        const double leaves = x == last ? to.y() : from.y() + slope * (x + 1 - fromX);
        const int top = floorOf(std::min(enters, leaves));
        const int bottom = floorOf(std::max(enters, leaves) + 0.5);
        addToColumn(x, top, std::max(top + 1, bottom) + more, color);
    }
}

// From the top run down: of a hundred overlapping runs little is visible, and only that is painted.
void ColumnPicture::paintBars() {
    const auto size = static_cast<std::size_t>(m_count) * static_cast<std::size_t>(m_area.height());
    if (m_pixels.size() < size) m_pixels.resize(size, 0);
    struct Rows {
        int top = 0, bottom = 0;
    };
    std::vector<Rows> full(static_cast<std::size_t>(m_count)); // per column: the rows without a gap
    for (auto bar = m_bars.rbegin(); bar != m_bars.rend(); ++bar) {
        Rows& done = full[static_cast<std::size_t>(bar->column)];
        if (bar->top >= done.top && bar->bottom <= done.bottom) continue;
        QRgb* column = m_pixels.data() + static_cast<std::ptrdiff_t>(bar->column) * m_area.height();
        if (bar->bottom < done.top || bar->top > done.bottom) {
            paintUnder(column + bar->top, column + bar->bottom, bar->color);
            if (bar->bottom - bar->top > done.bottom - done.top) done = {bar->top, bar->bottom};
        } else {
            paintUnder(column + bar->top, column + done.top, bar->color);
            paintUnder(column + done.bottom, column + bar->bottom, bar->color);
            done = {std::min(done.top, bar->top), std::max(done.bottom, bar->bottom)};
        }
    }
    m_bars.clear();
}

// Transposes columns into rows of pixels.
void ColumnPicture::turn(const QRect& box, QRgb* rows) const {
    const int width = m_columns.width;
    const qsizetype stride = qsizetype{box.width()} * width;
    for (int left = 0; left < box.width(); left += kTile) {
        for (int top = 0; top < box.height(); top += kTile) {
            for (int x = left; x < std::min(left + kTile, box.width()); ++x) {
                const QRgb* column = m_pixels.data() + static_cast<std::ptrdiff_t>(box.left() + x) * m_area.height();
                for (int y = top; y < std::min(top + kTile, box.height()); ++y) {
                    QRgb* to = rows + y * stride + qsizetype{x} * width;
                    *to = column[box.top() + y];
                    for (int more = 1; more < width; ++more) to[more] = *to;
                }
            }
        }
    }
}

void ColumnPicture::flush(QPainter& painter, bool onNothing) {
    if (m_bars.empty()) return;
    paintBars();
    const QRect box(m_left - m_first, m_top - m_area.top(), m_right - m_left, m_bottom - m_top); // in columns
    const qsizetype stride = qsizetype{box.width()} * m_columns.width;
    const auto size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(box.height());
    if (m_rows.size() < size) m_rows.resize(size);
    turn(box, m_rows.data());
    painter.setCompositionMode(onNothing ? QPainter::CompositionMode_Source : QPainter::CompositionMode_SourceOver);
    painter.drawImage(QPoint(m_columns.pixelOf(m_left), m_top),
                      QImage(reinterpret_cast<const uchar*>(m_rows.data()), static_cast<int>(stride), box.height(),
                             stride * qsizetype{sizeof(QRgb)}, QImage::Format_ARGB32_Premultiplied));
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    std::fill_n(m_pixels.begin() + qsizetype{box.left()} * m_area.height(), qsizetype{box.width()} * m_area.height(),
                0);
    m_left = m_top = std::numeric_limits<int>::max();
    m_right = m_bottom = std::numeric_limits<int>::min();
}

} // namespace trainyard::ui
