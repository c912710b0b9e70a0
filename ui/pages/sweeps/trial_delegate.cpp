// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_delegate.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QRegularExpression>

namespace trainyard::ui {

namespace {

constexpr int kNameLeft = 30; // after the chip

} // namespace

TrialDelegate::TrialDelegate(Workbench& bench, TrialsModel& model, QObject* parent)
    : CellDelegate(false, parent), m_bench(bench), m_model(model) {}

QSize TrialDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (index.column() != TrialsModel::Number) return CellDelegate::sizeHint(option, index);
    const Theme& theme = Theme::current();
    const QFontMetrics metrics(theme.heading);
    const int after = index.row() < m_model.rowCount() && m_model.isBest(index.row()) ? 26 : 8; // the star, or the gap
    return {metrics.horizontalAdvance(index.data().toString()) + theme.px(kNameLeft + after), theme.px(28)};
}

// A status that is cut within its first word is that word.
void TrialDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    CellDelegate::initStyleOption(option, index);
    if (index.column() != m_model.statusColumn()) return;
    const Theme& theme = Theme::current();
    static const QRegularExpression end(QStringLiteral("[ :,]"));
    const QString first = option->text.section(end, 0, 0);
    if (QFontMetrics(theme.body).horizontalAdvance(first + QChar(0x2026)) > option->rect.width() - theme.px(22))
        option->text = first;
}

void TrialDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    if (index.row() >= m_model.rowCount()) return;
    const bool selected = option.state & QStyle::State_Selected;
    if (!selected && m_model.trialAt(index.row()).run->id == m_bench.selection.hovered())
        painter->fillRect(option.rect, Theme::current().hover);
    if (index.column() != TrialsModel::Number) return CellDelegate::paint(painter, option, index);
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
    paintName(*painter, option.rect, index);
}

void TrialDelegate::paintName(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const RunItem& run = *m_model.trialAt(index.row()).run;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto placed = [&](const QRectF& box) { return mirrored(painter.layoutDirection(), cell, box); };
    const QRectF chip(cell.left() + theme.px(13), cell.top() + 1, theme.px(10), cell.height());
    paintRunChip(painter, placed(chip).center(), theme.curve(run.color), m_bench.selection.isSelected(run.id));
    painter.setFont(m_bench.selection.current() == run.id || m_model.isBest(index.row()) ? theme.heading : theme.body);
    painter.setPen(theme.text);
    QRect text = cell.adjusted(theme.px(kNameLeft), 0, 0, 0);
    const QString name = elidedName(painter.fontMetrics(), index.data().toString(), text.width());
    painter.drawText(placed(text), Qt::AlignVCenter, name);
    if (m_model.isBest(index.row())) {
        text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(name) + theme.px(4));
        const double side = theme.px(14);
        paintIcon(painter, QStringLiteral("star-filled"),
                  placed(QRectF(text.left(), text.center().y() + 0.5 - side / 2, side, side)), theme.accentText);
    }
    painter.restore();
}

} // namespace trainyard::ui
