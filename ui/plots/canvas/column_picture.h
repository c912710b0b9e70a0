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

// Without the functions of the mathematics library; for values of a plot's pixels.
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

// Opaque bars and lines one column wide, not antialiased, that lie over one another. The picture is kept column by
// column, where a bar is one stretch of memory: thousands of them take a tenth of the time that a painter needs.
class ColumnPicture {
public:
    // `area`: the pixels that it covers, and the rest of the columns in which they lie.
    explicit ColumnPicture(const QRect& area, const PixelColumns& columns = {});
    ~ColumnPicture();
    ColumnPicture(const ColumnPicture&) = delete;
    ColumnPicture& operator=(const ColumnPicture&) = delete;
    const QRect& area() const { return m_area; }

    // What lies outside the area is left out. A bar has the column in which its x lies.
    void add(const PixelBar& bar, QRgb color);
    // From left to right, `more` pixels higher than one. Pieces of a line that share their ends are joined.
    void add(const QPointF& from, const QPointF& to, QRgb color, int more = 0);
    // Draws what was added since the last time, at its place. `onNothing`: nothing has been painted there.
    void flush(QPainter& painter, bool onNothing = false);

    // As it is kept until it is painted: its column, counted from the area's first one, and pixels of the area.
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
    // What flush() has to draw, to beyond the last column and pixel.
    int m_left = std::numeric_limits<int>::max(), m_right = std::numeric_limits<int>::min();
    int m_top = m_left, m_bottom = m_right;
    std::vector<Bar> m_bars;
    std::vector<QRgb> m_pixels; // 0: nothing; at least as many as the area has
    std::vector<QRgb> m_rows;   // what flush() draws
};

} // namespace trainyard::ui
