// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QStyledItemDelegate>

namespace trainyard::ui {

class RunsModel;

// Paints a row of the runs table: chip, name, sparkline, best value, progress or age; and group rows.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    RunDelegate(Workbench& bench, RunsModel& model, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

    // Where the columns stand, from the row's right edge; the header uses the same.
    struct Columns {
        int chip, name, spark, sparkWidth, valueRight, endRight;
    };
    static Columns columns(int width);
    // The chip's hit area, 24 px wide.
    static bool onChip(int x);

private:
    void paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const RunItem& run) const;
    void paintBackground(QPainter& painter, const QStyleOptionViewItem& option, bool selected, bool current) const;

    Workbench& m_bench;
    RunsModel& m_model;
};

} // namespace trainyard::ui
