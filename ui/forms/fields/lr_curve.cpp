// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/lr_curve.h"

#include "ui/models/text/format.h"
#include "ui/plots/canvas/axis_labels.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kLeastWidth = 0.1, kKeyStep = 0.1; // width of the box, in decades
constexpr double kAround = 0.5;                     // initial decades on each side of the suggestion
constexpr double kLossesShown = 1.6; // times the range of first to lowest loss: diverging values are cut off
constexpr int kReach = 6;            // pixels around an edge

double twoDigits(double lr) { return QString::number(lr, 'g', 2).toDouble(); }

} // namespace

LrCurve::LrCurve(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Loss over the learning rate"));
    setToolTip(tr("Drag to choose learning rates for a sweep, or use the arrow keys"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumHeight(Theme::current().px(150)); // a note beside it that wraps must not squeeze it
}

QSize LrCurve::sizeHint() const { return {Theme::current().px(310), Theme::current().px(168)}; }

void LrCurve::setCourse(const Course& course) {
    m_course = course;
    if (course.points.isEmpty()) return;
    m_least = std::log10(course.points.first().x());
    m_most = std::max(m_least + 1, std::log10(course.points.last().x()));
    const double middle = course.suggested > 0 ? std::log10(course.suggested) : (m_least + m_most) / 2;
    double high = middle + kAround;
    if (course.lowestAt > course.suggested) high = std::min(high, std::log10(course.lowestAt));
    moveEnds(middle - kAround, std::max(high, middle - kAround + kLeastWidth));
}

double LrCurve::from() const { return twoDigits(std::pow(10, m_low)); }
double LrCurve::to() const { return twoDigits(std::pow(10, m_high)); }
void LrCurve::setRange(double from, double to) { moveEnds(std::log10(from), std::log10(to)); }

void LrCurve::moveEnds(double low, double high) {
    m_low = std::clamp(std::min(low, high), m_least, m_most - kLeastWidth);
    m_high = std::clamp(std::max(low, high), m_low + kLeastWidth, m_most);
    setAccessibleDescription(tr("From %1 to %2").arg(from()).arg(to()));
    update();
    Q_EMIT rangeChanged(from(), to());
}

QRectF LrCurve::plot() const {
    const Theme& theme = Theme::current();
    return QRectF(rect()).adjusted(theme.px(44), theme.px(8), -theme.px(8), -theme.px(20));
}

double LrCurve::xOf(double lr) const {
    const QRectF area = plot();
    return area.left() + (std::log10(lr) - m_least) / (m_most - m_least) * area.width();
}

double LrCurve::lrAt(double x) const {
    const QRectF area = plot();
    return m_least + (x - area.left()) / area.width() * (m_most - m_least);
}

QRectF LrCurve::box() const {
    const QRectF area = plot();
    const double left = xOf(std::pow(10, m_low)), right = xOf(std::pow(10, m_high));
    return {left, area.top(), right - left, area.height()};
}

LrCurve::Grip LrCurve::gripAt(double x) const {
    const QRectF at = box();
    if (std::abs(x - at.left()) <= kReach) return Grip::Low;
    if (std::abs(x - at.right()) <= kReach) return Grip::High;
    return x > at.left() && x < at.right() ? Grip::Whole : Grip::New;
}

void LrCurve::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_grip = gripAt(event->position().x());
    m_pressedAt = lrAt(event->position().x());
    m_lowAtPress = m_low;
    m_highAtPress = m_high;
}

void LrCurve::mouseMoveEvent(QMouseEvent* event) {
    const double at = lrAt(event->position().x()), moved = at - m_pressedAt;
    switch (m_grip) {
    case Grip::None: {
        const Grip under = gripAt(event->position().x());
        setCursor(under == Grip::Whole ? Qt::OpenHandCursor : under == Grip::New ? Qt::CrossCursor : Qt::SizeHorCursor);
        return;
    }
    case Grip::Low: return moveEnds(std::min(at, m_high - kLeastWidth), m_high);
    case Grip::High: return moveEnds(m_low, std::max(at, m_low + kLeastWidth));
    case Grip::Whole: {
        const double by = std::clamp(moved, m_least - m_lowAtPress, m_most - m_highAtPress);
        return moveEnds(m_lowAtPress + by, m_highAtPress + by);
    }
    case Grip::New: return moveEnds(m_pressedAt, at);
    }
}

void LrCurve::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::None; }

