// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/curve_stroke.h"

#include "ui/plots/canvas/clip.h"

#include <QPainter>

#include <algorithm>
#include <limits>

namespace trainyard::ui {

namespace {

constexpr double kJump = 12;  // pixels: a larger step between columns is not noise
constexpr double kFlat = 1.5; // pixels a column may span and still be one vertex
// Pixels: the first point of a column often lies at the edge of its pixel, and must not be rounded into the previous
// one.
constexpr double kRounded = 1e-6;
constexpr double kLonePoint = 3; // line widths: a point without neighbours must be visible

// Far outside the plot every y looks alike, and Qt's rasteriser dislikes huge coordinates.
double tamed(double pixel) { return std::clamp(pixel, -1e4, 1e5); }

QPointF vertex(double xPixel, double value, const AxisMap& y) { return {tamed(xPixel), tamed(y.toPixel(value))}; }

// Noisy data: one opaque bar per pixel column, joined to its neighbour. 50 times faster than
// stroking the same shape, and it looks the same.
void addBars(Stroke& stroke, const Columns& columns, const PlotFrame& frame) {
    const QRect pixels = frame.area.toRect();
    const PixelColumns grid{stroke.columnWidth, pixels.left()};
    const double middle = stroke.columnWidth / 2.0;
    const int top = static_cast<int>(frame.area.top());
    const int bottom = static_cast<int>(frame.area.bottom());
    const Column* before = nullptr;
    int beforeX = 0;
    stroke.bars.reserve(columns.size());
    for (const Column& column : columns) {
        if (column.extent.isEmpty()) {
            before = nullptr;
            continue;
        }
        const int at = grid.pixelOf(grid.columnOf(floorOf(tamed(frame.x.toPixel(column.xFirst) + kRounded))));
        double most = column.extent.max, least = column.extent.min;
        if (before != nullptr && at - beforeX <= stroke.columnWidth) {
            most = std::max(most, before->extent.last);
            least = std::min(least, before->extent.last);
        } else if (before != nullptr) {
            const QPointF end = vertex(0, before->extent.last, frame.y),
                          start = vertex(0, column.extent.first, frame.y);
            if (const auto line = clipped(QLineF({beforeX + middle, end.y()}, {at + middle, start.y()}), frame.area))
                stroke.links.push_back(*line);
        }
        const int from = std::max(top, floorOf(tamed(frame.y.toPixel(most))));
        const int to = std::min(bottom, -floorOf(-tamed(frame.y.toPixel(least))));
        if (to >= from && at >= pixels.left() && at <= pixels.right())
            stroke.bars.push_back({at, from, std::max(from + 1, to)});
        before = &column;
        beforeX = at;
    }
}

bool isDense(const Columns& columns) { return columns.points() > 2 * columns.size() && columns.size() > 8; }

// Measures the columns in pixels; a single jump does not turn a line into noise.
double meanSpan(const Columns& columns, const AxisMap& y) {
    constexpr std::size_t kStride = 8; // a sample is enough to tell noise from a line
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < columns.size(); i += kStride) {
        const Extent& extent = columns[i].extent;
        if (!extent.isEmpty()) {
            sum += std::min(tamed(y.toPixel(extent.min)) - tamed(y.toPixel(extent.max)), kJump);
            ++count;
        }
    }
    return count > 0 ? sum / count : 0;
}

double lengthOf(const LineParts& parts, const QRectF& area) {
    double length = 0;
    for (const QList<QPointF>& part : parts) {
        for (qsizetype i = 1; i < part.size(); ++i) {
            const double from = std::clamp(part[i - 1].y(), area.top(), area.bottom());
            const double to = std::clamp(part[i].y(), area.top(), area.bottom());
            length += std::abs(to - from) + std::abs(part[i].x() - part[i - 1].x());
        }
    }
    return length;
}

// Vertices of a line through the columns: one where a column is flat in pixels, otherwise first,
// smallest, largest and last. A part ends at each gap.
LineParts lineThrough(const Columns& columns, const AxisMap& x, const AxisMap& y) {
    LineParts parts(1);
    for (const Column& column : columns) {
        if (column.extent.isEmpty()) {
            if (!parts.back().isEmpty()) parts.emplace_back();
            continue;
        }
        QList<QPointF>& line = parts.back();
        const double from = x.toPixel(column.xFirst);
        const double to = x.toPixel(column.xLast);
        const Extent& extent = column.extent;
        if (column.count == 1) {
            line << vertex(from, extent.first, y);
        } else if (y.toPixel(extent.min) - y.toPixel(extent.max) < kFlat) {
            line << vertex(to, extent.last, y);
        } else {
            const double middle = (from + to) / 2;
            // The columns do not record the order of the extremes; the one nearer to the first value comes first.
            const bool rising = extent.first - extent.min <= extent.max - extent.first;
            line << vertex(from, extent.first, y) << vertex(middle, rising ? extent.min : extent.max, y)
                 << vertex(middle, rising ? extent.max : extent.min, y) << vertex(to, extent.last, y);
        }
    }
    return parts;
}

// A dash pattern must run along the whole line, not restart at each piece.
void paintDashed(QPainter& painter, const QList<QPointF>& part, const QRectF& area) {
    QPolygonF line;
    for (qsizetype i = 1; i < part.size(); ++i) {
        const auto piece = clipped(QLineF(part[i - 1], part[i]), area);
        if (!piece || (!line.isEmpty() && piece->p1() != line.last())) {
            painter.drawPolyline(line);
            line.clear();
        }
        if (!piece) continue;
        if (line.isEmpty()) line << piece->p1();
        line << piece->p2();
    }
    painter.drawPolyline(line);
}

// Joins consecutive level lines: where their caps overlap, a blurred edge would be darker.
void addLine(QList<QLineF>& lines, const QLineF& line) {
    const bool follows = !lines.isEmpty() && lines.last().p2() == line.p1();
    if (follows && line.dy() == 0 && lines.last().dy() == 0) lines.last().setP2(line.p2());
    else lines << line;
}

} // namespace

