// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/layers/parallel_layer.h"

#include "engine/run/record/series/metrics_csv.h"
#include "ui/plots/canvas/plot_words.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kReach = 8;    // pixels from a line to the pointer
constexpr double kHandle = 0.4; // of a curve between two axes
constexpr int kShades = 16;     // groups of lines painted together
constexpr double kTitleRoom = 22;
constexpr double kLabelRoom = 0.55; // left of the first axis, as a share of the distance of two axes
constexpr double kLabelGap = 6;     // between an axis and its labels

// A text with a halo, so that lines below leave it readable.
void paintHaloed(QPainter& painter, const Theme& theme, const QRectF& box, int flags, const QString& text) {
    const QRectF at = painter.boundingRect(box, flags, text);
    painter.fillRect(at.adjusted(-2, 1, 2, -1), theme.card);
    painter.drawText(box, flags, text);
}

// As thin as the device allows: anything wider takes a hundred times as long.
QPen hairline(const QColor& color) {
    QPen pen(color, 1);
    pen.setCosmetic(true);
    return pen;
}

// The colours of quantities, the best at the top.
void paintRamp(QPainter& painter, const Theme& theme, const QRectF& box) {
    QLinearGradient colors(box.bottomLeft(), box.topLeft());
    for (std::size_t i = 0; i < theme.seq.size(); ++i)
        colors.setColorAt(static_cast<double>(i) / static_cast<double>(theme.seq.size() - 1), theme.seq[i]);
    painter.fillRect(box, colors);
}

QPainterPath pathOf(const QList<double>& places, const PlotFrame& frame, bool smooth) {
    QPainterPath path;
    bool open = false;
    for (qsizetype i = 0; i < places.size(); ++i) {
        const QPointF at = frame.toPixel(static_cast<double>(i), places[i]);
        if (std::isnan(places[i])) open = false;
        else if (!std::exchange(open, true)) path.moveTo(at);
        else if (!smooth) path.lineTo(at);
        else {
            const QPointF from = path.currentPosition();
            const double handle = (at.x() - from.x()) * kHandle;
            path.cubicTo(from + QPointF(handle, 0), at - QPointF(handle, 0), at);
        }
    }
    return path;
}

} // namespace

QColor rampColor(const Theme& theme, double quality) {
    const double at = std::clamp(quality, 0.0, 1.0) * static_cast<double>(theme.seq.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), theme.seq.size() - 2);
    return mix(theme.seq[low], theme.seq[low + 1], at - static_cast<double>(low));
}

ParallelLayer::ParallelLayer(QList<ParallelAxis> axes, QList<ParallelLine> lines, std::shared_ptr<LinePicture> all)
    : m_axes(std::move(axes)), m_lines(std::move(lines)), m_all(all ? std::move(all) : std::make_shared<LinePicture>()),
      m_kept(std::make_shared<LinePicture>()) {
    const auto worse = [](const ParallelLine& a, const ParallelLine& b) { return a.quality < b.quality; };
    if (!std::is_sorted(m_lines.cbegin(), m_lines.cend(), worse))
        std::stable_sort(m_lines.begin(), m_lines.end(), worse);
    m_anyFaded = std::any_of(m_lines.cbegin(), m_lines.cend(), [](const ParallelLine& line) { return line.faded; });
}

PlotBounds ParallelLayer::bounds(bool, bool) const {
    PlotBounds bounds;
    if (m_axes.isEmpty()) return bounds;
    bounds.add(-kLabelRoom, -0.05); // room for the labels at the left, and for the titles
    bounds.add(static_cast<double>(m_axes.size()) - 0.5, 1.16);
    return bounds;
}

