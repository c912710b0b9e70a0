// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QRect>

#include <limits>
#include <vector>

class QPainter;

namespace trainyard::ui {

// A bar one pixel wide, in a plot's pixels.
struct PixelBar {
    int x = 0;
    int top = 0, bottom = 0; // the row below its last one

    bool operator==(const PixelBar&) const = default;
};

// Faster than the math library; for pixel values of a plot.
inline int floorOf(double value) {
    const int cut = static_cast<int>(value);
    return value < cut ? cut - 1 : cut;
}

// The columns of a picture, each some pixels wide; one of them begins at pixel `origin`.
struct PixelColumns {
    int width = 1, origin = 0;

    int columnOf(int x) const {
        if (width == 1) return x - origin;
        return x >= origin ? (x - origin) / width : -((origin - x + width - 1) / width);
    }
    int pixelOf(int column) const { return origin + column * width; }
};

// Overlapping opaque bars and lines, one column wide, not antialiased. The picture is stored column by column, so that
// a bar is one stretch of memory: thousands of bars take a tenth of a painter's time.
class ColumnPicture {
public:
    // `area`: the pixels that the picture covers, extended to whole columns.
    explicit ColumnPicture(const QRect& area, const PixelColumns& columns = {});
    ~ColumnPicture();
    ColumnPicture(const ColumnPicture&) = delete;
    ColumnPicture& operator=(const ColumnPicture&) = delete;
    const QRect& area() const { return m_area; }

    // Ignores everything outside the area. A bar belongs to the column that contains its x.
    void add(const PixelBar& bar, QRgb color);
    // A line from left to right, 1 + `more` pixels high. Joins pieces of a line that share an end.
    void add(const QPointF& from, const QPointF& to, QRgb color, int more = 0);
    // Draws everything added since the last call. `onNothing`: nothing has been painted there yet.
    void flush(QPainter& painter, bool onNothing = false);

    // A bar until it is painted: its column, counted from the area's first one, in pixels of the area.
    struct Bar {
        int column, top, bottom;
        QRgb color;
    };

private:
    void addToColumn(int column, int top, int bottom, QRgb color);
    void paintBars();
    void turn(const QRect& box, QRgb* rows) const;

    PixelColumns m_columns;
    QRect m_area;
    int m_first, m_count; // columns of the area
    // The part that flush() must draw, up to one past the last column and pixel.
    int m_left = std::numeric_limits<int>::max(), m_right = std::numeric_limits<int>::min();
    int m_top = m_left, m_bottom = m_right;
    std::vector<Bar> m_bars;
    std::vector<QRgb> m_pixels; // 0: nothing; at least as many as the area has pixels
    std::vector<QRgb> m_rows;   // what flush() draws
};

} // namespace trainyard::ui
