// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/actions/compare_runs.h"
#include "ui/models/runs/run_item.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// Runs side by side, a column each: results, settings and environment, with the difference from a baseline. GUI thread.
class CompareTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { IsPartRole = Qt::UserRole + 1 }; // a row that is the heading of a part

    using QAbstractTableModel::QAbstractTableModel;

    static constexpr int kMostRuns = 50;

    // Takes the first kMostRuns. Keeps the baseline if it is among them; else the first becomes it.
    void setRuns(const std::vector<RunItemPtr>& runs);
    void setOnlyDifferences(bool only);
    void setBaseline(const QString& run);
    QString baseline() const;
    int differences() const; // rows in which the runs differ

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();
    QString cellText(const run::ComparedRow& row, std::size_t run) const;

    std::vector<RunItemPtr> m_runs;
    run::Comparison m_comparison;
    // What each row of the table shows: a row of the comparison, or the heading of the part that begins with it.
    struct Shown {
        std::size_t row = 0;
        bool isPart = false;
    };
    std::vector<Shown> m_shown;
    std::size_t m_baseline = 0;
    bool m_onlyDifferences = true;
};

} // namespace trainyard::ui
