// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of metrics as JSON objects, wherever they stand: lines of a file, or elements of a list.
#pragma once

#include "engine/imports/imported_run.h"
#include "engine/imports/json_values.h"
#include "engine/imports/table_columns.h"

#include <functional>
#include <span>

namespace trainyard::imports {

// A member of an object, with what its name means.
struct JsonMember {
    std::string name;
    ColumnMeaning meaning{};
    JsonValue value{};
};

// The members of an object. Those of the next one mostly have the same names in the same order.
class JsonRow {
public:
    // False where the text is no object. The values refer to it.
    bool read(std::string_view object);
    void clear() { m_size = 0; }
    void add(std::string_view name, const JsonValue& value);
    std::span<const JsonMember> members() const { return std::span(m_members).first(m_size); }

    // The one of that role with the lowest place; null: there is none.
    const JsonMember* of(ColumnMeaning::Role role) const;
    // Whether it has a number as its step or epoch, and something else; or neither of the two, but the loss of a
    // training.
    bool isMetrics() const;
    bool hasPosition() const; // a member for the step or the epoch
    // Whether a row that stands alone is one of a log, and no settings that name a number of steps: it has a loss or an
    // accuracy, or is one value of a series.
    bool measures() const;
    // What its names mean.
    TableMapping mapping() const;

private:
    std::vector<JsonMember> m_members{};
    std::size_t m_size = 0;
};

// Puts rows into a run (SOURCES.md). Rows that are no objects or have no step, and numbers too large for a double, are
// left out and named by `where`; words, truth values and lists are counted.
class JsonTableReader {
public:
    using Where = std::function<std::string()>;

    explicit JsonTableReader(ImportedRun& run) : m_run(run) {}

    void read(std::string_view object, const Where& where);
    void read(const JsonRow& row, const Where& where);
    // What is said of the run before its first row: settings, but for long texts.
    void facts(const JsonRow& row);

private:
    void add(std::string_view name, const JsonMember& member, Point point, const Where& where);
    void config(const JsonMember& member);
    // Which part of the training a row is of, where it tells: "val". Empty: the training itself.
    std::string partOf(const JsonRow& row);

    ImportedRun& m_run;
    JsonRow m_row{};
    RowSteps m_steps{};
    RowSteps::Columns m_has{}; // of all rows so far
    std::int64_t m_step = 0;   // of the last row of training, as is the epoch
    double m_epoch = 0;
    bool m_hasConfig = false, m_countsTwice = false; // counts twice: has both step and iter
};

} // namespace trainyard::imports
