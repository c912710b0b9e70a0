// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_layer.h"

#include "ui/plots/clip.h"

#include <QPainter>

namespace trainyard::ui {

namespace {

constexpr double kJump = 12;     // pixels: a higher step of one column is no noise
constexpr double kFlat = 1.5;    // pixels a column may span and still be one vertex
constexpr double kLonePoint = 3; // widths of the line: a point without neighbours must be seen

// Far outside the plot every y looks alike, and Qt's rasteriser dislikes huge coordinates.
double tamed(double pixel) { return std::clamp(pixel, -1e4, 1e5); }

QPointF vertex(double xPixel, double value, const AxisMap& y) { return {tamed(xPixel), tamed(y.toPixel(value))}; }

// Noisy data: one opaque bar per pixel column, joined to its neighbour. 50 times faster than
// stroking the same shape, and it looks the same.
void paintSpans(QPainter& painter, const std::vector<Column>& columns, const QColor& color, const PlotFrame& frame) {
    const AxisMap& x = frame.x;
    const AxisMap& y = frame.y;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRect pixels = frame.area.toRect();
    const int top = static_cast<int>(frame.area.top());
    const int bottom = static_cast<int>(frame.area.bottom());
    bool joined = false;
    int previousX = 0;
    double previousY = 0;
    for (const Column& column : columns) {
        if (column.extent.isEmpty()) {
            joined = false;
            continue;
        }
        const int at = static_cast<int>(std::floor(tamed(x.toPixel(column.xFirst))));
        double low = tamed(y.toPixel(column.extent.max));
        double high = tamed(y.toPixel(column.extent.min));
        if (joined && at - previousX <= 1) {
            low = std::min(low, previousY);
            high = std::max(high, previousY);
        } else if (joined) {
            painter.setPen(QPen(color, 1));
            const QPointF to(at + .5, tamed(y.toPixel(column.extent.first)));
            if (const auto line = clipped(QLineF({previousX + .5, previousY}, to), frame.area)) painter.drawLine(*line);
        }
        const int from = std::max(top, static_cast<int>(std::floor(low)));
        const int to = std::min(bottom, static_cast<int>(std::ceil(high)));
        if (to >= from && at >= pixels.left() && at <= pixels.right())
            painter.fillRect(QRect(at, from, 1, std::max(1, to - from)), color);
        joined = true;
        previousX = at;
        previousY = tamed(y.toPixel(column.extent.last));
    }
}

using Parts = std::vector<QList<QPointF>>;

// How one line of a run is drawn: bars where it is dense, otherwise a line through its vertices.
struct Stroke {
    bool bars = false;
    Parts parts;
    double length = 0; // pixels of line inside the plot, roughly
};

bool isDense(const std::vector<Column>& columns) {
    std::size_t points = 0;
    for (const Column& column : columns) points += column.count;
    return points > 2 * columns.size() && columns.size() > 8;
}

// Of the columns in pixels; a jump of one column does not make noise of a line.
double meanSpan(const std::vector<Column>& columns, const AxisMap& y) {
    constexpr std::size_t kStride = 8; // a sample tells noise from a line
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

double lengthOf(const Parts& parts, const QRectF& area) {
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
Parts lineThrough(const std::vector<Column>& columns, const AxisMap& x, const AxisMap& y) {
    Parts parts(1);
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
            // The order of the extremes is not kept; the nearer one to the first value is.
            const bool rising = extent.first - extent.min <= extent.max - extent.first;
            line << vertex(from, extent.first, y) << vertex(middle, rising ? extent.min : extent.max, y)
                 << vertex(middle, rising ? extent.max : extent.min, y) << vertex(to, extent.last, y);
        }
    }
    return parts;
}

// An average is a summary, its raw values stand behind it: one vertex per column is enough.
Parts lineThroughEnds(const std::vector<Column>& columns, const AxisMap& x, const AxisMap& y, std::size_t stride) {
    Parts parts(1);
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].extent.isEmpty()) parts.emplace_back();
        else if (i % stride == 0 || i + 1 == columns.size() || columns[i].count < 3)
            parts.back() << vertex(x.toPixel(columns[i].xLast), columns[i].extent.last, y);
    return parts;
}

Stroke strokeOf(const std::vector<Column>& columns, const PlotFrame& frame) {
    Stroke stroke;
    stroke.bars = isDense(columns) && meanSpan(columns, frame.y) > 3;
    if (!stroke.bars) {
        stroke.parts = lineThrough(columns, frame.x, frame.y);
        stroke.length = lengthOf(stroke.parts, frame.area);
    }
    return stroke;
}

// A dash pattern runs along a whole line, not along each of its pieces.
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

