// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sheets/checklist.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace trainyard::ui {

namespace {

struct StepLook {
    QString icon;
    QColor color;
};

StepLook lookOf(StepState state) {
    const Theme& theme = Theme::current();
    switch (state) {
    case StepState::Done: return {QStringLiteral("check"), theme.success};
    case StepState::Running: return {QStringLiteral("clock"), theme.text2};
    case StepState::Failed: return {QStringLiteral("error"), theme.error};
    case StepState::Waiting: break;
    }
    return {QStringLiteral("clock"), theme.text3};
}

} // namespace

Checklist::Checklist(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void Checklist::setSteps(const QList<ChecklistStep>& steps) {
    if (steps == m_steps) return;
    m_steps = steps;
    QStringList spoken;
    for (const ChecklistStep& step : steps) spoken << step.text + QLatin1Char(' ') + step.note;
    setAccessibleName(spoken.join(QLatin1String(", ")));
    updateGeometry();
    update();
}

QSize Checklist::sizeHint() const {
    const Theme& theme = Theme::current();
    const int rows = static_cast<int>(m_steps.size());
    return {theme.px(280), std::max(0, rows * theme.px(26) - theme.px(2))};
}

QSize Checklist::minimumSizeHint() const { return {Theme::current().px(160), sizeHint().height()}; }

void Checklist::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    qreal y = 0;
    for (const ChecklistStep& step : m_steps) {
        const QRectF row(0, y, width(), theme.px(24));
        const qreal side = theme.px(16);
        const StepLook look = lookOf(step.state);
        paintIcon(painter, look.icon,
                  mirrored(layoutDirection(), row, QRectF(0, y + (row.height() - side) / 2, side, side)), look.color);
        const qreal noteWidth = tabularWidth(theme.small, step.note);
        painter.setFont(theme.body);
        painter.setPen(step.state == StepState::Waiting ? theme.text3 : theme.text);
        const QRectF text =
            mirrored(layoutDirection(), row, row.adjusted(theme.px(24), 0, -noteWidth - theme.px(8), 0));
        painter.drawText(
            text, Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetrics(theme.body).elidedText(step.text, Qt::ElideRight, static_cast<int>(text.width())));
        painter.setPen(step.state == StepState::Failed ? theme.error : theme.text3);
        paintTabular(painter, row, Qt::AlignRight, theme.small, step.note);
        y += theme.px(26);
    }
}

} // namespace trainyard::ui