Stroke strokeOf(const Columns& columns, const PlotFrame& frame, bool coarse, int columnWidth) {
    Stroke stroke;
    stroke.columnWidth = columnWidth;
    const double covered = static_cast<double>(columns.size()) * columnWidth;
    const bool isFull = coarse && covered >= frame.area.width(); // every pixel is covered
    stroke.dense = (isFull || isDense(columns)) && meanSpan(columns, frame.y) > 3;
    if (stroke.dense) {
        addBars(stroke, columns, frame);
    } else {
        stroke.parts = lineThrough(columns, frame.x, frame.y);
        stroke.length = lengthOf(stroke.parts, frame.area);
    }
    return stroke;
}

Stroke averageStroke(const Columns& columns, const PlotFrame& frame) {
    Stroke stroke;
    stroke.parts.resize(1);
    stroke.parts.back().reserve(static_cast<qsizetype>(columns.size()));
    for (const Column& column : columns) {
        if (column.extent.isEmpty()) stroke.parts.emplace_back();
        else stroke.parts.back() << vertex(frame.x.toPixel(column.xLast), column.extent.last, frame.y);
    }
    stroke.length = lengthOf(stroke.parts, frame.area);
    return stroke;
}

double differFrom(const Stroke& a, const Stroke& b) {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    if (a.dense != b.dense || a.columnWidth != b.columnWidth) return -kNowhere;
    // `before`: also keeps this many elements left of the change.
    const auto first = [](const auto& one, const auto& other, qsizetype before, const auto& xOf) {
        const auto [at, with] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
        if (at == one.end() && with == other.end()) return kNowhere;
        const auto index = std::max(qsizetype{0}, static_cast<qsizetype>(at - one.begin()) - before);
        double x = kNowhere;
        for (const auto* each : {&one, &other})
            if (index < std::ssize(*each)) x = std::min(x, xOf(*(each->begin() + index)));
        return x;
    };
    double x = first(a.bars, b.bars, 0, [](const PixelBar& bar) { return static_cast<double>(bar.x); });
    x = std::min(x, first(a.links, b.links, 0, [](const QLineF& link) { return link.x1(); }));
    const auto [part, with] = std::mismatch(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end());
    const QList<QPointF> one = part == a.parts.end() ? QList<QPointF>() : *part;
    const QList<QPointF> other = with == b.parts.end() ? QList<QPointF>() : *with;
    return std::min(x, first(one, other, 1, [](const QPointF& vertex) { return vertex.x(); }));
}

void paintBars(QPainter& painter, const Stroke& stroke, const QColor& color, const QRectF& box) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const PixelBar& bar : stroke.bars)
        if (bar.x + stroke.columnWidth > box.left() && bar.x < box.right())
            painter.fillRect(QRect(bar.x, bar.top, stroke.columnWidth, bar.bottom - bar.top), color);
    painter.setPen(QPen(color, 1));
    for (const QLineF& link : stroke.links) painter.drawLine(link);
}

// Single lines go straight to Qt's rasteriser, a polyline through its path machinery; square caps
// close the joints.
void paintParts(QPainter& painter, const Stroke& stroke, const QPen& pen, bool antialias, const QRectF& area,
                const QRectF& box) {
    painter.setRenderHint(QPainter::Antialiasing, antialias);
    painter.setPen(pen);
    const double reach = pen.widthF() * kLonePoint;
    QList<QLineF> lines;
    for (const QList<QPointF>& part : stroke.parts) {
        if (part.isEmpty() || part.last().x() < box.left() - reach || part.first().x() > box.right() + reach) continue;
        if (part.size() == 1) {
            painter.setPen(QPen(pen.color(), reach, Qt::SolidLine, Qt::RoundCap));
            if (area.contains(part.first())) painter.drawPoint(part.first());
            painter.setPen(pen);
            continue;
        }
        if (pen.style() == Qt::CustomDashLine) {
            paintDashed(painter, part, area);
            continue;
        }
        lines.clear();
        for (qsizetype i = 1; i < part.size(); ++i) {
            const QLineF line(part[i - 1], part[i]);
            if (line.x2() < box.left() - reach || line.x1() > box.right() + reach) continue;
            if (area.contains(line.p1()) && area.contains(line.p2())) addLine(lines, line);
            else if (const auto inside = clipped(line, area)) addLine(lines, *inside);
        }
        painter.drawLines(lines.constData(), static_cast<int>(lines.size()));
    }
}

QPen penFor(const QColor& color, qreal width, int pattern) {
    if (dashOf(pattern).isEmpty()) return QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern(dashOf(pattern));
    return pen;
}

} // namespace trainyard::ui