void LrCurve::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return moveEnds(m_low - std::min(kKeyStep, m_low - m_least), m_high - std::min(kKeyStep, m_low - m_least));
    case Qt::Key_Right:
        return moveEnds(m_low + std::min(kKeyStep, m_most - m_high), m_high + std::min(kKeyStep, m_most - m_high));
    case Qt::Key_Up: return moveEnds(m_low - kKeyStep / 2, m_high + kKeyStep / 2);
    case Qt::Key_Down: {
        const double by = std::min(kKeyStep, m_high - m_low - kLeastWidth) / 2;
        return moveEnds(m_low + by, m_high - by);
    }
    default: QWidget::keyPressEvent(event);
    }
}

void LrCurve::paintCourse(QPainter& painter, const QRectF& area) const {
    const Theme& theme = Theme::current();
    double least = m_course.points.first().y();
    for (const QPointF& point : m_course.points)
        if (std::isfinite(point.y())) least = std::min(least, point.y());
    const double first = m_course.points.first().y();
    double most = least;
    for (const QPointF& point : m_course.points)
        if (std::isfinite(point.y())) most = std::max(most, point.y());
    if (first > least) most = std::min(most, least + kLossesShown * (first - least));
    if (most <= least) most = least + 1;
    const double low = least - 0.05 * (most - least), range = most - low;
    const auto yOf = [&](double loss) { return area.bottom() - (loss - low) / range * area.height(); };
    painter.setFont(theme.small);
    for (const Tick& tick : linearTicks(low, most, 4)) {
        paintHLine(painter, area.left(), yOf(tick.position), area.width(), theme.grid);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(0, yOf(tick.position) - 8, area.left() - theme.px(6), 16),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const Tick& tick : logTicks(std::pow(10, m_least), std::pow(10, m_most), 6)) {
        const double x = xOf(tick.position);
        paintVLine(painter, x, area.top(), area.height(), theme.grid);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(x - 30, area.bottom() + 3, 60, 16), Qt::AlignCenter, tick.label);
    }
    painter.save();
    painter.setClipRect(area);
    QPainterPath path;
    bool drawing = false;
    for (const QPointF& point : m_course.points) {
        if (!std::isfinite(point.y())) {
            drawing = false;
            continue;
        }
        const QPointF at(xOf(point.x()), yOf(point.y()));
        drawing ? path.lineTo(at) : path.moveTo(at);
        drawing = true;
    }
    painter.setPen(QPen(theme.curve(0), theme.px(2)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.restore();
}

void LrCurve::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    paintFrame(painter, rect(), theme.px(4), theme.field, hasFocus() ? theme.focus : theme.border);
    if (m_course.points.size() < 2) return;
    QColor fill = theme.accent;
    fill.setAlphaF(0.14f);
    painter.fillRect(box(), fill);
    paintCourse(painter, area);
    for (const double x : {box().left(), box().right()}) {
        painter.fillRect(QRectF(x - 1, area.top(), 2, area.height()), theme.accent);
        const qreal half = theme.px(3);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(QRectF(x - half, area.center().y() - theme.px(10), 2 * half, theme.px(20)), half, half);
    }
    if (m_course.suggested > 0) {
        painter.setPen(QPen(theme.text, 1, Qt::DashLine));
        const double x = xOf(m_course.suggested);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setFont(theme.small);
        const QString words = digitsText(m_course.suggested, 2);
        const bool right = x < area.right() - theme.px(48);
        painter.drawText(QRectF(right ? x + 4 : x - 64, area.top(), 60, 16), right ? Qt::AlignLeft : Qt::AlignRight,
                         words);
    }
}

} // namespace trainyard::ui