// Single lines go straight to Qt's rasteriser, a polyline through its path machinery; square caps
// close the joints.
void paintParts(QPainter& painter, const Parts& parts, const QPen& pen, bool antialias, const QRectF& area) {
    painter.setRenderHint(QPainter::Antialiasing, antialias);
    painter.setPen(pen);
    QList<QLineF> lines;
    for (const QList<QPointF>& part : parts) {
        if (part.size() == 1) {
            painter.setPen(QPen(pen.color(), pen.widthF() * kLonePoint, Qt::SolidLine, Qt::RoundCap));
            if (area.contains(part.first())) painter.drawPoint(part.first());
            painter.setPen(pen);
            continue;
        }
        if (pen.style() == Qt::CustomDashLine) {
            paintDashed(painter, part, area);
            continue;
        }
        lines.clear();
        for (qsizetype i = 1; i < part.size(); ++i) lines << QLineF(part[i - 1], part[i]);
        qsizetype kept = 0;
        for (const QLineF& line : std::as_const(lines)) {
            if (area.contains(line.p1()) && area.contains(line.p2())) lines[kept++] = line;
            else if (const auto inside = clipped(line, area)) lines[kept++] = *inside;
        }
        painter.drawLines(lines.constData(), static_cast<int>(kept));
    }
}

QPen penFor(const QColor& color, qreal width, int pattern) {
    if (dashOf(pattern).isEmpty()) return QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin);
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern(dashOf(pattern));
    return pen;
}

// A frame has a budget of antialiased pixels: beyond it, lines are 1 px wide and not antialiased,
// which the rasteriser draws a hundred times faster. Only many noisy runs at once get there.
constexpr double kRawBudget = 40000;
constexpr double kMainBudget = 40000;

double totalLength(const std::vector<Stroke>& strokes) {
    double length = 0;
    for (const Stroke& stroke : strokes) length += stroke.length;
    return length;
}

Stroke mainStroke(const CurveView& curve, const PlotFrame& frame, std::size_t stride) {
    if (!curve.smoothed) return strokeOf(curve.main, frame);
    Stroke stroke{false, lineThroughEnds(curve.main, frame.x, frame.y, stride), 0};
    stroke.length = lengthOf(stroke.parts, frame.area);
    return stroke;
}

void paintRaws(QPainter& painter, const std::vector<CurveView>& curves, const PlotFrame& frame) {
    std::vector<Stroke> strokes;
    for (const CurveView& curve : curves) strokes.push_back(strokeOf(curve.raw, frame));
    const bool fine = totalLength(strokes) < kRawBudget;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const CurveView& curve = curves[i];
        const QColor color = mix(frame.theme.card, frame.emphasised(curve.color, curve.runId), 0.30);
        if (strokes[i].bars) paintSpans(painter, curve.raw, color, frame);
        else paintParts(painter, strokes[i].parts, QPen(color, 1), fine, frame.area);
    }
}

void paintMains(QPainter& painter, const std::vector<CurveView>& curves, const PlotFrame& frame) {
    std::vector<Stroke> strokes;
    const std::size_t stride = curves.size() > 8 ? 2 : 1;
    for (const CurveView& curve : curves) strokes.push_back(mainStroke(curve, frame, stride));
    const bool fine = totalLength(strokes) < kMainBudget;
    const auto paintOne = [&](std::size_t i) {
        const CurveView& curve = curves[i];
        const QColor color = frame.emphasised(curve.color, curve.runId);
        if (strokes[i].bars) {
            paintSpans(painter, curve.main, curve.pattern == 0 ? color : mix(frame.theme.card, color, 0.6), frame);
        } else {
            paintParts(painter, strokes[i].parts, penFor(color, fine ? 2 : 1, curve.pattern), fine, frame.area);
        }
    };
    for (const bool hovered : {false, true}) // what is pointed at lies over the others
        for (std::size_t i = 0; i < curves.size(); ++i)
            if ((!frame.hovered.isEmpty() && curves[i].runId == frame.hovered) == hovered) paintOne(i);
}

} // namespace

void CurveLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.save();
    painter.setClipRect(frame.area, Qt::IntersectClip);
    paintRaws(painter, m_curves, frame);
    paintMains(painter, m_curves, frame);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const CurveView& curve : m_curves) {
        const QPointF end = frame.toPixel(curve.end.x(), curve.end.y());
        if (!curve.live || !frame.shows(end)) continue;
        painter.setPen(QPen(frame.theme.card, 1.5));
        painter.setBrush(frame.emphasised(curve.color, curve.runId));
        painter.drawEllipse(end, 4.25, 4.25);
    }
}

QList<LegendEntry> CurveLayer::legend(const Theme&) const {
    QList<LegendEntry> entries;
    for (const CurveView& curve : m_curves) entries << LegendEntry{curve.name, curve.color, false, curve.pattern};
    return entries;
}

} // namespace trainyard::ui
