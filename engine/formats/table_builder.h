// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a table from its records, whatever kind of file they are in.
#pragma once

#include "engine/formats/plain_rows.h"
#include "engine/formats/record_reader.h"
#include "engine/formats/table.h"
#include "engine/formats/table_column.h"

#include <optional>

namespace trainyard::formats {

// A row, and the line in which it begins.
struct TableRecord {
    std::vector<CsvCell> cells;
    std::int64_t line = 0;
};

// How rows are given away before all are read; without a taker they are dropped.
struct Pieces {
    std::int64_t rows = 0; // 0: all rows stay in the table
    std::function<Result<void>(const Table&)> take{};
};

// The file is not what it was when it was read before.
Error tableHasChanged(const std::string& file);

// Reads a table once, by what is planned for its columns.
class TableBuilder {
public:
    TableBuilder(RecordReader& reader, const TableOptions& options, Table& table, const Pieces& pieces)
        : m_reader(reader), m_options(options), m_table(table), m_pieces(pieces) {}
    // `known`: what an earlier reading has told of the columns, or nothing. Errors as of readTable().
    Result<void> build(const std::vector<ColumnPlan>& known);

    // What another reading should know; nothing: this one was right.
    Result<std::optional<std::vector<ColumnPlan>>> betterPlans();

    // Once all is read: is there anything, and is anything missing that may not be?
    Result<void> checkRows() const;

    std::int64_t rows() const { return m_passed + m_table.rows(); } // those that were given away among them

private:
    Result<void> handOver();

    // The rows that come next, as far as they are plain; the one behind them is for addRow(). Where few are, fewer are
    // tried, and that less often.
    Result<void> addPlainRows();
    void reserveFor(const PlainText& next);
    PlainForm plainForm() const;
    Result<void> addPlain(PlainRows& part, std::int64_t firstLine);

    // Columns whose cells are looked at one by one, in the order of the file.
    Result<void> addCells(const PlainRows& part, std::int64_t firstLine, std::int64_t from, std::int64_t count);
    void noteMissing(std::size_t column, std::int64_t line, const std::string& text = {});
    bool isCells(std::size_t column) const { return m_form.columns[column].kind == PlainColumn::Kind::Cells; }
    Result<bool> next(TableRecord& record);
    Result<void> readHeader();
    Result<void> judgeFirst(const TableRecord& first);
    Result<void> nameColumns(const TableRecord& first);
    Result<void> addRow(const TableRecord& record);
    Result<void> addCell(const CsvCell& cell, std::int64_t line, std::size_t i);

    // Counts the missing cells, and judges whether the row goes on without them.
    bool leavesOut(const TableRecord& record);

    // The column that lacks more cells than all others together; else the one with the first missing cell.
    std::size_t columnToBlame() const;
    bool isHeaderAgain(const std::vector<CsvCell>& cells) const;

    // As the columns tell that can be read in one way only.
    char decimalMark() const;
    Result<NumberStyle> styleOf(std::size_t column) const;

    std::string placeOf(std::int64_t line) const;
    std::string placeOf(std::int64_t line, std::size_t column) const;

    struct FirstMissing {      // of a column
        std::int64_t line = 0; // 0: none is missing
        std::string text;
    };
    RecordReader& m_reader;
    const TableOptions& m_options;
    Table& m_table;
    std::vector<TableRecord> m_ahead; // read to judge the first line
    std::vector<ColumnRule> m_rules;
    std::vector<bool> m_watched; // columns without a name, of which it is seen whether they number the rows
    std::vector<ColumnPlan> m_plans;
    std::vector<ColumnBuilder> m_builders;
    std::int64_t m_missing = 0;
    std::vector<FirstMissing> m_firstMissing; // of each column
    const Pieces& m_pieces;
    std::int64_t m_passed = 0;            // rows that were given away
    PlainForm m_form;                     // of the lines that are read at once
    std::vector<PlainRows> m_plain;       // of the threads
    std::size_t m_atOnce = 0;             // bytes of lines to read at once
    bool m_hasRoom = false;               // for all rows, as far as that is known
    std::int64_t m_wait = 0, m_pause = 0; // rows before that is tried again; the last time it was so many
};

} // namespace trainyard::formats
