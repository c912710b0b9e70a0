// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>

namespace trainyard::ui {

namespace {

constexpr double kFlat = 1.5;  // pixels a column may span and still be one vertex

// Far outside the picture every y looks alike, and Qt's rasteriser dislikes huge coordinates.
double tamed(double pixel) { return std::clamp(pixel, -1e4, 1e5); }

QPointF vertex(double xPixel, double value, const AxisMap& y) {
    return {tamed(xPixel), tamed(y.toPixel(value))};
}

// Noisy data: one opaque bar per pixel column, joined to its neighbour. 50 times faster than
// stroking the same shape, and it looks the same.
void paintSpans(QPainter& painter, const std::vector<Column>& columns, const QColor& color,
                const AxisMap& x, const AxisMap& y, const QRectF& plot) {
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
        const double first = tamed(y.toPixel(column.extent.first));
        if (joined && at - previousX <= 1) {
            low = std::min(low, previousY);
            high = std::max(high, previousY);
        } else if (joined) {
            painter.setPen(QPen(color, 1));
            painter.drawLine(QPointF(previousX + .5, previousY), QPointF(at + .5, first));
        }
        const int from = std::max(top, static_cast<int>(std::floor(low)));
        const int to = std::min(bottom, static_cast<int>(std::ceil(high)));
        if (to >= from && at >= static_cast<int>(plot.left()) - 1) {
            painter.fillRect(QRect(at, from, 1, std::max(1, to - from)), color);
        }
        joined = true;
        previousX = at;
        previousY = tamed(y.toPixel(column.extent.last));
    }
}

// Stroking one long polyline costs far more than its parts, so it is cut in pieces that overlap in
// one vertex; round caps hide the cuts.
void paintLine(QPainter& painter, const std::vector<QList<QPointF>>& parts, const QPen& pen) {
    constexpr qsizetype kPiece = 24;
    painter.setPen(pen);
    const bool dashed = pen.style() == Qt::CustomDashLine;
    for (const QList<QPointF>& part : parts) {
        if (part.size() == 1) {
            painter.drawPoint(part.first());
        }
        const qsizetype piece = dashed ? part.size() : kPiece;
        for (qsizetype from = 0; from + 1 < part.size(); from += piece) {
            const qsizetype count = std::min(piece + 1, part.size() - from);
            painter.drawPolyline(part.constData() + from, static_cast<int>(count));
        }
    }
}

bool isDense(const std::vector<Column>& columns) {
    std::size_t points = 0;
    for (const Column& column : columns) {
        points += column.count;
    }
    return points > 2 * columns.size() && columns.size() > 8;
}

QPen penFor(const QColor& color, qreal width, const QList<qreal>& dash) {
    QPen pen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    if (!dash.isEmpty()) {
        pen.setDashPattern(dash);
        pen.setCapStyle(Qt::FlatCap);
    }
    return pen;
}

void paintRaw(QPainter& painter, const std::vector<Column>& columns, const QColor& color,
              const AxisMap& x, const AxisMap& y, const QRectF& plot, bool antialias) {
    if (isDense(columns)) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintSpans(painter, columns, color, x, y, plot);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, antialias);
    paintLine(painter, lineThrough(columns, x, y), QPen(color, 1));
}

// Noise at full height, drawn as the only line: bars again, under a line through the columns' ends.
void paintMain(QPainter& painter, const CurveView& curve, const QColor& color, const AxisMap& x,
               const AxisMap& y, const QRectF& plot) {
    if (!curve.smoothed && isDense(curve.main)) {
        double spanned = 0;
        for (const Column& column : curve.main) {
            spanned += column.extent.isEmpty() ? 0
                                               : tamed(y.toPixel(column.extent.min)) -
                                                     tamed(y.toPixel(column.extent.max));
        }
        if (spanned > 3 * static_cast<double>(curve.main.size())) {
            painter.setRenderHint(QPainter::Antialiasing, false);
            paintSpans(painter, curve.main, color, x, y, plot);
            return;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintLine(painter, lineThrough(curve.main, x, y), penFor(color, 2, curve.dash));
}

void paintBand(QPainter& painter, const ChartView& view, const AxisMap& x, const AxisMap& y,
               const Theme& theme) {
    if (view.band.size() < 2) {
        return;
    }
    QPolygonF outline;
    QPolygonF mean;
    for (const BandPoint& point : view.band) {
        outline << vertex(x.toPixel(point.x), point.mean + point.deviation, y);
        mean << vertex(x.toPixel(point.x), point.mean, y);
    }
    for (auto it = view.band.rbegin(); it != view.band.rend(); ++it) {
        outline << vertex(x.toPixel(it->x), it->mean - it->deviation, y);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.card, theme.text2, 0.16));
    painter.drawPolygon(outline);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(mix(theme.card, theme.text2, 0.7), 1));
    painter.drawPolyline(mean);
}

