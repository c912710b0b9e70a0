// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/overview_strip.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>

#include <cmath>
#include <limits>

namespace trainyard::ui {

namespace {

constexpr double kHandleReach = 6;

} // namespace

OverviewStrip::OverviewStrip(QWidget* parent) : QWidget(parent), m_crosshair(std::numeric_limits<double>::quiet_NaN()) {
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the selected runs and the visible range"));
}

QSize OverviewStrip::sizeHint() const { return {Theme::current().px(480), Theme::current().px(44)}; }

void OverviewStrip::setCurves(const QList<OverviewCurve>& curves) {
    m_curves = curves;
    update();
}

void OverviewStrip::setCheckpoints(const QList<OverviewCheckpoint>& checkpoints) {
    m_checkpoints = checkpoints;
    update();
}

void OverviewStrip::setEpochTicks(const QList<double>& ticks) {
    m_ticks = ticks;
    update();
}

void OverviewStrip::setFullRange(double low, double high) {
    m_low = low;
    m_high = high > low ? high : low + 1;
    update();
}

void OverviewStrip::setVisibleRange(double low, double high) {
    m_from = low;
    m_to = high;
    update();
}

void OverviewStrip::setCrosshair(double x) {
    m_crosshair = x;
    update();
}

QRectF OverviewStrip::plot() const { return QRectF(rect()).adjusted(10, 6, -10, -6); }

double OverviewStrip::toPixel(double x) const {
    return plot().left() + (x - m_low) / (m_high - m_low) * plot().width();
}

double OverviewStrip::toValue(double pixel) const {
    return m_low + (pixel - plot().left()) / plot().width() * (m_high - m_low);
}

OverviewStrip::Grip OverviewStrip::gripAt(double pixel) const {
    if (std::abs(pixel - toPixel(std::max(m_from, m_low))) <= kHandleReach) return Grip::Low;
    if (std::abs(pixel - toPixel(std::min(m_to, m_high))) <= kHandleReach) return Grip::High;
    return pixel > toPixel(m_from) && pixel < toPixel(m_to) ? Grip::Inside : Grip::None;
}

void OverviewStrip::request(double low, double high) {
    const double least = (m_high - m_low) / 1000;
    if (high - low >= least) Q_EMIT rangeRequested(std::max(low, m_low), std::min(high, m_high));
}

void OverviewStrip::paintCurves(QPainter& painter) const {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const OverviewCurve& curve : m_curves) {
        for (const QPointF& point : curve.points) {
            if (std::isfinite(point.y())) {
                low = std::min(low, point.y());
                high = std::max(high, point.y());
            }
        }
    }
    if (!std::isfinite(low)) return;
    const double span = high > low ? high - low : 1;
    const QRectF area = plot().adjusted(0, 4, 0, -2);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const OverviewCurve& curve : m_curves) {
        QPolygonF line;
        for (const QPointF& point : curve.points)
            if (std::isfinite(point.y()))
                line << QPointF(toPixel(point.x()), area.bottom() - (point.y() - low) / span * area.height());
        painter.setPen(QPen(curve.color, 1));
        painter.drawPolyline(line);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void OverviewStrip::paintMarks(QPainter& painter) const {
    const Theme& theme = Theme::current();
    for (const double tick : m_ticks) paintVLine(painter, toPixel(tick), 1, 4, theme.text3);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const OverviewCheckpoint& mark : m_checkpoints) {
        const QPointF at(toPixel(mark.x), 10);
        const QPolygonF diamond{{at + QPointF(0, -4), at + QPointF(4, 0), at + QPointF(0, 4), at + QPointF(-4, 0)}};
        painter.setPen(QPen(mark.color, 1));
        painter.setBrush(mark.best ? mark.color : theme.card);
        painter.drawPolygon(diamond);
    }
    painter.restore();
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 6, theme.card, theme.border);
    paintCurves(painter);
    const double from = toPixel(std::max(m_from, m_low));
    const double to = toPixel(std::min(m_to, m_high));
    QColor shade = theme.window;
    shade.setAlphaF(0.7F);
    const QRectF inner = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (from > inner.left() + 10) painter.fillRect(QRectF(inner.topLeft(), QPointF(from, inner.bottom())), shade);
    if (to < inner.right() - 10) painter.fillRect(QRectF(QPointF(to, inner.top()), inner.bottomRight()), shade);
    paintMarks(painter);
    const QRectF frame(QPointF(from - 6, 2), QPointF(to + 6, height() - 2));
    paintFrame(painter, frame, 4, QColor(), theme.borderStrong);
    for (const double edge : {frame.left(), frame.right()})
        paintFrame(painter, QRectF(edge - 2, height() / 2.0 - 8, 4, 16), 2, theme.text3, QColor());
    if (std::isfinite(m_crosshair)) {
        painter.setPen(QPen(theme.text3, 1, Qt::CustomDashLine));
        QPen dash(theme.text3, 1);
        dash.setDashPattern({3, 3});
        painter.setPen(dash);
        const double x = std::floor(toPixel(m_crosshair)) + .5;
        painter.drawLine(QPointF(x, 2), QPointF(x, height() - 2));
    }
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_grip = gripAt(event->position().x());
    m_pressValue = toValue(event->position().x());
    m_pressFrom = std::max(m_from, m_low);
    m_pressTo = std::min(m_to, m_high);
    if (m_grip == Grip::None) { // a press outside centres the range there
        const double half = (m_pressTo - m_pressFrom) / 2;
        m_pressFrom = m_pressValue - half;
        m_pressTo = m_pressValue + half;
        m_grip = Grip::Inside;
        request(m_pressFrom, m_pressTo);
    }
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const double value = toValue(event->position().x());
    if (m_grip == Grip::None) {
        const Grip over = gripAt(event->position().x());
        setCursor(over == Grip::Low || over == Grip::High ? Qt::SizeHorCursor : Qt::ArrowCursor);
        return;
    }
    const double moved = value - m_pressValue;
    if (m_grip == Grip::Low) {
        request(m_pressFrom + moved, m_pressTo);
    } else if (m_grip == Grip::High) {
        request(m_pressFrom, m_pressTo + moved);
    } else {
        const double shift = std::clamp(moved, std::min(0.0, m_low - m_pressFrom), std::max(0.0, m_high - m_pressTo));
        request(m_pressFrom + shift, m_pressTo + shift);
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::None; }

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent*) { Q_EMIT fitRequested(); }

void OverviewStrip::keyPressEvent(QKeyEvent* event) {
    const double from = std::max(m_from, m_low);
    const double to = std::min(m_to, m_high);
    const double step = (to - from) / 10;
    switch (event->key()) {
    case Qt::Key_Left: request(std::max(from - step, m_low), std::max(from - step, m_low) + to - from); return;
    case Qt::Key_Right: request(std::min(to + step, m_high) - (to - from), std::min(to + step, m_high)); return;
    case Qt::Key_Plus: request(from + step, to - step); return;
    case Qt::Key_Minus: request(from - step, to + step); return;
    case Qt::Key_Home: Q_EMIT fitRequested(); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard::ui
