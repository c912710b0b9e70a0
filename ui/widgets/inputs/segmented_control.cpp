// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/segmented_control.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard::ui {

namespace {

QFont segmentFont() {
    QFont font = Theme::current().small;
    font.setWeight(QFont::Medium);
    return font;
}

} // namespace

SegmentedControl::SegmentedControl(const QStringList& items, QWidget* parent) : QWidget(parent), m_items(items) {
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(items.join(QLatin1String(", ")));
    setAccessibleDescription(items.value(0));
}

void SegmentedControl::setItem(int index, const QString& text) {
    if (m_items.value(index) == text) return;
    m_items[index] = text;
    if (index == m_current) setAccessibleDescription(text);
    updateGeometry();
    update();
}

void SegmentedControl::setCompact() {
    m_padding = 6;
    updateGeometry();
    update();
}

void SegmentedControl::setFilling() {
    m_padding = 4;
    m_fills = true;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SegmentedControl::setCurrentIndex(int index) {
    if (index == m_current || index < 0 || index >= m_items.size()) return;
    m_current = index;
    setAccessibleDescription(m_items.at(index));
    QAccessibleValueChangeEvent told(this, m_items.at(index));
    QAccessible::updateAccessibility(&told);
    update();
    Q_EMIT currentIndexChanged(index);
}

int SegmentedControl::itemWidth(int index) const {
    return QFontMetrics(segmentFont()).horizontalAdvance(m_items.at(index)) + 2 * Theme::current().px(m_padding);
}

QRectF SegmentedControl::itemRect(int index) const {
    int x = 2;
    for (int i = 0; i < index; ++i) x += itemWidth(i);
    const int spare = m_fills ? std::max(0, width() - sizeHint().width()) : 0, count = static_cast<int>(m_items.size());
    const int before = spare * index / count, after = spare * (index + 1) / count;
    return mirrored(layoutDirection(), rect(), QRectF(x + before, 2, itemWidth(index) + after - before, height() - 4));
}

int SegmentedControl::itemAt(const QPointF& position) const {
    for (int i = 0; i < m_items.size(); ++i)
        if (itemRect(i).contains(position)) return i;
    return -1;
}

QSize SegmentedControl::sizeHint() const {
    int width = 4;
    for (int i = 0; i < m_items.size(); ++i) width += itemWidth(i);
    return {width, Theme::current().px(28)};
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 4, theme.track, theme.border);
    painter.setFont(segmentFont());
    for (int i = 0; i < m_items.size(); ++i) {
        const QRectF box = itemRect(i);
        const bool on = i == m_current;
        if (on) paintFrame(painter, box, 3, isEnabled() ? theme.segOn : theme.window, theme.segBd);
        const bool lit = on || i == m_hovered;
        painter.setPen(!isEnabled() || !isAvailable(i) ? theme.text3 : lit ? theme.text : theme.text2);
        painter.drawText(box, Qt::AlignCenter, m_items.at(i));
    }
}

void SegmentedControl::mousePressEvent(QMouseEvent* event) {
    const int index = itemAt(event->position());
    if (event->button() == Qt::LeftButton && isAvailable(index)) setCurrentIndex(index);
}

void SegmentedControl::mouseMoveEvent(QMouseEvent* event) {
    const int index = itemAt(event->position());
    if (index != m_hovered) {
        m_hovered = index;
        update();
    }
}

void SegmentedControl::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

// Skips unavailable choices; at the end, the choice stays.
void SegmentedControl::chooseFrom(int index, int step) {
    while (index >= 0 && index < m_items.size() && !isAvailable(index)) index += step;
    setCurrentIndex(index);
}

void SegmentedControl::setUnavailable(int index, const QString& why) {
    if (m_unavailable.value(index) == why) return;
    m_unavailable[index] = why;
    update();
}

bool SegmentedControl::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QString why = m_unavailable.value(itemAt(help->pos()));
    if (why.isEmpty()) return QWidget::event(event);
    QToolTip::showText(help->globalPos(), why, this);
    return true;
}

void SegmentedControl::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_items.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int step = (event->key() == Qt::Key_Right) == isLeftToRight() ? 1 : -1;
        return chooseFrom(m_current + step, step);
    }
    case Qt::Key_Home: chooseFrom(0, 1); return;
    case Qt::Key_End: chooseFrom(last, -1); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard::ui
