// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/plot_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace trainyard::ui {

namespace {

constexpr double kClickReach = 4; // pixels a press may move and still be a click
constexpr double kBoxHeight = 20; // a flatter drag zooms in x only
constexpr int kDotRoom = 5;       // pixels from the centre of a crosshair's dot to just outside its edge
constexpr double kWheelStep = 0.85;
constexpr double kKeyStep = 0.8;
constexpr double kKeyMove = 0.1;

} // namespace

bool PlotDrag::isDrag() const { return pressed && (at - from).manhattanLength() > kClickReach; }

bool PlotDrag::isFlat() const { return std::abs(at.y() - from.y()) < kBoxHeight; }

QRectF PlotDrag::box(const QRectF& area) const {
    QRectF box = QRectF(from, at).normalized().intersected(area);
    if (isFlat()) {
        box.setTop(area.top());
        box.setBottom(area.bottom());
    }
    return box;
}

PlotCanvas::PlotCanvas(QWidget* parent)
    : QWidget(parent), m_plot(this, Theme::current(), [this](QPainter& painter) { paintOverlay(painter); }) {
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    setLayoutDirection(Qt::LeftToRight); // axes run as mathematics writes them, in every language
}

void PlotCanvas::setCrosshair(double x, const std::vector<CrosshairDot>& dots) {
    const bool sameX = (std::isnan(x) && std::isnan(m_crosshair)) || (x <= m_crosshair && x >= m_crosshair);
    if (sameX && dots == m_dots) return;
    m_crosshair = x;
    m_dots = dots;
    m_plot.repaintOverlay();
}

void PlotCanvas::paintOverlay(QPainter& painter) const {
    if (m_drag.isDrag() && !m_drag.panning && m_dragUse == DragUse::Zoom) paintZoomBox(painter);
    else if (!std::isnan(m_crosshair) && !m_handle.isHeld()) paintCrosshair(painter);
    m_handle.paint(painter, frame());
}

void PlotCanvas::showHandle(const QPointF& at, const QColor& color) {
    PlotHandle handle = m_handle;
    handle.show(at, color);
    setHandle(handle);
}

void PlotCanvas::hideHandle() {
    PlotHandle handle = m_handle;
    handle.hide();
    setHandle(handle);
}

// While following a training run, most of the plot stays. With other axes, everything is repainted anyway.
void PlotCanvas::setHandle(const PlotHandle& handle) {
    if (handle == m_handle) return;
    const PlotFrame shown = frame();
    m_plot.repaintOverlay(m_handle.box(shown) | handle.box(shown));
    m_handle = handle;
}

void PlotCanvas::resizeEvent(QResizeEvent*) { m_plot.resize(size()); }

void PlotCanvas::paintZoomBox(QPainter& painter) const {
    const Theme& theme = Theme::current();
    QColor fill = theme.accent;
    fill.setAlphaF(0.08F);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(m_drag.box(plotRect()).adjusted(0, 0, -1, -1).toRect());
}

void PlotCanvas::paintCrosshair(QPainter& painter) const {
    const PlotFrame at = frame();
    const double x = at.x.toPixel(m_crosshair);
    if (x < at.area.left() - 0.5 || x > at.area.right() + 0.5) return;
    QPen dash(at.theme.text3, 1);
    dash.setDashPattern({3, 3});
    painter.setPen(dash);
    painter.drawLine(QLineF(std::floor(x), at.area.top(), std::floor(x), at.area.bottom()));
    painter.setClipRect(at.area.adjusted(-4, -4, 4, 4));
    const double ratio = painter.device()->devicePixelRatioF();
    for (const CrosshairDot& dot : m_dots) {
        const QPointF pixel = at.toPixel(dot.x, dot.y);
        if (!at.shows(pixel)) continue;
        painter.drawPixmap(pixel.toPoint() - QPoint(kDotRoom, kDotRoom), dotOf(dot.color, at.theme, ratio));
    }
}