void ParallelLayer::paint(QPainter& painter, const PlotFrame& frame) const {
    painter.setRenderHint(QPainter::Antialiasing, isSmooth());
    const auto special = [&](const ParallelLine& line) {
        return line.best || line.run == frame.hovered || line.run == frame.current;
    };
    if (!isSmooth()) {
        if (m_anyFaded) m_all->show(painter, frame, [&](QPainter& inner, const QRectF&) { paintFaded(inner, frame); });
        m_kept->show(painter, frame, [&](QPainter& inner, const QRectF&) { paintStraight(inner, frame); });
    } else {
        for (const bool faded : {true, false})
            for (const ParallelLine& line : m_lines)
                if (line.faded == faded && !special(line)) paintLine(painter, frame, line);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ParallelLine& line : m_lines)
        if (special(line)) paintLine(painter, frame, line);
    for (qsizetype axis = 0; axis < m_axes.size(); ++axis) paintAxis(painter, frame, axis);
}

void ParallelLayer::paintLine(QPainter& painter, const PlotFrame& frame, const ParallelLine& line) const {
    const QPainterPath path = pathOf(line.places, frame, isSmooth());
    painter.setBrush(Qt::NoBrush);
    const bool marked = line.run == frame.hovered || line.run == frame.current;
    if (marked || (line.best && !line.faded)) {
        painter.setPen(QPen(frame.theme.card, 6));
        painter.drawPath(path);
        painter.setPen(QPen(line.color, 3));
    } else if (line.faded) {
        painter.setPen(QPen(mix(frame.theme.card, frame.theme.text3, 0.22), 1));
    } else {
        const QColor color = rampColor(frame.theme, line.quality);
        painter.setPen(QPen(frame.hovered.isEmpty() ? color : mix(frame.theme.card, color, 0.45), 1.5));
    }
    painter.drawPath(path);
}

void ParallelLayer::addSegments(QList<QLineF>& segments, const ParallelLine& line, const PlotFrame& frame) const {
    for (qsizetype i = 1; i < line.places.size(); ++i)
        if (!std::isnan(line.places[i - 1]) && !std::isnan(line.places[i]))
            segments << QLineF(frame.toPixel(static_cast<double>(i - 1), line.places[i - 1]),
                               frame.toPixel(static_cast<double>(i), line.places[i]));
}

// The filtered lines, one shade at a time.
void ParallelLayer::paintStraight(QPainter& painter, const PlotFrame& frame) const {
    QList<QLineF> segments[kShades];
    for (const ParallelLine& line : m_lines)
        if (!line.faded)
            addSegments(segments[std::clamp(static_cast<int>(line.quality * kShades), 0, kShades - 1)], line, frame);
    for (int shade = 0; shade < kShades; ++shade) {
        painter.setPen(hairline(rampColor(frame.theme, (shade + 0.5) / kShades)));
        painter.drawLines(segments[shade]);
    }
}

// All of them, below the kept ones.
void ParallelLayer::paintFaded(QPainter& painter, const PlotFrame& frame) const {
    QList<QLineF> segments;
    for (const ParallelLine& line : m_lines) addSegments(segments, line, frame);
    painter.setPen(hairline(mix(frame.theme.card, frame.theme.text3, 0.22)));
    painter.drawLines(segments);
}

