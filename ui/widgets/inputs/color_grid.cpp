// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/color_grid.h"

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kCellSide = 28, kCellPitch = 38;

} // namespace

ColorGrid::ColorGrid(const QList<Cell>& cells, int columns, QWidget* parent)
    : QWidget(parent), m_cells(cells), m_columns(columns) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCurrent(0);
}

void ColorGrid::setCells(const QList<Cell>& cells) {
    m_cells = cells;
    setCurrent(m_current);
}

void ColorGrid::setChosen(int cell) {
    m_chosen = cell;
    setCurrent(std::max(cell, 0));
}

QSize ColorGrid::sizeHint() const {
    const int rows = (static_cast<int>(m_cells.size()) + m_columns - 1) / m_columns;
    return {Theme::current().px(m_columns * kCellPitch), Theme::current().px(rows * kCellPitch)};
}

QRect ColorGrid::rectOf(int cell) const {
    const Theme& theme = Theme::current();
    const int pitch = theme.px(kCellPitch), side = theme.px(kCellSide), inset = (pitch - side) / 2;
    return {cell % m_columns * pitch + inset, cell / m_columns * pitch + inset, side, side};
}

int ColorGrid::cellAt(const QPoint& position) const {
    for (int cell = 0; cell < m_cells.size(); ++cell)
        if (rectOf(cell).contains(position)) return cell;
    return -1;
}

void ColorGrid::setCurrent(int cell) {
    m_current = std::clamp(cell, 0, static_cast<int>(m_cells.size()) - 1);
    setAccessibleName(m_cells[m_current].name); // screen readers read it whenever it changes
    update();
}

void ColorGrid::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left: return setCurrent(m_current - 1);
    case Qt::Key_Right: return setCurrent(m_current + 1);
    case Qt::Key_Up: return setCurrent(m_current >= m_columns ? m_current - m_columns : m_current);
    case Qt::Key_Down: return setCurrent(m_current + m_columns < m_cells.size() ? m_current + m_columns : m_current);
    case Qt::Key_Home: return setCurrent(0);
    case Qt::Key_End: return setCurrent(static_cast<int>(m_cells.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return Q_EMIT picked(m_current);
    default: QWidget::keyPressEvent(event);
    }
}

void ColorGrid::mousePressEvent(QMouseEvent* event) {
    const int cell = cellAt(event->pos());
    if (cell < 0 || event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    setCurrent(cell);
    Q_EMIT picked(cell);
}

void ColorGrid::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = cellAt(event->pos());
    update();
}

void ColorGrid::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

bool ColorGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int cell = cellAt(help->pos());
    if (cell < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), m_cells[cell].name, this, rectOf(cell));
    return true;
}

void ColorGrid::paintCell(QPainter& painter, int cell) const {
    const Theme& theme = Theme::current();
    const QRectF box = rectOf(cell);
    const QColor color = m_cells[cell].color;
    const bool light = contrastRatio(color, Qt::black) > contrastRatio(color, Qt::white);
    const QColor ink = light ? QColor(Qt::black) : QColor(Qt::white);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(box, theme.px(5), theme.px(5));
    if (cell == m_chosen) {
        painter.setPen(QPen(ink, theme.px(2), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const qreal side = box.width();
        painter.drawPolyline(QPolygonF{{box.left() + side * 0.28, box.top() + side * 0.52},
                                       {box.left() + side * 0.44, box.top() + side * 0.67},
                                       {box.left() + side * 0.72, box.top() + side * 0.36}});
    } else if (m_cells[cell].isTaken) {
        painter.setBrush(ink);
        painter.drawEllipse(box.center(), theme.px(2), theme.px(2));
    }
    const bool current = cell == m_current && hasFocus();
    if (!current && cell != m_hovered) return;
    const qreal out = theme.px(3);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(current ? theme.focus : theme.borderStrong, theme.px(2)));
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), theme.px(7), theme.px(7));
}

void ColorGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int cell = 0; cell < m_cells.size(); ++cell) paintCell(painter, cell);
}

} // namespace trainyard::ui
