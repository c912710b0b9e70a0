// SPDX-License-Identifier: GPL-3.0-or-later
// One column of a table, cell by cell.
#pragma once

#include "engine/formats/csv.h"
#include "engine/formats/plain_rows.h"
#include "engine/formats/table.h"

#include <map>
#include <unordered_map>

namespace trainyard::formats {

// What is known of a column before its cells are read: nothing, or what reading it once has shown.
struct ColumnPlan {
    ColumnRule::Kind kind = ColumnRule::Kind::Found;
    NumberStyle style = NumberStyle::Plain;
    bool mayBeDates = false, mayBeMany = false;
    bool operator==(const ColumnPlan&) const = default;
};

// Fills a column with cells as its plan reads them.
class ColumnBuilder {
public:
    ColumnBuilder(Column& column, const ColumnPlan& plan) : m_column(column), m_plan(plan) {}

    // Whether the cell counts as missing here: in quotes among numbers too.
    bool isMissing(const CsvCell& cell);
    void addMissing();                  // the row stays, without this cell
    void leaveOut(const CsvCell& cell); // the row does not stay; its cell still tells what the column holds
    // Input without a place: the cell does not fit those before.
    Result<void> add(const CsvCell& cell);
    // Input without a place: a cell of a column without a name that does not number the rows.
    Result<void> watchUnnamed(const CsvCell& cell, std::int64_t line);

    // How many cells at once are read as this column's.
    PlainColumn plain(bool mayMiss) const;
    // What they tell together, once; then the cells themselves, from row `from` on. Cells of PlainColumn::Kind::Cells
    // are for add().
    void beginPlain(PlainCells& cells, std::int64_t rows);
    void expect(std::size_t rows); // in all
    void addPlain(const PlainCells& cells, std::int64_t from, std::int64_t rows);

    // For rows that are given away before the last: makes the column what it is so far, and takes its cells out.
    void prepare();
    void drop();

    // After the last cell: what the column is, and the styles that all of its numbers can be read in.
    void finish();
    ColumnRule::Kind kind() const { return m_kind; }
    bool isNumbers() const { return m_kind == ColumnRule::Kind::Numbers; }
    NumberStyles styles() const { return m_styles; }
    bool hasPoints() const { return m_points; } // in some number
    bool quotedEarly() const { return m_quotedEarly; }

private:
    void begin(const CsvCell& cell);
    Result<void> addNumber(const CsvCell& cell);
    Result<void> addWord(const CsvCell& cell);
    Result<void> addDate(const CsvCell& cell);
    Result<void> becomeWords(const CsvCell& cell);
    Error otherWay(const std::string& text) const;
    Error noNumber(const std::string& text) const;
    void sortVocabulary();

    Column& m_column;
    const ColumnPlan& m_plan;
    ColumnRule::Kind m_kind = ColumnRule::Kind::Found;
    NumberStyles m_styles = kAnyStyle;
    std::int64_t m_row = 0;         // of the file, rows that were left out among them
    std::size_t m_missingFirst = 0; // cells before the first that tells the kind
    std::size_t m_dropped = 0;      // numbers that were given away
    bool m_points = false, m_quotedEarly = false, m_maybeWords = false, m_fromZero = true, m_fromOne = true;
    std::unordered_map<std::string, std::int32_t> m_places; // of the words
    std::map<std::string, std::int64_t> m_seen;             // of a column without a name: lines
};

std::string inQuotes(const std::string& text); // for messages, cut where it is long

} // namespace trainyard::formats
