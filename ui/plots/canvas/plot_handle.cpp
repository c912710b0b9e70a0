// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/plot_handle.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kGripReach = 9;     // pixels from its centre
constexpr double kHandleRadius = 5;  // pixels
constexpr double kArrowTip = 7;      // pixels beyond it
constexpr double kHandleNotch = 0.1; // decades
constexpr double kLeastShare = 1e-3;

} // namespace

double steeredValue(double value, double before) {
    const double least = before * kLeastShare;
    if (!(value > least)) value = least; // also NaN
    return QString::number(value, 'g', 2).toDouble();
}

void PlotHandle::show(const QPointF& at, const QColor& color) {
    m_at = at;
    m_color = color;
    m_shown = std::isfinite(at.x()) && at.y() > 0 && std::isfinite(at.y());
    if (!m_shown) m_held = false;
}

void PlotHandle::hide() { m_shown = m_held = false; }

bool PlotHandle::isNear(const QPointF& pixel, const PlotFrame& frame) const {
    if (!m_shown) return false;
    const QPointF off = frame.toPixel(m_at.x(), m_at.y()) - pixel;
    return std::hypot(off.x(), off.y()) <= kGripReach;
}

bool PlotHandle::grab(const QPointF& pixel, const PlotFrame& frame) {
    if (!isNear(pixel, frame)) return false;
    m_held = true;
    m_value = m_at.y();
    return true;
}

void PlotHandle::dragTo(const QPointF& pixel, const PlotFrame& frame) {
    if (m_held) m_value = steeredValue(frame.y.toValue(pixel.y()), m_at.y());
}

void PlotHandle::nudge(int notches) {
    if (!m_shown) return;
    const double from = value();
    m_held = true;
    m_value = steeredValue(from * std::pow(10.0, kHandleNotch * notches), m_at.y());
}

std::optional<double> PlotHandle::release() {
    if (!m_held) return std::nullopt;
    m_held = false;
    const bool same = !(m_value < m_at.y()) && !(m_value > m_at.y());
    return same ? std::nullopt : std::optional(m_value);
}

QRect PlotHandle::box(const PlotFrame& frame) const {
    if (!m_shown) return {};
    if (m_held) return frame.area.adjusted(-kGripReach, -kGripReach, kGripReach, kGripReach).toAlignedRect();
    constexpr double kReach = kHandleRadius + kArrowTip + 2; // including its antialiased edges
    const QPointF at = frame.toPixel(m_at.x(), m_at.y());
    if (!frame.shows(at)) return {};
    return QRectF(at - QPointF(kReach, kReach), QSizeF(2 * kReach, 2 * kReach)).toAlignedRect();
}

void PlotHandle::paint(QPainter& painter, const PlotFrame& frame) const {
    if (!m_shown) return;
    const QPointF rest = frame.toPixel(m_at.x(), m_at.y());
    const QPointF at(rest.x(), std::clamp(frame.y.toPixel(value()), frame.area.top(), frame.area.bottom()));
    if (rest.x() < frame.area.left() - 1 || rest.x() > frame.area.right() + 1) return;
    if (!m_held && !frame.shows(rest)) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (m_held) paintHeld(painter, frame, at);
    painter.setPen(QPen(m_color, 2));
    painter.setBrush(m_held ? m_color : frame.theme.card);
    painter.drawEllipse(at, kHandleRadius, kHandleRadius);
    // Two small arrows show the directions it moves in.
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_color);
    for (const double way : {-1.0, 1.0}) {
        const QPointF tip = at + QPointF(0, way * (kHandleRadius + kArrowTip));
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-3.5, -way * 4), tip + QPointF(3.5, -way * 4)}));
    }
    painter.restore();
}

// A line at the new value, and a text with the change.
void PlotHandle::paintHeld(QPainter& painter, const PlotFrame& frame, const QPointF& at) const {
    const Theme& theme = frame.theme;
    QPen dash(m_color, 1);
    dash.setDashPattern({4, 3});
    painter.setPen(dash);
    painter.drawLine(QLineF(frame.area.left(), at.y(), at.x(), at.y()));
    const QString text = QCoreApplication::translate("Plots", "%1 → %2   Esc: keep")
                             .arg(digitsText(m_at.y(), 3), digitsText(m_value, 3));
    const QFontMetricsF metrics(theme.small);
    const double width = metrics.horizontalAdvance(text) + 16, height = metrics.height() + 8;
    const double left = std::max(frame.area.left(), at.x() - kHandleRadius - 10 - width);
    const double top = std::clamp(at.y() - height - 6, frame.area.top(), frame.area.bottom() - height);
    const QRectF box(left, top, width, height);
    painter.setPen(QPen(theme.borderStrong, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(theme.small);
    painter.setPen(theme.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace trainyard::ui