void ParallelLayer::paintAxis(QPainter& painter, const PlotFrame& frame, qsizetype axis) const {
    const Theme& theme = frame.theme;
    const ParallelAxis& shown = m_axes[axis];
    const QPointF top = frame.toPixel(static_cast<double>(axis), 1),
                  bottom = frame.toPixel(static_cast<double>(axis), 0);
    const bool last = axis == m_axes.size() - 1 && axis > 0;
    const double room = std::abs(frame.toPixel(1, 0).x() - frame.toPixel(0, 0).x());
    if (shown.ramp) paintRamp(painter, theme, QRectF(top.x() - 2, top.y(), 4, bottom.y() - top.y()));
    painter.setPen(QPen(theme.borderStrong, 1));
    if (!shown.ramp) painter.drawLine(QLineF(top, bottom));
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    const double height = theme.px(16), width = room * kLabelRoom - kLabelGap;
    for (const Tick& tick : shown.ticks) {
        const double y = frame.y.toPixel(tick.position);
        painter.drawLine(QLineF(top.x() - 3, y, top.x() + 3, y));
        const double left = last ? top.x() + kLabelGap : top.x() - kLabelGap - width;
        const QString label = painter.fontMetrics().elidedText(tick.label, Qt::ElideMiddle, static_cast<int>(width));
        paintHaloed(painter, theme, QRectF(left, y - height / 2, width, height),
                    (last ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, label);
    }
    for (const auto& [from, to] : shown.brushes) {
        const double high = frame.y.toPixel(std::max(from, to)), low = frame.y.toPixel(std::min(from, to));
        QColor fill = theme.accent;
        fill.setAlphaF(0.22F);
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(fill);
        painter.drawRect(QRectF(top.x() - 7, high, 14, std::max(2.0, low - high)));
    }
    QFont heading = theme.small;
    heading.setWeight(QFont::DemiBold);
    painter.setFont(heading);
    painter.setPen(theme.text);
    const QString title =
        painter.fontMetrics().elidedText(shown.shownTitle(), Qt::ElideMiddle, static_cast<int>(room) - 6);
    painter.drawText(QRectF(top.x() - room / 2, top.y() - kTitleRoom, room, 16), Qt::AlignCenter, title);
}

double ParallelLayer::distanceTo(const ParallelLine& line, const QPointF& pixel, const PlotFrame& frame) const {
    const double x = frame.x.toValue(pixel.x());
    const auto at = static_cast<qsizetype>(std::floor(std::clamp(x, 0.0, static_cast<double>(m_axes.size()) - 1.0001)));
    if (at < 0 || at + 1 >= line.places.size()) return std::numeric_limits<double>::infinity();
    const double share = std::clamp(x - static_cast<double>(at), 0.0, 1.0);
    const double eased = isSmooth() ? share * share * (3 - 2 * share) : share; // close to the Bézier curve
    return std::abs(frame.y.toPixel(line.places[at] + eased * (line.places[at + 1] - line.places[at])) - pixel.y());
}

std::optional<PlotHit> ParallelLayer::hit(const QPointF& pixel, const PlotFrame& frame) const {
    const ParallelLine* nearest = nullptr;
    double least = kReach;
    for (const ParallelLine& line : m_lines) {
        if (line.faded) continue;
        const double distance = distanceTo(line, pixel, frame);
        if (distance > least) continue;
        least = distance;
        nearest = &line;
    }
    if (nearest == nullptr) return std::nullopt;
    TooltipContent tooltip;
    tooltip.heading = nearest->name;
    for (qsizetype i = 0; i < m_axes.size(); ++i)
        tooltip.rows << TooltipRow{nearest->color, m_axes[i].shownTitle(), nearest->values.value(i), {}};
    return PlotHit{nearest->run, least, tooltip};
}

QList<LegendEntry> ParallelLayer::legend(const Theme& theme) const {
    return {{PlotWords::tr("worst"), rampColor(theme, 0)},
            {PlotWords::tr("middle"), rampColor(theme, 0.5)},
            {PlotWords::tr("best"), rampColor(theme, 1)}};
}

std::string ParallelLayer::csv() const {
    const auto field = [](const QString& text) { return run::csvField(text.toStdString()); };
    std::string text = "run,name";
    for (const ParallelAxis& axis : m_axes) text += ',' + field(axis.name);
    text += '\n';
    for (const ParallelLine& line : m_lines) {
        text += field(line.run) + ',' + field(line.name);
        for (const QString& value : line.values) text += ',' + field(value);
        text += '\n';
    }
    return text;
}

QString ParallelLayer::description() const {
    QStringList titles;
    for (const ParallelAxis& axis : m_axes) titles << axis.shownTitle();
    const auto kept = std::count_if(m_lines.begin(), m_lines.end(), [](const auto& line) { return !line.faded; });
    return QCoreApplication::translate("Plots", "%1 of %2 trials over %3")
        .arg(kept)
        .arg(m_lines.size())
        .arg(titles.join(QStringLiteral(", ")));
}

} // namespace trainyard::ui
