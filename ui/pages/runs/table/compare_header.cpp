// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/compare_header.h"

#include "ui/models/runs/compare_table.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"

#include <QPainter>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kLeastNames = 140, kMostNames = 280;
constexpr int kCellPad = 10, kChipRoom = 18; // beside a run's name
constexpr int kCountGap = 6;                 // before the number of a group's runs

QVariant headerOf(const QHeaderView& header, int section, int role) {
    return header.model()->headerData(section, header.orientation(), role);
}

// What the number of a group's runs takes, with its gap.
int countRoom(const QHeaderView& header, int section) {
    const Theme& theme = Theme::current();
    const QString count = headerOf(header, section, CompareTable::CountRole).toString();
    return count.isEmpty() ? 0 : QFontMetrics(theme.small).horizontalAdvance(count) + theme.px(kCountGap);
}

void seeThrough(QHeaderView& header) {
    header.setProperty("seeThrough", true); // shows the card below
    header.setAutoFillBackground(false);
    header.viewport()->setAutoFillBackground(false);
    header.setSectionsClickable(true);
    header.setHighlightSections(false);
}

} // namespace

ComparedRunsHeader::ComparedRunsHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    const Theme& theme = Theme::current();
    seeThrough(*this);
    setFixedHeight(theme.px(32));
    setMinimumSectionSize(theme.px(32));
    setSectionResizeMode(QHeaderView::Interactive);
}

QSize ComparedRunsHeader::sectionSizeFromContents(int section) const {
    const Theme& theme = Theme::current();
    // Any of them may become the baseline, whose name is bold.
    const int name =
        QFontMetrics(theme.heading).horizontalAdvance(headerOf(*this, section, Qt::DisplayRole).toString());
    return {name + countRoom(*this, section) + theme.px(kChipRoom + 2 * kCellPad + 2), height()};
}

void ComparedRunsHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const Theme& theme = Theme::current();
    const bool isBaseline = headerOf(*this, section, CompareTable::IsBaselineRole).toBool();
    const QString name = headerOf(*this, section, Qt::DisplayRole).toString();
    QRect room = rect.adjusted(theme.px(kCellPad), 0, -theme.px(kCellPad), 0);
    painter->save();
    painter->setFont(theme.small);
    painter->setPen(theme.text2);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight,
                      headerOf(*this, section, CompareTable::CountRole).toString());
    room.setRight(room.right() - countRoom(*this, section));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.border);
    if (isBaseline) painter->fillRect(rect.left(), rect.bottom() - 1, rect.width(), 2, theme.accent);
    painter->setFont(isBaseline ? theme.heading : theme.medium);
    const QFontMetrics metrics = painter->fontMetrics();
    const QString text = elidedName(metrics, name, room.width() - theme.px(kChipRoom));
    const int left = room.right() + 1 - metrics.horizontalAdvance(text);
    painter->setPen(theme.text);
    painter->drawText(QRect(left, room.top(), room.right() + 1 - left, room.height()), Qt::AlignVCenter, text);
    painter->setRenderHint(QPainter::Antialiasing);
    paintRunChip(*painter, QPointF(left - theme.px(11), rect.center().y() + 0.5),
                 headerOf(*this, section, CompareTable::ColorRole).value<QColor>(), true);
    painter->restore();
}

ComparedNamesHeader::ComparedNamesHeader(QWidget* parent) : QHeaderView(Qt::Vertical, parent) {
    const Theme& theme = Theme::current();
    seeThrough(*this);
    setMinimumSectionSize(theme.px(20));
    setDefaultSectionSize(theme.px(28));
    setSectionResizeMode(QHeaderView::Fixed);
}

void ComparedNamesHeader::fitNames() {
    const Theme& theme = Theme::current();
    const QFontMetrics metrics(theme.body);
    int widest = 0;
    for (int row = 0; row < count(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(headerOf(*this, row, Qt::DisplayRole).toString()));
    setFixedWidth(std::clamp(widest + theme.px(28), theme.px(kLeastNames), theme.px(kMostNames)));
}

void ComparedNamesHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    const Theme& theme = Theme::current();
    const bool isPart = headerOf(*this, section, CompareTable::IsPartRole).toBool();
    QRect room = rect.adjusted(theme.px(12), 0, -theme.px(6), 0);
    painter->save();
    if (isPart) {
        const bool folded = headerOf(*this, section, CompareTable::IsFoldedRole).toBool();
        const QRectF arrow =
            centered(QRectF(room.left() - theme.px(3), rect.top(), theme.px(14), rect.height()), theme.px(14));
        paintIcon(*painter, folded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"), arrow,
                  theme.text2);
        room.setLeft(room.left() + theme.px(16));
    }
    painter->setFont(isPart ? theme.heading : theme.body);
    painter->setPen(isPart ? theme.text : theme.text2);
    painter->drawText(
        room, Qt::AlignVCenter,
        elidedName(painter->fontMetrics(), headerOf(*this, section, Qt::DisplayRole).toString(), room.width()));
    painter->fillRect(rect.right(), rect.top(), 1, rect.height(), theme.border); // ends what stays in sight
    painter->restore();
}

} // namespace trainyard::ui
