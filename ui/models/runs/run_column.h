// SPDX-License-Identifier: GPL-3.0-or-later
// What a column of the runs table shows of a run: pure values, so that table, sorting and export agree.
#pragma once

#include "ui/models/runs/run_item.h"

#include <optional>

namespace trainyard::ui {

// A column of the runs table.
struct RunColumn {
    enum class Kind {
        Name,
        Trend,
        Score,
        Series,
        Setting,
        Status,
        Workers,
        Hosts,
        Time,
        Speed,
        Epoch,
        Step,
        Tags,
        Notes,
        Age
    };
    Kind kind = Kind::Name;
    run::SeriesAspect series{}; // of Series
    QString path{};             // of Setting
    int width = 0;              // in design pixels, set by the user; 0: its kind's default

    bool isSame(const RunColumn& other) const; // but for its width
    bool operator==(const RunColumn&) const = default;
};

RunColumn seriesColumn(const std::string& series, run::Aspect aspect);
RunColumn settingColumn(const QString& path);
// The default columns: the run, the trend and best value of its score, its age.
QList<RunColumn> standardColumns();
// Those without a choice of their own: what every run has.
QList<RunColumn> plainColumns();
// As text, which is read back as the same: "setting:optimizer.lr 80". What cannot be read is left out; the run's name
// is always the first column.
QStringList columnsToText(const QList<RunColumn>& columns);
QList<RunColumn> columnsFromText(const QStringList& text);

QString columnTitle(const RunColumn& column);
QString columnTip(const RunColumn& column);
int columnWidth(const RunColumn& column); // in design pixels
// Whether its values are numbers, which stand at the right and have a mean.
bool isNumeric(const RunColumn& column);

// The value of a numeric column, in seconds, steps and so on; NaN when the run has none.
double numberIn(const RunItem& run, const RunColumn& column);
// As the table writes it.
QString textIn(const RunItem& run, const RunColumn& column);
// As a screen reader says it: of a run that trains how far it is, not since when.
QString spokenIn(const RunItem& run, const RunColumn& column);
// In full.
QString tipIn(const RunItem& run, const RunColumn& column);

// What rows are sorted by. Rows without a value come last, whatever the order.
struct SortValue {
    double number = std::numeric_limits<double>::quiet_NaN();
    QString text{};
};
SortValue sortValueIn(const RunItem& run, const RunColumn& column);
// Below zero: a before b, in ascending order or in descending order.
int compareValues(const SortValue& a, const SortValue& b, Qt::SortOrder order);

// The settings in which runs differ, in the order of their paths.
QStringList differingSettings(const std::vector<RunItemPtr>& runs);

} // namespace trainyard::ui
