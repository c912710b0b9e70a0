// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QStyledItemDelegate>

namespace trainyard::ui {

class RunsModel;

// Paints a row of the runs table: chip and name, sparkline, values, progress or age; and its headings.
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

    // Where the chip of a row stands in the first column, and whether x is in its hit area, 24 px wide.
    static int chipX(const QModelIndex& index);
    static bool onChip(const QModelIndex& index, int x);
    // How far `x` lies from the side of a cell at which its text begins.
    static int depthIn(const QWidget& view, const QRect& cell, int x);
    // How many of a group's runs are shown.
    enum class Shown { None, Some, All };
    static Shown shownOf(const RunSelection& selection, const QStringList& runs);

private:
    static QPointF chipCenter(const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& cell);
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                  const RunItem& run) const;
    void paintName(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                   const RunItem& run) const;
    void paintTrend(QPainter& painter, const QRect& cell, const RunItem& run) const;
    void paintText(QPainter& painter, const QRect& cell, const QModelIndex& index, const RunItem& run) const;
    void paintProgress(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                       const RunItem& run) const;
    void paintBackground(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                         const RunItem& run) const;

    QColor colorOf(const RunItem& run) const;

    Workbench& m_bench;
    RunsModel& m_model;
};

} // namespace trainyard::ui
