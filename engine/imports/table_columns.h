// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of a table of metrics mean, by their names: the same for CSV and for JSON lines (SOURCES.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::imports {

// What a column may hold. Of several that could be one, the one with the lowest place is.
struct ColumnMeaning {
    enum class Role { Series, Step, Epoch, Time, Name, Value } role = Role::Series;
    int place = 0;
};
// Rule: what the columns of an imported table mean.
// By name; case does not matter, nor whether spaces or underscores separate the words.
ColumnMeaning meaningOf(std::string_view column);

// Whether a column is the loss of a training: a table with one is a log even where no column counts its rows.
bool isTrainingLoss(std::string_view column);

// Whether a column is W&B's own, _runtime beside _step: no series.
bool isWandbsOwn(std::string_view column, std::string_view step);

// Which columns were recognised, by their names; empty: there is none.
struct TableMapping {
    std::string step, epoch, time;
    std::string name, value;         // of a table with a row for each value
    std::vector<std::string> series; // the other columns
};

// The steps of the rows of a table, one after another.
class RowSteps {
public:
    // Of a row with these values in the columns of the step and the epoch. A step that begins anew as the epoch goes on
    // counts within the epoch, and goes on from the epoch before. Without a column of the step it is the epoch, rounded
    // down, and without both the number of the row. Nothing where the row has no whole number as its step, or no number
    // as its epoch.
    struct Columns {
        bool step = false, epoch = false; // that the table has
    };
    std::optional<std::int64_t> next(Columns has, std::optional<double> step, std::optional<double> epoch);
    std::int64_t row() const { return m_rows - 1; }           // the number of that row, from 0 on
    bool hasPartsOfEpochs() const { return m_partsOfEpochs; } // which the steps do not tell apart

private:
    std::int64_t withinRun(std::int64_t step, std::optional<double> epoch);

    struct Epoch {
        double number = 0;
        std::int64_t offset = 0; // of the steps that are counted within it
    };
    std::int64_t m_rows = 0, m_first = 0, m_stride = 0, m_most = 0; // first and most: as they are written
    std::vector<Epoch> m_epochs{};                                  // from which the offset is another
    std::optional<double> m_epoch{};                                // of the last row
    bool m_any = false, m_partsOfEpochs = false;
};

} // namespace trainyard::imports
