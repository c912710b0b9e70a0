// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/actions/compare_runs.h"
#include "ui/models/runs/run_grouping.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// A run, or a group of runs, beside others.
struct ComparedColumn {
    QString id, name, fullName;
    RunColor color{};
    std::vector<RunItemPtr> runs{};
    bool isGroup() const { return id != runs.front()->id; }
    bool operator==(const ComparedColumn&) const = default;
};
std::vector<ComparedColumn> columnsOf(const std::vector<RunItemPtr>& runs);
// A column for each group, and one for each run that belongs to none, in the order of each one's first run.
std::vector<ComparedColumn> columnsOf(const std::vector<RunItemPtr>& runs, const ShownGroups& groups);

// Runs or groups side by side, a column each: results, settings, timings and environment, with the difference from a
// baseline and whether it is for the better. The names of the rows are the vertical header, which stays in sight. GUI
// thread.
class CompareTable : public QAbstractTableModel {
    Q_OBJECT
public:
    // Of the vertical header: a row that is the heading of a part, and whether the part's rows are hidden. Of the
    // horizontal one: the colour of the run or
    // group, whether it is the baseline, and of a group how many runs it has, as text.
    enum Role { IsPartRole = Qt::UserRole + 1, IsFoldedRole, ColorRole, IsBaselineRole, CountRole };

    using QAbstractTableModel::QAbstractTableModel;

    static constexpr int kMostColumns = 50;

    // Takes the first kMostColumns. Keeps the baseline if it is among them; else the first becomes it.
    void setColumns(std::vector<ComparedColumn> columns);
    const std::vector<ComparedColumn>& columns() const { return m_columns; }
    void setOnlyDifferences(bool only);
    void setBaseline(const QString& column);
    QString baseline() const;
    int differences() const; // rows in which the columns differ
    // Hides or shows the rows of a heading; what is hidden, as saved by an earlier window.
    void togglePart(int row);
    QStringList folded() const;
    void setFolded(const QStringList& parts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();
    QString cellText(const run::ComparedRow& row, std::size_t column) const;
    QVariant rowHeader(int row, int role) const;
    bool isFolded(run::ComparedRow::Part part) const;

    std::vector<ComparedColumn> m_columns;
    run::Comparison m_comparison;
    // What each row of the table shows: a row of the comparison, or the heading of the part that begins with it.
    struct Shown {
        std::size_t row = 0;
        bool isPart = false;
    };
    std::vector<Shown> m_shown;
    std::vector<run::ComparedRow::Part> m_folded{run::ComparedRow::Part::Timing};
    std::size_t m_baseline = 0;
    bool m_onlyDifferences = true;
};

} // namespace trainyard::ui
