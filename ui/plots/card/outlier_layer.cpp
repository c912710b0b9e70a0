// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/outlier_layer.h"

#include "ui/plots/canvas/plot_words.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::ui {

namespace {

constexpr std::size_t kLooked = 20; // checks at most this many curves: more leave no free place
constexpr double kPace = 6;         // pixels between two candidate places

enum class PlotEdge { Top, Bottom };

QString markText(std::size_t count, PlotEdge edge) {
    const QString number =
        QLocale().toString(static_cast<qulonglong>(count)) + (count >= 1000 ? QStringLiteral("+") : QString());
    const int n = static_cast<int>(std::min<std::size_t>(count, 1000));
    const QString text = edge == PlotEdge::Top ? PlotWords::tr("%1 points above", nullptr, n)
                                               : PlotWords::tr("%1 points below", nullptr, n);
    return text.arg(number);
}

// Which pixel columns of the plot a curve's line crosses between two pixel rows.
void addCrossed(std::vector<int>& crossed, const CurveView& curve, const PlotFrame& frame, double top, double bottom) {
    const auto cross = [&](double x, double from, double to) {
        const double column = x - frame.area.left();
        if (!(column >= 0) || column >= static_cast<double>(crossed.size())) return;
        if (std::min(from, to) <= bottom && std::max(from, to) >= top) crossed[static_cast<std::size_t>(column)] = 1;
    };
    const double lowest = frame.y.toValue(bottom), highest = frame.y.toValue(top); // between the two rows
    const Column* before = nullptr;
    for (const Column& column : curve.main) {
        if (column.extent.isEmpty()) {
            before = nullptr;
            continue;
        }
        const Column& from = before != nullptr ? *before : column;
        before = &column;
        const double least = std::min(from.extent.last, column.extent.min);
        const double most = std::max(from.extent.last, column.extent.max);
        if (most < lowest || least > highest) continue; // as nearly all do
        const QPointF start = frame.toPixel(from.xLast, from.extent.last);
        const QPointF first = frame.toPixel(column.xFirst, column.extent.first);
        if (&from != &column) {
            const double slope = (first.y() - start.y()) / std::max(1.0, first.x() - start.x());
            for (double x = std::max(start.x(), frame.area.left()); x < std::min(first.x(), frame.area.right()); ++x)
                cross(x, start.y() + slope * (x - start.x()), start.y() + slope * (x + 1 - start.x()));
        }
        cross(first.x(), frame.y.toPixel(column.extent.max), frame.y.toPixel(column.extent.min));
    }
}

void paintOutliers(QPainter& painter, const PlotFrame& frame, PlotEdge edge, std::size_t count, double x,
                   const QColor& color, const std::vector<CurveView>& curves) {
    if (count == 0) return;
    const QRectF& area = frame.area;
    const bool top = edge == PlotEdge::Top;
    const QString text = markText(count, edge);
    const double width = QFontMetricsF(frame.theme.small).horizontalAdvance(text) + 16;
    const double tip = top ? area.top() + 1 : area.bottom() - 3;
    const double base = top ? tip + 5 : tip - 5;
    const double middle = top ? tip + 2.5 : tip - 2.5;
    const double upper = std::max(middle - 8, area.top() - 5);
    const double wanted =
        std::clamp(frame.x.toPixel(x) - 4, area.left() + 4, std::max(area.left() + 4, area.right() - width - 4));
    const double left = freePlace(curves, frame, upper, upper + 16, width, wanted);
    QColor plate = frame.theme.card; // translucent: the curves show through, and the text stays readable
    plate.setAlphaF(0.75);
    painter.setPen(Qt::NoPen);
    painter.setBrush(plate);
    painter.drawRoundedRect(QRectF(left - 2, upper, width, 16), 3, 3);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({{left, base}, {left + 8, base}, {left + 4, tip}}));
    painter.setPen(frame.theme.text2);
    painter.drawText(QRectF(left + 12, upper, width, 16), Qt::AlignVCenter | Qt::AlignLeft, text);
}

} // namespace

double freePlace(const std::vector<CurveView>& curves, const PlotFrame& frame, double top, double bottom, double width,
                 double wanted) {
    std::vector<int> crossed(static_cast<std::size_t>(std::max(1.0, std::ceil(frame.area.width()))), 0);
    const std::size_t looked = std::min(curves.size(), kLooked);
    for (std::size_t i = 0; i < looked; ++i) addCrossed(crossed, curves[i], frame, top, bottom);
    const auto hidden = [&](double left) {
        const auto from = static_cast<std::ptrdiff_t>(std::max(0.0, left - frame.area.left()));
        const auto to =
            std::min(static_cast<std::ptrdiff_t>(crossed.size()), from + static_cast<std::ptrdiff_t>(std::ceil(width)));
        return from < to ? std::accumulate(crossed.begin() + from, crossed.begin() + to, 0) : 0;
    };
    double best = wanted;
    int least = hidden(wanted);
    for (double left = frame.area.left() + 4; left <= frame.area.right() - width - 4 && least > 0; left += kPace) {
        const int hides = hidden(left);
        if (hides >= least) continue;
        least = hides;
        best = left;
    }
    return best;
}

// The place of a note depends on all curves.
double OutlierLayer::changedFrom(const PlotLayer& before, const PlotFrame& frame) const {
    const auto* last = dynamic_cast<const OutlierLayer*>(&before);
    if (last != nullptr && last->isEmpty() && isEmpty()) return std::numeric_limits<double>::infinity();
    return PlotLayer::changedFrom(before, frame);
}

void OutlierLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setFont(frame.theme.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintOutliers(painter, frame, PlotEdge::Top, m_mark.above, m_mark.aboveX, m_mark.aboveColor, m_curves->curves());
    paintOutliers(painter, frame, PlotEdge::Bottom, m_mark.below, m_mark.belowX, m_mark.belowColor, m_curves->curves());
}

} // namespace trainyard::ui
