// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/service_delegate.h"

#include "ui/models/serve/service_list.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/marks/status_chip.h"

#include <QPainter>
#include <QWidget>

namespace trainyard::ui {

namespace {

constexpr int kServiceHeight = 72, kServiceEdge = 16, kChipHeight = 20;

} // namespace

QSize ServiceDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {Theme::current().px(200), Theme::current().px(kServiceHeight)};
}

void ServiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const QRect& rect = option.rect;
    const bool chosen = (option.state & QStyle::State_Selected) != 0;
    const auto right = option.direction;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (chosen) {
        painter->fillRect(rect, option.widget && option.widget->hasFocus() ? theme.selection : theme.selectionInactive);
        painter->fillRect(mirrored(right, rect, QRectF(rect.left(), rect.top(), 2, rect.height())), theme.accent);
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(rect, theme.hover);
    }
    const int edge = theme.px(kServiceEdge), width = rect.width() - 2 * edge;
    const QString state = index.data(ServiceList::StateRole).toString();
    const int chip = chipWidth(state, {});
    const auto write = [&](int top, int height, int room, const QFont& font, const QColor& color, const QString& text,
                           Qt::TextElideMode elide) {
        const QRectF line = mirrored(right, rect, QRectF(rect.left() + edge, rect.top() + top, room, height));
        painter->setPen(color);
        paintTabular(*painter, line, Qt::AlignLeft | Qt::AlignVCenter, font,
                     QFontMetrics(font).elidedText(text, elide, room));
    };
    QFont name = theme.body;
    if (chosen) name = theme.heading;
    write(theme.px(8), theme.px(20), width - chip - theme.px(8), name, theme.text, index.data().toString(),
          Qt::ElideMiddle);
    paintChip(
        *painter,
        mirrored(right, rect,
                 QRectF(rect.left() + edge + width - chip, rect.top() + theme.px(8), chip, theme.px(kChipHeight))),
        state, static_cast<Status>(index.data(ServiceList::TintRole).toInt()), {});
    write(theme.px(29), theme.px(16), width, theme.small, theme.text2, index.data(ServiceList::AddressRole).toString(),
          Qt::ElideMiddle);
    const bool failed = index.data(ServiceList::FailedRole).toBool();
    write(theme.px(47), theme.px(16), width, theme.small, failed ? theme.error : theme.text2,
          index.data(ServiceList::FiguresRole).toString(), Qt::ElideRight);
    painter->restore();
}

} // namespace trainyard::ui
