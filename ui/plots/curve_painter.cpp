// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <functional>

namespace trainyard::ui {

namespace {

constexpr double kFlat = 1.5; // pixels a column may span and still be one vertex

// Far outside the picture every y looks alike, and Qt's rasteriser dislikes huge coordinates.
double tamed(double pixel) { return std::clamp(pixel, -1e4, 1e5); }

QPointF vertex(double xPixel, double value, const AxisMap& y) { return {tamed(xPixel), tamed(y.toPixel(value))}; }

// Noisy data: one opaque bar per pixel column, joined to its neighbour. 50 times faster than
// stroking the same shape, and it looks the same.
void paintSpans(QPainter& painter, const std::vector<Column>& columns, const QColor& color, const AxisMap& x,
                const AxisMap& y, const QRectF& plot) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int top = static_cast<int>(plot.top());
    const int bottom = static_cast<int>(plot.bottom());
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
            painter.drawLine(QPointF(previousX + .5, previousY),
                             QPointF(at + .5, tamed(y.toPixel(column.extent.first))));
        }
        const int from = std::max(top, static_cast<int>(std::floor(low)));
        const int to = std::min(bottom, static_cast<int>(std::ceil(high)));
        if (to >= from && at >= static_cast<int>(plot.left()) - 1)
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
    double length = 0; // pixels of line inside the picture, roughly
};

bool isDense(const std::vector<Column>& columns) {
    std::size_t points = 0;
    for (const Column& column : columns) points += column.count;
    return points > 2 * columns.size() && columns.size() > 8;
}

double meanSpan(const std::vector<Column>& columns, const AxisMap& y) {
    constexpr std::size_t kStride = 8; // a sample tells noise from a line
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < columns.size(); i += kStride) {
        const Extent& extent = columns[i].extent;
        if (!extent.isEmpty()) {
            sum += tamed(y.toPixel(extent.min)) - tamed(y.toPixel(extent.max));
            ++count;
        }
    }
    return count > 0 ? sum / count : 0;
}

double lengthOf(const Parts& parts, const QRectF& plot) {
    double length = 0;
    for (const QList<QPointF>& part : parts) {
        for (qsizetype i = 1; i < part.size(); ++i) {
            const double from = std::clamp(part[i - 1].y(), plot.top(), plot.bottom());
            const double to = std::clamp(part[i].y(), plot.top(), plot.bottom());
            length += std::abs(to - from) + std::abs(part[i].x() - part[i - 1].x());
        }
    }
    return length;
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

Stroke strokeOf(const std::vector<Column>& columns, const AxisMap& x, const AxisMap& y, const QRectF& plot) {
    Stroke stroke;
    stroke.bars = isDense(columns) && meanSpan(columns, y) > 3;
    if (!stroke.bars) {
        stroke.parts = lineThrough(columns, x, y);
        stroke.length = lengthOf(stroke.parts, plot);
    }
    return stroke;
}

// Walks the line and keeps what the pattern draws. Qt's own dashes go through its path machinery.
void addDashes(QList<QLineF>& lines, const QList<QPointF>& part, const QList<qreal>& pattern, qreal width) {
    qsizetype index = 0;
    double left = pattern[0] * width;
    for (qsizetype i = 1; i < part.size(); ++i) {
        QPointF from = part[i - 1];
        const QPointF way = part[i] - from;
        double rest = std::hypot(way.x(), way.y());
        const QPointF unit = rest > 0 ? way / rest : QPointF();
        while (rest > 0 && rest < 5000) { // longer ones lie outside the picture
            const double length = std::min(rest, left);
            const QPointF to = from + unit * length;
            if (index % 2 == 0) lines << QLineF(from, to);
            from = to;
            rest -= length;
            left -= length;
            if (left <= 0) {
                index = (index + 1) % pattern.size();
                left = pattern[index] * width;
            }
        }
    }
}

// Single lines go straight to Qt's rasteriser, a polyline through its path machinery; square caps
// close the joints.
void paintParts(QPainter& painter, const Parts& parts, const QPen& pen, bool antialias, const QList<qreal>& dash = {}) {
    painter.setRenderHint(QPainter::Antialiasing, antialias);
    painter.setPen(pen);
    QList<QLineF> lines;
    for (const QList<QPointF>& part : parts) {
        if (part.size() == 1) {
            painter.drawPoint(part.first());
            continue;
        }
        lines.clear();
        if (!dash.isEmpty()) addDashes(lines, part, dash, 2);
        else
            for (qsizetype i = 1; i < part.size(); ++i) lines << QLineF(part[i - 1], part[i]);
        painter.drawLines(lines);
    }
}

QPen penFor(const QColor& color, qreal width, bool dashed) {
    return QPen(color, width, Qt::SolidLine, dashed ? Qt::FlatCap : Qt::SquareCap, Qt::MiterJoin);
}

using Emphasis = std::function<QColor(const CurveView&)>;

// A frame has a budget of antialiased pixels: beyond it, lines are 1 px wide and not antialiased,
// which the rasteriser draws a hundred times faster. Only many noisy runs at once get there.
constexpr double kRawBudget = 40000;
constexpr double kMainBudget = 40000;

void paintLines(QPainter& painter, const ChartView& view, const AxisMap& x, const AxisMap& y, const QRectF& plot,
                const Emphasis& emphasised, const Theme& theme) {
    std::vector<Stroke> raws, mains;
    double rawLength = 0;
    double mainLength = 0;
    const std::size_t stride = view.curves.size() > 8 ? 2 : 1;
    for (const CurveView& curve : view.curves) {
        raws.push_back(strokeOf(curve.raw, x, y, plot));
        if (curve.smoothed) {
            mains.push_back({false, lineThroughEnds(curve.main, x, y, stride), 0});
            mains.back().length = lengthOf(mains.back().parts, plot);
        } else {
            mains.push_back(strokeOf(curve.main, x, y, plot));
        }
        rawLength += raws.back().length;
        mainLength += mains.back().length;
    }
    for (std::size_t i = 0; i < view.curves.size(); ++i) {
        const CurveView& curve = view.curves[i];
        const QColor color = mix(theme.card, emphasised(curve), 0.30);
        if (raws[i].bars) paintSpans(painter, curve.raw, color, x, y, plot);
        else paintParts(painter, raws[i].parts, QPen(color, 1), rawLength < kRawBudget);
    }
    const bool fine = mainLength < kMainBudget;
    const auto paintMain = [&](std::size_t i) {
        const CurveView& curve = view.curves[i];
        if (mains[i].bars) {
            paintSpans(painter, curve.main, emphasised(curve), x, y, plot);
        } else {
            const QPen pen = penFor(emphasised(curve), fine ? 2 : 1, !curve.dash.isEmpty());
            paintParts(painter, mains[i].parts, pen, fine, curve.dash);
        }
    };
    std::size_t top = view.curves.size(); // the hovered run lies over the others
    for (std::size_t i = 0; i < view.curves.size(); ++i)
        if (!view.hoveredRun.isEmpty() && view.curves[i].runId == view.hoveredRun) top = i;
        else paintMain(i);
    if (top < view.curves.size()) paintMain(top);
}

void paintBand(QPainter& painter, const ChartView& view, const AxisMap& x, const AxisMap& y, const Theme& theme) {
    if (view.band.size() < 2) return;
    QPolygonF outline;
    QPolygonF mean;
    for (const BandPoint& point : view.band) {
        outline << vertex(x.toPixel(point.x), point.mean + point.deviation, y);
        mean << vertex(x.toPixel(point.x), point.mean, y);
    }
    for (auto it = view.band.rbegin(); it != view.band.rend(); ++it)
        outline << vertex(x.toPixel(it->x), it->mean - it->deviation, y);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.card, theme.text2, 0.16));
    painter.drawPolygon(outline);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(mix(theme.card, theme.text2, 0.7), 1));
    painter.drawPolyline(mean);
}