// A picture, because a hundred ellipses would take longer than the rest of the frame.
const QPixmap& PlotCanvas::dotOf(const QColor& color, const Theme& theme, double ratio) const {
    QPixmap& picture = m_dotPictures[{color.rgb(), theme.card.rgb(), static_cast<QRgb>(ratio * 100)}];
    if (!picture.isNull()) return picture;
    picture = QPixmap((QSizeF(2 * kDotRoom, 2 * kDotRoom) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, 2));
    painter.setBrush(theme.card);
    painter.drawEllipse(QPointF(kDotRoom, kDotRoom), 3.5, 3.5);
    return picture;
}

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_handle.grab(event->position(), frame())) {
        m_plot.repaintOverlay();
        Q_EMIT handleGrabbed();
        return;
    }
    const bool pan = event->button() == Qt::MiddleButton && m_dragUse == DragUse::Zoom;
    if (event->button() == Qt::LeftButton || pan) m_drag = {true, pan, event->position(), event->position()};
    else QWidget::mousePressEvent(event);
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_handle.isHeld() && event->buttons() & Qt::LeftButton) {
        m_handle.dragTo(event->position(), frame());
        m_plot.repaintOverlay();
        return;
    }
    if (m_handle.isShown() && m_handle.isNear(event->position(), frame())) setCursor(Qt::SizeVerCursor);
    else unsetCursor();
    const QPointF previous = m_drag.at;
    m_drag.at = event->position();
    const QRectF area = plotRect();
    if (m_drag.panning) requestX(shifted(scene().x.range, (previous.x() - m_drag.at.x()) / area.width()));
    else if (m_drag.isDrag() && m_dragUse == DragUse::Report)
        Q_EMIT dragged(m_drag.from, m_drag.at, event->modifiers() & Qt::ShiftModifier, false);
    else if (m_drag.pressed) m_plot.repaintOverlay();
    else if (area.adjusted(-1, 0, 1, 0).contains(m_drag.at))
        Q_EMIT hovered(frame().x.toValue(m_drag.at.x()), m_drag.at);
    else Q_EMIT left();
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_handle.isHeld() && event->button() == Qt::LeftButton) return releaseHandle();
    const PlotDrag drag = m_drag;
    m_drag.pressed = m_drag.panning = false;
    m_plot.repaintOverlay();
    if (!drag.pressed || drag.panning) return;
    const PlotFrame at = frame();
    const QRectF box = drag.box(at.area);
    if (!drag.isDrag()) {
        Q_EMIT clicked(event->position());
    } else if (m_dragUse == DragUse::Report) {
        Q_EMIT dragged(drag.from, event->position(), event->modifiers() & Qt::ShiftModifier, true);
    } else if (box.width() > kClickReach) {
        if (!drag.isFlat()) Q_EMIT yRangeRequested(at.y.toValue(box.bottom()), at.y.toValue(box.top()));
        Q_EMIT xRangeRequested(at.x.toValue(box.left()), at.x.toValue(box.right()));
    }
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent*) {
    m_drag.pressed = m_drag.panning = false;
    Q_EMIT fitRequested();
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    // With Shift, some platforms make the wheel horizontal.
    const QPoint delta = event->angleDelta();
    const int turn = delta.y() != 0 ? delta.y() : delta.x();
    const QRectF area = plotRect();
    const QPointF at = event->position();
    const bool isOfPage = m_isWheelOfPage && !(event->modifiers() & Qt::ControlModifier);
    if (turn == 0 || isOfPage || m_dragUse == DragUse::Report || !area.adjusted(-60, 0, 12, 30).contains(at)) {
        event->ignore(); // the page scrolls
        return;
    }
    const double factor = std::pow(kWheelStep, turn / 120.0);
    if (event->modifiers() & Qt::ShiftModifier)
        requestY(zoomed(scene().y.range, std::clamp((area.bottom() - at.y()) / area.height(), 0.0, 1.0), factor));
    else requestX(zoomed(scene().x.range, std::clamp((at.x() - area.left()) / area.width(), 0.0, 1.0), factor));
}

void PlotCanvas::leaveEvent(QEvent*) { Q_EMIT left(); }

void PlotCanvas::releaseHandle() {
    const auto value = m_handle.release();
    m_plot.repaintOverlay();
    if (value) Q_EMIT handleSet(*value);
}

void PlotCanvas::dropHandle() {
    m_handle.cancel();
    m_plot.repaintOverlay();
}

bool PlotCanvas::takeHandleKey(const QKeyEvent& event) {
    const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
    if ((up || down) && event.modifiers() == Qt::ControlModifier && m_handle.isShown()) {
        m_handle.nudge(up ? 1 : -1);
        m_plot.repaintOverlay();
        return true;
    }
    if (!m_handle.isHeld()) return false;
    if (event.key() == Qt::Key_Escape) dropHandle();
    else if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) releaseHandle();
    else return false;
    return true;
}

bool PlotCanvas::takeKey(const QKeyEvent& event) {
    if (takeHandleKey(event)) return true;
    const AxisRange& x = scene().x.range;
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
    case Qt::Key_Left: requestX(shifted(x, -kKeyMove)); return true;
    case Qt::Key_Right: requestX(shifted(x, kKeyMove)); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: requestX(zoomed(x, 0.5, kKeyStep)); return true;
    case Qt::Key_Minus: requestX(zoomed(x, 0.5, 1 / kKeyStep)); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!shift) return false;
        requestY(zoomed(scene().y.range, 0.5, event.key() == Qt::Key_Up ? kKeyStep : 1 / kKeyStep));
        return true;
    case Qt::Key_Home: Q_EMIT fitRequested(); return true;
    default: return false;
    }
}

} // namespace trainyard::ui
