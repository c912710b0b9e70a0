// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostCorners = 16;
constexpr int kTile = 16; // pixels of a line of the cache

// `color` over `below` with an alpha of 0 to 256, two channels at a time.
QRgb blended(QRgb color, QRgb below, unsigned alpha) {
    const unsigned rest = 256 - alpha;
    const QRgb even = (((color & 0xff00ff) * alpha + (below & 0xff00ff) * rest) >> 8) & 0xff00ff;
    const QRgb odd = (((color >> 8) & 0xff00ff) * alpha + ((below >> 8) & 0xff00ff) * rest) & 0xff00ff00;
    return even | odd;
}

} // namespace

CurveRaster::CurveRaster(const QSize& size)
    : m_width(size.width()), m_height(size.height()),
      m_pixels(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height), 0),
      m_steps(static_cast<std::size_t>(m_height) + 2, 0) {}

void CurveRaster::fillColumn(int x, int from, int to, QRgb color) {
    if (x < 0 || x >= m_width) return;
    from = std::max(from, 0);
    to = std::min(to, m_height);
    if (from < to) std::fill(column(x) + from, column(x) + to, color);
}

void CurveRaster::drawHairline(const QLineF& line, int width, QRgb color) {
    if (std::abs(line.dx()) >= std::abs(line.dy())) {
        const QLineF right = line.dx() < 0 ? QLineF(line.p2(), line.p1()) : line;
        const double slope = right.dx() > 0 ? right.dy() / right.dx() : 0;
        const int last = std::min(static_cast<int>(std::floor(right.x2())), m_width - 1);
        for (int x = std::max(static_cast<int>(std::floor(right.x1())), 0); x <= last; ++x) {
            const double at = std::clamp(x + 0.5, right.x1(), right.x2());
            const int y = static_cast<int>(std::floor(right.y1() + slope * (at - right.x1())));
            fillColumn(x, y, y + width, color);
        }
        return;
    }
    const QLineF down = line.dy() < 0 ? QLineF(line.p2(), line.p1()) : line;
    const double slope = down.dx() / down.dy();
    const int last = std::min(static_cast<int>(std::floor(down.y2())), m_height - 1);
    for (int y = std::max(static_cast<int>(std::floor(down.y1())), 0); y <= last; ++y) {
        const double at = std::clamp(y + 0.5, down.y1(), down.y2());
        const int x = static_cast<int>(std::floor(down.x1() + slope * (at - down.y1())));
        for (int i = 0; i < width; ++i)
            if (x + i >= 0 && x + i < m_width) column(x + i)[y] = color;
    }
}

void CurveRaster::drawLine(const QLineF& line, double width, double cap, QRgb color) {
    const double length = line.length();
    const QPointF along = length > 0 ? QPointF(line.dx(), line.dy()) / length : QPointF(1, 0);
    const QPointF across = QPointF(-along.y(), along.x()) * (width / 2);
    const QPointF from = line.p1() - along * cap, to = line.p2() + along * cap;
    fillConvex(std::array{from + across, to + across, to - across, from - across}, color);
}

// The covered part of a pixel is an integral over its width of what lies below the shape's upper edges less what lies
// below its lower ones. Each edge adds its share, row by row, as in "Anti-Grain Geometry" and FreeType's smooth
// rasteriser.
void CurveRaster::fillConvex(std::span<const QPointF> corners, QRgb color) {
    const auto [left, right] =
        std::minmax_element(corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a.x() < b.x(); });
    const int first = std::max(static_cast<int>(std::floor(left->x())), 0);
    const int last = std::min(static_cast<int>(std::ceil(right->x())), m_width) - 1;
    const auto height = static_cast<double>(m_height);
    std::array<Edge, kMostCorners> edges;
    for (int x = first; x <= last; ++x) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < corners.size() && count < edges.size(); ++i) {
            const QPointF& a = corners[i];
            const QPointF& b = corners[i + 1 < corners.size() ? i + 1 : 0];
            const double from = std::clamp(a.x(), static_cast<double>(x), x + 1.0);
            const double to = std::clamp(b.x(), static_cast<double>(x), x + 1.0);
            if (!(from < to) && !(from > to)) continue;
            const double slope = (b.y() - a.y()) / (b.x() - a.x());
            const double y1 = std::clamp(a.y() + slope * (from - a.x()), 0.0, height);
            const double y2 = std::clamp(a.y() + slope * (to - a.x()), 0.0, height);
            edges[count++] = {static_cast<float>(std::min(y1, y2)), static_cast<float>(std::max(y1, y2)),
                              static_cast<float>(to - from)};
        }
        cover(x, {edges.data(), count}, color);
    }
}

void CurveRaster::cover(int x, std::span<const Edge> edges, QRgb color) {
    auto top = static_cast<float>(m_height);
    float bottom = 0;
    for (const Edge& edge : edges) {
        top = std::min(top, edge.top);
        bottom = std::max(bottom, edge.bottom);
        const int begin = static_cast<int>(edge.top);
        const int end = static_cast<int>(edge.bottom);
        const auto add = [this](int row, float middle, float dx) {
            const float below = dx * (static_cast<float>(row + 1) - middle);
            m_steps[static_cast<std::size_t>(row)] += below;
            m_steps[static_cast<std::size_t>(row) + 1] += dx - below;
        };
        if (begin == end) {
            add(begin, (edge.top + edge.bottom) / 2, edge.dx);
            continue;
        }
        const float perRow = edge.dx / (edge.bottom - edge.top);
        for (int row = begin; row <= end; ++row) {
            const float high = std::max(edge.top, static_cast<float>(row));
            const float low = std::min(edge.bottom, static_cast<float>(row + 1));
            add(row, (high + low) / 2, perRow * (low - high));
        }
    }
    const int end = std::min(static_cast<int>(bottom) + 1, m_height);
    QRgb* pixels = column(x);
    float covered = 0;
    for (int row = static_cast<int>(top); row < end; ++row) {
        covered += std::exchange(m_steps[static_cast<std::size_t>(row)], 0.0F);
        const auto alpha = static_cast<unsigned>(std::min(std::abs(covered), 1.0F) * 256 + 0.5F);
        pixels[row] = alpha == 256 ? color : blended(color, pixels[row], alpha);
    }
    m_steps[static_cast<std::size_t>(end)] = 0;
    m_steps[static_cast<std::size_t>(end) + 1] = 0;
}

QImage CurveRaster::image() const {
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    const auto height = static_cast<std::size_t>(m_height);
    for (int tileY = 0; tileY < m_height; tileY += kTile)
        for (int tileX = 0; tileX < m_width; tileX += kTile)
            for (int y = tileY; y < std::min(tileY + kTile, m_height); ++y) {
                auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
                for (int x = tileX; x < std::min(tileX + kTile, m_width); ++x)
                    line[x] = m_pixels[static_cast<std::size_t>(x) * height + static_cast<std::size_t>(y)];
            }
    return image;
}

} // namespace trainyard::ui
