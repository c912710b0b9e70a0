// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace trainyard::ui {

// A table cell with padding on both sides and tabular digits.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit CellDelegate(bool mono = false, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    bool m_mono;
};

// Rows and header of 28 px, no grid, whole rows selected one at a time; cells painted by CellDelegate.
QTableView* plainTable(QAbstractItemModel* model, const QString& accessibleName);
// Hides columns of such a table, the last one first, while its first column would have less than `least` design pixels.
void keepFirstColumn(QTableView* table, int least);
// Hides this column of such a table whatever its width, and no other; -1: none.
void leaveOutColumn(QTableView* table, int column);

} // namespace trainyard::ui
