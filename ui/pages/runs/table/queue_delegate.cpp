// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/queue_delegate.h"

#include "ui/models/runs/queue_model.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QPainter>

namespace trainyard::ui {

namespace {

constexpr int kEntryHeight = 44, kEntryText = 34; // height of an entry; left edge of its text

} // namespace

QSize QueueDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {Theme::current().px(200), Theme::current().px(kEntryHeight)};
}

void QueueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const QRect& rect = option.rect;
    const bool refused = index.data(QueueModel::RefusedRole).toBool();
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (chosen) {
        painter->fillRect(rect, option.state & QStyle::State_HasFocus || (option.widget && option.widget->hasFocus())
                                    ? theme.selection
                                    : theme.selectionInactive);
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(rect, theme.hover);
    }
    const int half = rect.height() / 2;
    const QRect upper(rect.left(), rect.top() + theme.px(3), rect.width() - theme.px(8), half - theme.px(3));
    const QRect lower(rect.left(), rect.top() + half, rect.width() - theme.px(8), half - theme.px(3));
    const auto placed = [&](const QRectF& box) { return mirrored(option.direction, rect, box); };
    const QRectF mark = placed(QRectF(upper.left(), upper.top(), theme.px(kEntryText - 8), upper.height()));
    if (refused) {
        const qreal side = theme.px(14);
        paintIcon(*painter, QStringLiteral("error"),
                  mirrored(option.direction, mark,
                           QRectF(mark.right() - side, mark.center().y() - side / 2 + 0.5, side, side)),
                  theme.error);
    } else {
        painter->setPen(chosen ? theme.text2 : theme.text3);
        paintTabular(*painter, mark, Qt::AlignRight | Qt::AlignVCenter, theme.body,
                     index.data(QueueModel::PlaceRole).toString());
    }
    const auto write = [&](const QRect& line, const QFont& font, const QColor& color, const QString& text) {
        const QRect words = line.adjusted(theme.px(kEntryText), 0, 0, 0);
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(placed(words), Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, words.width()));
    };
    write(upper, theme.body, theme.text, index.data(Qt::DisplayRole).toString());
    write(lower, theme.small, refused ? theme.error : theme.text2, index.data(QueueModel::ReasonRole).toString());
    painter->restore();
}

} // namespace trainyard::ui
