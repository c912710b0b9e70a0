// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/status_chip.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"

#include <QFontMetrics>
#include <QPainter>

namespace trainyard::ui {

namespace {

QFont chipFont() {
    QFont font = Theme::current().small;
    font.setWeight(QFont::Medium);
    return font;
}

} // namespace

int chipWidth(const QString& text, const QString& iconName) {
    const Theme& theme = Theme::current();
    const int icon = iconName.isEmpty() ? 0 : theme.px(16) + theme.px(4);
    return QFontMetrics(chipFont()).horizontalAdvance(text) + icon + 2 * theme.px(6);
}

void paintChip(QPainter& painter, const QRectF& rect, const QString& text, Status status, const QString& iconName) {
    const Theme& theme = Theme::current();
    const StatusColors colors = theme.status(status);
    paintFrame(painter, rect, 4, colors.background, QColor());
    const auto placed = [&](const QRectF& box) { return mirrored(painter.layoutDirection(), rect, box); };
    QRectF inner = rect.adjusted(theme.px(6), 0, 0, 0);
    if (!iconName.isEmpty()) {
        const qreal side = theme.px(16);
        const QRectF icon(inner.left(), rect.center().y() - side / 2, side, side);
        paintIcon(painter, iconName, placed(icon), colors.text);
        inner.setLeft(inner.left() + side + theme.px(4));
    }
    painter.setFont(chipFont());
    painter.setPen(colors.text);
    const QRectF room = inner.adjusted(0, 0, -theme.px(6), 0);
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(text) <= inner.width();
    painter.drawText(placed(inner), Qt::AlignVCenter | Qt::AlignLeft,
                     fits ? text : QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, room.width()));
}

StatusChip::StatusChip(const QString& text, Status status, const QString& iconName, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setChip(text, status, iconName);
}

void StatusChip::setChip(const QString& text, Status status, const QString& iconName) {
    if (text == m_text && status == m_status && iconName == m_icon) return;
    m_text = text;
    m_status = status;
    m_icon = iconName;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize StatusChip::sizeHint() const { return {chipWidth(m_text, m_icon), Theme::current().px(20)}; }

void StatusChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintChip(painter, rect(), m_text, m_status, m_icon);
}

KeyCap::KeyCap(const QString& keys, QWidget* parent) : QWidget(parent), m_keys(keys) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(keys);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void KeyCap::setKeys(const QString& keys) {
    m_keys = keys;
    setAccessibleName(keys);
    setVisible(!keys.isEmpty());
    updateGeometry();
    update();
}

QSize KeyCap::sizeHint() const {
    const Theme& theme = Theme::current();
    return {QFontMetrics(theme.small).horizontalAdvance(m_keys) + 2 * theme.px(5), theme.px(18)};
}

void KeyCap::paintEvent(QPaintEvent*) {
    if (width() < sizeHint().width()) return; // a part of them says nothing
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 3, theme.panel, theme.border);
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    painter.drawText(rect(), Qt::AlignCenter, m_keys);
}

} // namespace trainyard::ui
