// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_delegate.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace trainyard::ui {

TrialDelegate::TrialDelegate(Workbench& bench, TrialsModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_bench(bench), m_model(model) {}

QSize TrialDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    return {option.fontMetrics.horizontalAdvance(index.data().toString()) + theme.px(44), theme.px(28)};
}

void TrialDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
    const auto at = static_cast<std::size_t>(index.row());
    if (at >= m_model.trials().size()) return;
    const RunItem& run = *m_model.trials()[at].run;
    const Theme& theme = Theme::current();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintRunChip(*painter, QPointF(option.rect.left() + theme.px(18), option.rect.center().y() + 0.5),
                 theme.curve(run.row.colorIndex), m_bench.selection.isSelected(run.id));
    painter->setFont(m_bench.selection.current() == run.id ? theme.heading : theme.body);
    painter->setPen(theme.text);
    const QRect text = option.rect.adjusted(theme.px(30), 0, 0, 0);
    painter->drawText(text, Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(run.name, Qt::ElideRight, text.width()));
    painter->restore();
}

} // namespace trainyard::ui
