// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/chart_tooltip.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace trainyard::ui {

namespace {

QFont strong() {
    QFont font = Theme::current().small;
    font.setWeight(QFont::DemiBold);
    return font;
}

struct ColumnWidths {
    qreal name = 0, value = 0, raw = 0;
};

ColumnWidths widthsOf(const TooltipContent& content) {
    const Theme& theme = Theme::current();
    ColumnWidths widths;
    for (const TooltipRow& row : content.rows) {
        widths.name = std::max(widths.name, QFontMetricsF(strong()).horizontalAdvance(row.name));
        widths.value = std::max(widths.value, tabularWidth(strong(), row.value));
        widths.raw = std::max(widths.raw, tabularWidth(theme.small, row.raw));
    }
    return widths;
}

} // namespace

ChartTooltip::ChartTooltip(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

QSize ChartTooltip::contentSize() const {
    const Theme& theme = Theme::current();
    const ColumnWidths widths = widthsOf(m_content);
    qreal width = theme.px(16) + widths.name + theme.px(16) + widths.value;
    if (widths.raw > 0) width += theme.px(6) + widths.raw;
    width = std::max(width, tabularWidth(strong(), m_content.heading) + theme.px(16) +
                                tabularWidth(theme.small, m_content.note));
    width = std::max(width, QFontMetricsF(theme.small).horizontalAdvance(m_content.footer));
    const int lines = 1 + static_cast<int>(m_content.rows.size()) + (m_content.more > 0 ? 1 : 0);
    const int footer = m_content.footer.isEmpty() ? 0 : theme.px(9) + theme.px(18);
    return {static_cast<int>(std::ceil(width)) + 2 * theme.px(11), lines * theme.px(18) + footer + 2 * theme.px(9)};
}

void ChartTooltip::showAt(const QPointF& anchor, const TooltipContent& content) {
    m_content = content;
    const QSize size = contentSize();
    constexpr double kGap = 16;
    const QRect window = parentWidget()->rect();
    double x = anchor.x() + kGap;
    if (x + size.width() > window.right() - 8) x = anchor.x() - kGap - size.width();
    const double y =
        std::clamp(anchor.y() - size.height() / 2.0, 8.0, std::max(8.0, window.height() - size.height() - 8.0));
    setGeometry(QRect(QPointF(std::max(x, 8.0), y).toPoint(), size));
    raise();
    show();
    update();
}

void ChartTooltip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), 6, theme.raised, theme.borderStrong);
    const ColumnWidths widths = widthsOf(m_content);
    const qreal height = theme.px(18);
    QRectF line = QRectF(rect()).adjusted(theme.px(11), theme.px(9), -theme.px(11), 0);
    line.setHeight(height);
    painter.setPen(theme.text);
    paintTabular(painter, line, Qt::AlignLeft, strong(), m_content.heading);
    painter.setPen(theme.text3);
    paintTabular(painter, line, Qt::AlignRight, theme.small, m_content.note);
    bool nearest = true;
    for (const TooltipRow& row : m_content.rows) {
        line.translate(0, height);
        const QFont font = nearest ? strong() : theme.small;
        paintRunChip(painter, QPointF(line.left() + theme.px(5), line.center().y()), row.color, true);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(line.adjusted(theme.px(16), 0, 0, 0), Qt::AlignVCenter, row.name);
        QRectF cell = line;
        if (widths.raw > 0) {
            painter.setPen(theme.text3);
            paintTabular(painter, line, Qt::AlignRight, theme.small, row.raw);
            cell.setRight(line.right() - widths.raw - theme.px(6));
        }
        painter.setPen(theme.text);
        paintTabular(painter, cell, Qt::AlignRight, font, row.value);
        nearest = false;
    }
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    if (m_content.more > 0) {
        line.translate(0, height);
        painter.drawText(line.adjusted(theme.px(16), 0, 0, 0), Qt::AlignVCenter, tr("+ %1 more").arg(m_content.more));
    }
    if (!m_content.footer.isEmpty()) {
        line.translate(0, height);
        paintHLine(painter, line.left(), line.top() + theme.px(4), line.width(), theme.border);
        line.translate(0, theme.px(9));
        painter.setPen(theme.text3);
        painter.drawText(line, Qt::AlignVCenter, m_content.footer);
    }
}

} // namespace trainyard::ui
