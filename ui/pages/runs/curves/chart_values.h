// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/chart/chart_export.h"
#include "ui/widgets/sheets/sheet.h"

#include <QAbstractTableModel>

class QTableView;

namespace trainyard::ui {

// The points of a chart as a table: a column for each curve, a row for each step that any of them has, and one more for
// every further point at the same step.
class ChartValues : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { StepColumn, EpochColumn, TimeColumn, FirstCurve };

    explicit ChartValues(std::vector<CsvSeries> curves, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // These rows with the header, separated by tabs, numbers with every digit. All rows when `rows` is empty.
    QString text(const QList<int>& rows) const;

private:
    std::optional<PlotPoint> pointAt(int row, const CsvSeries& curve) const;
    QString cell(int row, int column, bool exact) const;

    std::vector<CsvSeries> m_curves; // only those that have points
    std::vector<qint64> m_steps;
    bool m_oneSeries;
};

// Shows the values at the time of opening. Ctrl+C copies the selected rows.
class ValuesSheet : public Sheet {
    Q_OBJECT
public:
    ValuesSheet(QWidget* window, const QString& chart, std::vector<CsvSeries> curves);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void copy(bool all);

    ChartValues* m_values;
    QTableView* m_table;
};

} // namespace trainyard::ui
