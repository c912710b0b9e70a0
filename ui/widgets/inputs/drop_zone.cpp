// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/drop_zone.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

DropZone::DropZone(const QString& prompt, QWidget* parent) : QWidget(parent), m_prompt(prompt) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Sample"));
    setAccessibleDescription(prompt);
}

void DropZone::setPrompt(const QString& prompt) {
    m_prompt = prompt;
    update();
}

void DropZone::setIcon(const QString& name) {
    m_icon = name;
    update();
}

void DropZone::setContent(const QImage& image, const QString& text) {
    m_image = image;
    m_text = text;
    setAccessibleDescription(image.isNull() && text.isEmpty() ? m_prompt : text);
    update();
}

void DropZone::setInviting(bool inviting) {
    m_inviting = inviting;
    update();
}

QSize DropZone::sizeHint() const {
    const int side = Theme::current().px(100);
    return {side, side};
}

void DropZone::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_inviting ? theme.focus : theme.borderStrong, m_inviting ? 2 : 1, Qt::DashLine));
    painter.setBrush(m_inviting ? theme.selection : Qt::transparent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme.px(4), theme.px(4));
    const QRectF inner = QRectF(rect()).adjusted(theme.px(8), theme.px(8), -theme.px(8), -theme.px(8));
    if (!m_image.isNull() && !m_inviting) return paintSample(painter, inner, m_image);
    const bool words = !m_text.isEmpty() && !m_inviting;
    painter.setFont(theme.small);
    painter.setPen(words ? theme.text : theme.text3);
    if (!words && !m_icon.isEmpty())
        paintIcon(painter, m_icon, centered(inner, theme.px(24)).translated(0, -theme.px(28)), theme.text3);
    painter.drawText(inner,
                     (words ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignCenter) |
                         int(words ? Qt::TextWrapAnywhere : Qt::TextWordWrap),
                     words ? m_text : m_prompt);
}

void paintSample(QPainter& painter, const QRectF& area, const QImage& image) {
    if (image.isNull()) return;
    const double fits = std::min(area.width() / image.width(), area.height() / image.height());
    const double scale = fits >= 1 ? std::floor(fits) : fits;
    QRectF place(QPointF(), QSizeF(image.size()) * scale);
    place.moveCenter(area.center());
    place.moveTopLeft(QPointF(std::round(place.left()), std::round(place.top())));
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, fits < 1);
    painter.drawImage(place, image);
    painter.restore();
}

} // namespace trainyard::ui
