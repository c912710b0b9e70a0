// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_plot.h"

#include "ui/models/format.h"
#include "ui/plots/axis_ticks.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace trainyard::ui {

ScatterPlot::ScatterPlot(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setMinimumSize(200, 140);
    setAccessibleName(tr("Score by parameter"));
}

void ScatterPlot::setDots(const QList<Dot>& dots, const QString& xTitle, const QString& yTitle) {
    m_dots = dots;
    m_xTitle = xTitle;
    m_yTitle = yTitle;
    QStringList spoken;
    for (const Dot& dot : dots) spoken << tr("%1: %2 at %3").arg(dot.name, metricText(dot.y)).arg(dot.x);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    measure();
}

void ScatterPlot::setLog(bool on) {
    m_log = on;
    measure();
}

void ScatterPlot::setHovered(const QString& run) {
    m_hovered = run;
    update();
}

void ScatterPlot::measure() {
    m_xLow = m_yLow = std::numeric_limits<double>::infinity();
    m_xHigh = m_yHigh = -std::numeric_limits<double>::infinity();
    for (const Dot& dot : m_dots) {
        if (!shown(dot)) continue;
        const double x = m_log ? std::log10(dot.x) : dot.x;
        m_xLow = std::min(m_xLow, x);
        m_xHigh = std::max(m_xHigh, x);
        m_yLow = std::min(m_yLow, dot.y);
        m_yHigh = std::max(m_yHigh, dot.y);
    }
    if (!(m_xHigh >= m_xLow)) m_xLow = 0, m_xHigh = 1, m_yLow = 0, m_yHigh = 1;
    const double xPad = std::max((m_xHigh - m_xLow) * 0.08, m_log ? 0.1 : std::abs(m_xHigh) * 0.1 + 1e-9);
    const double yPad = std::max((m_yHigh - m_yLow) * 0.12, std::abs(m_yHigh) * 0.004 + 1e-9);
    m_xLow -= xPad;
    m_xHigh += xPad;
    m_yLow -= yPad;
    m_yHigh += yPad;
    update();
}

bool ScatterPlot::shown(const Dot& dot) const {
    return std::isfinite(dot.x) && std::isfinite(dot.y) && (!m_log || dot.x > 0);
}

QRectF ScatterPlot::plot() const {
    const Theme& theme = Theme::current();
    return QRectF(rect()).adjusted(theme.px(52), theme.px(6), -theme.px(16), -theme.px(26));
}

QPointF ScatterPlot::toPixel(const Dot& dot) const {
    const QRectF box = plot();
    const double x = m_log ? std::log10(dot.x) : dot.x;
    return {box.left() + (x - m_xLow) / (m_xHigh - m_xLow) * box.width(),
            box.bottom() - (dot.y - m_yLow) / (m_yHigh - m_yLow) * box.height()};
}

const ScatterPlot::Dot* ScatterPlot::at(const QPointF& position) const {
    const Dot* nearest = nullptr;
    double best = 14 * 14;
    for (const Dot& dot : m_dots) {
        const QPointF off = toPixel(dot) - position;
        const double distance = QPointF::dotProduct(off, off);
        if (shown(dot) && distance < best) {
            best = distance;
            nearest = &dot;
        }
    }
    return nearest;
}

void ScatterPlot::paintAxes(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF box = plot();
    painter.setFont(theme.small);
    const auto xTicks =
        m_log ? logTicks(std::pow(10.0, m_xLow), std::pow(10.0, m_xHigh), 5) : linearTicks(m_xLow, m_xHigh, 5);
    for (const Tick& tick : xTicks) {
        const double place = m_log ? std::log10(tick.position) : tick.position;
        const qreal x = box.left() + (place - m_xLow) / (m_xHigh - m_xLow) * box.width();
        paintVLine(painter, x, box.top(), box.height(), theme.grid);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(x - 40, box.bottom() + 4, 80, 16), Qt::AlignHCenter, tick.label);
    }
    for (const Tick& tick : linearTicks(m_yLow, m_yHigh, 4)) {
        const qreal y = box.bottom() - (tick.position - m_yLow) / (m_yHigh - m_yLow) * box.height();
        paintHLine(painter, box.left(), y, box.width(), theme.grid);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(0, y - 8, box.left() - 8, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    paintHLine(painter, box.left(), box.bottom(), box.width(), theme.axis);
}

void ScatterPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    int waiting = 0;
    for (const Dot& dot : m_dots) {
        if (!shown(dot)) {
            ++waiting;
            continue;
        }
        const QPointF at = toPixel(dot);
        const bool strong = dot.best || dot.run == m_hovered;
        painter.setPen(QPen(theme.card, 1.5));
        painter.setBrush(m_hovered.isEmpty() || strong ? dot.color : mix(theme.card, dot.color, 0.45));
        painter.drawEllipse(at, strong ? 6.5 : 5.0, strong ? 6.5 : 5.0);
    }
    if (waiting > 0) {
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        painter.drawText(plot().adjusted(0, 0, -4, -4), Qt::AlignRight | Qt::AlignBottom,
                         tr("%n trials without a score yet", nullptr, waiting));
    }
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
    const Dot* dot = at(event->position());
    Q_EMIT hovered(dot ? dot->run : QString());
    if (dot) {
        QToolTip::showText(event->globalPosition().toPoint(),
                           tr("%1\n%2 %3\n%4 %5").arg(dot->name, m_xTitle).arg(dot->x).arg(m_yTitle, exactText(dot->y)),
                           this);
    } else {
        QToolTip::hideText();
    }
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
    if (const Dot* dot = at(event->position())) Q_EMIT chosen(dot->run);
}

void ScatterPlot::leaveEvent(QEvent*) { Q_EMIT hovered(QString()); }

} // namespace trainyard::ui