void paintOutliers(QPainter& painter, const ChartView& view, const AxisMap& x, const QRectF& plot, const Theme& theme) {
    const OutlierMark& mark = view.outliers;
    painter.setFont(theme.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const auto draw = [&](std::size_t count, double atX, const QColor& color, bool above) {
        if (count == 0) return;
        const QString number =
            QLocale().toString(static_cast<qulonglong>(count)) + (count >= 1000 ? QStringLiteral("+") : QString());
        const char* words = above ? QT_TRANSLATE_N_NOOP("Plots", "%1 point(s) above")
                                  : QT_TRANSLATE_N_NOOP("Plots", "%1 point(s) below");
        QString text = QCoreApplication::translate("Plots", words, nullptr, static_cast<int>(count));
        text.replace(QLatin1String("point(s)"), count == 1 ? QLatin1String("point") : QLatin1String("points"));
        text = text.arg(number);
        const double width = QFontMetricsF(theme.small).horizontalAdvance(text) + 12;
        const double left = std::clamp(x.toPixel(atX) - 4, plot.left() + 4, plot.right() - width - 4);
        const double edge = above ? plot.top() + 1 : plot.bottom() - 3;
        const double tip = above ? edge : edge;
        const double base = above ? edge + 5 : edge - 5;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({{left, base}, {left + 8, base}, {left + 4, tip}}));
        painter.setPen(theme.text3);
        const double y = above ? edge + 2.5 - 8 : edge - 2.5 - 8;
        painter.drawText(QRectF(left + 12, std::max(y, plot.top() - 5), width, 16), Qt::AlignVCenter | Qt::AlignLeft,
                         text);
    };
    draw(mark.above, mark.aboveX, mark.aboveColor, true);
    draw(mark.below, mark.belowX, mark.belowColor, false);
}

} // namespace

std::vector<QList<QPointF>> lineThrough(const std::vector<Column>& columns, const AxisMap& x, const AxisMap& y) {
    std::vector<QList<QPointF>> parts(1);
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

void paintCurves(QPainter& painter, const ChartView& view, const QRectF& plot, const Theme& theme) {
    const AxisMap x(view.x, plot.left(), plot.right());
    const AxisMap y(view.y, plot.bottom(), plot.top());
    painter.save();
    painter.setClipRect(plot);
    paintBand(painter, view, x, y, theme);
    const Emphasis emphasised = [&](const CurveView& curve) {
        const bool faded = !view.hoveredRun.isEmpty() && curve.runId != view.hoveredRun;
        return faded ? mix(theme.card, curve.color, 0.45) : curve.color;
    };
    paintLines(painter, view, x, y, plot, emphasised, theme);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setClipRect(plot.adjusted(-5, -5, 5, 5));
    for (const CurveView& curve : view.curves) {
        const QPointF end(x.toPixel(curve.end.x()), y.toPixel(curve.end.y()));
        const bool finite = std::isfinite(end.x()) && std::isfinite(end.y()); // contains() says yes to NaN
        if (curve.live && finite && plot.adjusted(-1, -1, 1, 1).contains(end)) {
            painter.setPen(QPen(theme.card, 1.5));
            painter.setBrush(emphasised(curve));
            painter.drawEllipse(end, 4.25, 4.25);
        }
    }
    painter.setClipRect(plot.adjusted(0, -6, 0, 0));
    paintOutliers(painter, view, x, plot, theme);
    painter.restore();
}

} // namespace trainyard::ui
