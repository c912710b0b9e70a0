// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/chart_object.h"

#include "engine/chart/svg.h"

#include <QPainter>
#include <QPainterPath>

namespace trainyard::ui {

namespace {

constexpr int kNumberProperty = QTextFormat::UserProperty + 1;

QColor colorOf(chart::Ink ink, int color, const ThemeColors& colors) {
    switch (ink) {
    case chart::Ink::Text: return colors.text;
    case chart::Ink::Muted: return colors.text2;
    case chart::Ink::Grid: return colors.grid;
    case chart::Ink::Axis: return colors.axis;
    case chart::Ink::Curve: break;
    }
    return colors.curves[static_cast<std::size_t>(color % chart::kCurveInks)];
}

void paintShape(QPainter& painter, const chart::Shape& shape, const ThemeColors& colors) {
    QColor color = shape.rgb.empty() ? colorOf(shape.ink, shape.color, colors) : QColor(shape.rgb.c_str());
    color.setAlphaF(static_cast<float>(shape.opacity));
    if (shape.kind == chart::Shape::Kind::Dots) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        for (const auto& at : shape.points) painter.drawEllipse(QPointF(at.x, at.y), shape.width, shape.width);
        return;
    }
    QPolygonF points;
    for (const auto& at : shape.points) points << QPointF(at.x, at.y);
    if (shape.kind == chart::Shape::Kind::Area) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(points);
        return;
    }
    QPen pen(color, shape.width);
    pen.setJoinStyle(Qt::RoundJoin);
    if (shape.dashed) pen.setDashPattern({5 / shape.width, 3 / shape.width});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(points);
}

} // namespace

void paintDrawing(QPainter& painter, const chart::Drawing& drawing, const ThemeColors& colors, const QString& family) {
    for (const auto& shape : drawing.shapes) paintShape(painter, shape, colors);
    for (const auto& words : drawing.words) {
        const bool title = words.face == chart::Words::Face::Title;
        QFont font(family);
        font.setPixelSize(static_cast<int>(title ? chart::kTitleSize : chart::kSmallSize));
        font.setWeight(title ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(colorOf(words.ink, 0, colors));
        const QString text = QString::fromStdString(words.text);
        const qreal width = QFontMetricsF(font).horizontalAdvance(text);
        const qreal left = words.anchor == chart::Words::Anchor::End      ? width
                           : words.anchor == chart::Words::Anchor::Middle ? width / 2
                                                                          : 0;
        painter.drawText(QPointF(words.at.x - left, words.at.y), text);
    }
}

QTextCharFormat ChartObject::add(chart::Drawing drawing, qreal width) {
    QTextCharFormat format;
    format.setObjectType(kind());
    format.setProperty(kNumberProperty, static_cast<int>(m_drawings.size()));
    m_drawings.push_back({std::move(drawing), width});
    return format;
}

QSizeF ChartObject::intrinsicSize(QTextDocument*, int, const QTextFormat& format) {
    const Placed& placed = m_drawings[static_cast<std::size_t>(format.intProperty(kNumberProperty))];
    return {placed.width, placed.drawing.height * placed.width / placed.drawing.width};
}

void ChartObject::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) {
    const Placed& placed = m_drawings[static_cast<std::size_t>(format.intProperty(kNumberProperty))];
    painter->save();
    painter->translate(place.topLeft());
    painter->scale(place.width() / placed.drawing.width, place.height() / placed.drawing.height);
    paintDrawing(*painter, placed.drawing, m_colors, m_family);
    painter->restore();
}

} // namespace trainyard::ui
