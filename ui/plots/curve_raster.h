// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QLineF>
#include <QPointF>

#include <span>
#include <vector>

namespace trainyard::ui {

// Opaque bars, lines and convex shapes on transparent pixels, ten times as fast as a QPainter draws them: a frame has
// tens of thousands. Kept column by column, as a curve runs through the columns of a plot. Coordinates are pixels; what
// lies outside is left out.
class CurveRaster {
public:
    explicit CurveRaster(const QSize& size);

    // The rows [from, to) of a column.
    void fillColumn(int column, int from, int to, QRgb color);
    // Without antialiasing, `width` pixels across its longer way.
    void drawHairline(const QLineF& line, int width, QRgb color);
    // Antialiased: a pixel takes as much of the color as the shape covers of it.
    void fillConvex(std::span<const QPointF> corners, QRgb color);
    // A line as a rectangle, which reaches `cap` pixels beyond either end.
    void drawLine(const QLineF& line, double width, double cap, QRgb color);

    QImage image() const; // premultiplied

private:
    // The part of an edge in one column.
    struct Edge {
        float top, bottom, dx; // its ends; dx towards the shape's next corner
    };

    QRgb* column(int x) { return m_pixels.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(m_height); }
    void cover(int x, std::span<const Edge> edges, QRgb color);

    int m_width, m_height;
    std::vector<QRgb> m_pixels;
    std::vector<float> m_steps; // of the coverage from a row to the next, of one column at a time; 0 between two
};

} // namespace trainyard::ui
