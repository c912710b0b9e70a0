// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/bars.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

void paintBar(QPainter& painter, const QRectF& rect, double share, const QColor& color, const QColor& track) {
    const qreal radius = rect.height() / 2;
    paintFrame(painter, rect, radius, track, QColor());
    const double known = std::isfinite(share) ? share : 0;
    QRectF done = rect;
    done.setWidth(known < 0 ? rect.width() / 4 : rect.width() * std::min(known, 1.0));
    if (done.width() > 0) {
        done.setWidth(std::max(done.width(), std::min(rect.height(), rect.width())));
        paintFrame(painter, done, radius, color, QColor());
    }
}

MiniBar::MiniBar(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

void MiniBar::setValue(double share, const QColor& color) {
    m_share = std::max(share, 0.0);
    m_color = color;
    setAccessibleName(tr("%1%").arg(std::lround(m_share * 100)));
    update();
}

QSize MiniBar::sizeHint() const { return {Theme::current().px(32), Theme::current().px(4)}; }

void MiniBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintBar(painter, rect(), m_share, m_color.isValid() ? m_color : theme.text3, theme.border);
}

ProgressLine::ProgressLine(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProgressLine::setValue(double share, const QColor& color) {
    if (share == m_share && color == m_color) return;
    m_share = share;
    m_color = color;
    setAccessibleName(share < 0 ? tr("In progress") : tr("%1% done").arg(std::lround(share * 100)));
    update();
}

QSize ProgressLine::sizeHint() const { return {Theme::current().px(120), Theme::current().px(6)}; }

void ProgressLine::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintBar(painter, rect(), m_share, m_color.isValid() ? m_color : theme.text2, theme.track);
}

} // namespace trainyard::ui
