// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/marks/cell_delegate.h"

#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>

namespace trainyard::ui {

CellDelegate::CellDelegate(bool mono, QObject* parent) : QStyledItemDelegate(parent), m_mono(mono) {}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = std::exchange(cell.text, QString());
    if (cell.backgroundBrush.style() != Qt::NoBrush) painter->fillRect(option.rect, cell.backgroundBrush);
    cell.widget->style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const Theme& theme = Theme::current();
    QRect rect = option.rect.adjusted(theme.px(12), 0, -theme.px(10), 0);
    if (cell.features.testFlag(QStyleOptionViewItem::HasCheckIndicator))
        rect.setLeft(
            cell.widget->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &cell, cell.widget).right() +
            theme.px(8));
    const QVariant own = index.data(Qt::FontRole);
    const QFont font = own.isValid() ? own.value<QFont>() : m_mono ? theme.mono : theme.body;
    const QVariant color = index.data(Qt::ForegroundRole);
    painter->setPen(color.isValid() ? color.value<QColor>() : theme.text);
    // A sentence says the most at its beginning, a name may differ at its end.
    const auto mode = text.contains(QLatin1Char(' ')) ? Qt::ElideRight : Qt::ElideMiddle;
    const QString shown = QFontMetrics(font).elidedText(text, mode, rect.width() + 4);
    paintTabular(*painter, rect, cell.displayAlignment | Qt::AlignVCenter, font, shown);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const QVariant own = index.data(Qt::FontRole);
    const QFontMetrics metrics(own.isValid() ? own.value<QFont>() : m_mono ? theme.mono : theme.body);
    Q_UNUSED(option)
    return {metrics.horizontalAdvance(index.data().toString()) + theme.px(24), theme.px(28)};
}

QTableView* plainTable(QAbstractItemModel* model, const QString& accessibleName) {
    const Theme& theme = Theme::current();
    auto* view = new QTableView;
    view->setModel(model);
    view->setItemDelegate(new CellDelegate(false, view));
    view->setAccessibleName(accessibleName);
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setTabKeyNavigation(false);
    view->viewport()->setAutoFillBackground(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setMinimumSectionSize(theme.px(20));
    view->verticalHeader()->setDefaultSectionSize(theme.px(28));
    auto* header = view->horizontalHeader();
    header->setMinimumSectionSize(theme.px(32));
    header->setFixedHeight(theme.px(28));
    header->setDefaultAlignment(Qt::AlignLeft |
                                Qt::AlignVCenter); // the default when the model has none, as for its cells
    header->setProperty("seeThrough", true);       // shows the card or panel below
    header->setAutoFillBackground(false);
    header->viewport()->setAutoFillBackground(false);
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    if (model->columnCount() > 0) header->setSectionResizeMode(0, QHeaderView::Stretch);
    return view;
}

namespace {

constexpr const char* kLeftOut = "leftOut";

// Fits the columns of a table whenever its width changes.
class ColumnFit : public QObject {
public:
    ColumnFit(QTableView* table, int least) : QObject(table), m_table(table), m_least(least) {
        table->viewport()->installEventFilter(this);
        table->installEventFilter(this); // its properties
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::DynamicPropertyChange) fit();
        return QObject::eventFilter(watched, event);
    }

private:
    void fit() {
        const int count = m_table->model()->columnCount();
        for (int column = 1; column < count; ++column) m_table->showColumn(column); // a hidden one has no width
        int room = m_table->viewport()->width() - Theme::current().px(m_least);
        const QVariant leftOut = m_table->property(kLeftOut);
        for (int column = 1; column < count; ++column) {
            if (leftOut == QVariant(column)) {
                m_table->hideColumn(column);
                continue;
            }
            room -= m_table->columnWidth(column);
            if (room < 0) m_table->hideColumn(column);
        }
    }

    QTableView* m_table;
    int m_least;
};

} // namespace

void keepFirstColumn(QTableView* table, int least) { new ColumnFit(table, least); }

void leaveOutColumn(QTableView* table, int column) {
    if (table->property(kLeftOut) != QVariant(column)) table->setProperty(kLeftOut, column);
}

} // namespace trainyard::ui
