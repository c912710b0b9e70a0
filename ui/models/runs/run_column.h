// SPDX-License-Identifier: GPL-3.0-or-later
// The values of the runs table's columns: pure functions, so that table, sorting and export agree.
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

    bool isSame(const RunColumn& other) const; // except for the width
    bool operator==(const RunColumn&) const = default;
};

RunColumn seriesColumn(const std::string& series, run::Aspect aspect);
RunColumn settingColumn(const QString& path);
// The default columns: the run, the trend and best value of its score, its age.
QList<RunColumn> standardColumns();
// Columns that every run has, so without a setting or series.
QList<RunColumn> plainColumns();
// As text that can be read back: "setting:optimizer.lr 80". Unreadable parts are left out; the run's name is always
// the first column.
QStringList columnsToText(const QList<RunColumn>& columns);
QList<RunColumn> columnsFromText(const QStringList& text);

QString columnTitle(const RunColumn& column);
QString columnTip(const RunColumn& column);
int columnWidth(const RunColumn& column); // in design pixels
// Whether its values are numbers, which are right-aligned and have a mean.
bool isNumeric(const RunColumn& column);

// The value of a numeric column, in seconds, steps and so on; NaN when the run has none.
double numberIn(const RunItem& run, const RunColumn& column);
// The text in the table.
QString textIn(const RunItem& run, const RunColumn& column);
// The text for a screen reader: for a training run its progress instead of its start.
QString spokenIn(const RunItem& run, const RunColumn& column);
// The full text, for a tooltip.
QString tipIn(const RunItem& run, const RunColumn& column);

// A sort key. Rows without a value come last in either order.
struct SortValue {
    double number = std::numeric_limits<double>::quiet_NaN();
    QString text{};
};
SortValue sortValueIn(const RunItem& run, const RunColumn& column);
// Negative: a comes before b, in ascending and in descending order.
int compareValues(const SortValue& a, const SortValue& b, Qt::SortOrder order);

// The settings in which runs differ, in the order of their paths.
QStringList differingSettings(const std::vector<RunItemPtr>& runs);

} // namespace trainyard::ui