void paintOutliers(QPainter& painter, const ChartView& view, const AxisMap& x, const QRectF& plot,
                   const Theme& theme) {
    const OutlierMark& mark = view.outliers;
    painter.setFont(theme.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const auto draw = [&](std::size_t count, double atX, const QColor& color, bool above) {
        if (count == 0) {
            return;
        }
        const QString number = QLocale().toString(static_cast<qulonglong>(count)) +
                               (count >= 1000 ? QStringLiteral("+") : QString());
        const char* words = above ? QT_TRANSLATE_N_NOOP("Plots", "%1 point(s) above")
                                  : QT_TRANSLATE_N_NOOP("Plots", "%1 point(s) below");
        QString text = QCoreApplication::translate("Plots", words, nullptr, static_cast<int>(count));
        text.replace(QLatin1String("point(s)"),
                     count == 1 ? QLatin1String("point") : QLatin1String("points"));
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
        painter.drawText(QRectF(left + 12, std::max(y, plot.top() - 5), width, 16),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
    };
    draw(mark.above, mark.aboveX, mark.aboveColor, true);
    draw(mark.below, mark.belowX, mark.belowColor, false);
}

}  // namespace

std::vector<QList<QPointF>> lineThrough(const std::vector<Column>& columns, const AxisMap& x,
                                        const AxisMap& y) {
    std::vector<QList<QPointF>> parts(1);
    for (const Column& column : columns) {
        if (column.extent.isEmpty()) {
            if (!parts.back().isEmpty()) {
                parts.emplace_back();
            }
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
            line << vertex(from, extent.first, y)
                 << vertex(middle, rising ? extent.min : extent.max, y)
                 << vertex(middle, rising ? extent.max : extent.min, y)
                 << vertex(to, extent.last, y);
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
    const auto emphasised = [&](const CurveView& curve) {
        const bool faded = !view.hoveredRun.isEmpty() && curve.runId != view.hoveredRun;
        return faded ? mix(theme.card, curve.color, 0.45) : curve.color;
    };
    const bool antialiasRaw = view.curves.size() <= 8;
    for (const CurveView& curve : view.curves) {
        paintRaw(painter, curve.raw, mix(theme.card, emphasised(curve), 0.30), x, y, plot,
                 antialiasRaw);
    }
    for (const CurveView& curve : view.curves) {
        if (curve.runId != view.hoveredRun) {
            paintMain(painter, curve, emphasised(curve), x, y, plot);
        }
    }
    for (const CurveView& curve : view.curves) {  // the hovered one on top
        if (curve.runId == view.hoveredRun && !view.hoveredRun.isEmpty()) {
            paintMain(painter, curve, curve.color, x, y, plot);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setClipRect(plot.adjusted(-5, -5, 5, 5));
    for (const CurveView& curve : view.curves) {
        const QPointF end(x.toPixel(curve.end.x()), y.toPixel(curve.end.y()));
        if (curve.live && plot.adjusted(-1, -1, 1, 1).contains(end)) {
            painter.setPen(QPen(theme.card, 1.5));
            painter.setBrush(emphasised(curve));
            painter.drawEllipse(end, 4.25, 4.25);
        }
    }
    painter.setClipRect(plot.adjusted(0, -6, 0, 0));
    paintOutliers(painter, view, x, plot, theme);
    painter.restore();
}

}  // namespace trainyard::ui
