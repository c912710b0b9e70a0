// SPDX-License-Identifier: GPL-3.0-or-later
// A table as columns of numbers, words and dates: the one reader for training, previews, evaluation and predictions.
#pragma once

#include "engine/base/result.h"
#include "engine/formats/number_style.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::formats {

struct Column {
    std::string name; // of the header, "Unnamed: 2" where the header has none for the third, else "column 3"
    bool isWords = false, isRead = true;
    bool isDates = false, hasDate = false, hasTime = false; // numbers are seconds (Moment); what some cell has
    bool isUnnamed = false, isEmpty = false; // of a column without a name: it is not read; all its cells are empty
    std::vector<double> numbers;             // of the rows: finite, also as a float; NaN where one is missing
    std::vector<std::int32_t> words;         // or: of the rows, as places in `vocabulary`; -1 where one is missing
    std::vector<std::string> vocabulary{};   // the different words, sorted
    std::int64_t missing = 0;                // cells of the file, those of rows that were left out among them
    NumberStyle style = NumberStyle::Plain;  // how its numbers are written
    std::string unit, example;               // what stands at each number ("%"); the first that is not plain
    bool countsRows = false;                 // 0, 1, 2 … or 1, 2, 3 …
    bool hasGaps = false;                    // a row lacks a cell of it that was not left out
    bool fitsFloats = true;                  // all its numbers are the same as floats
    std::string look;                        // of all its words: "a date"; empty: nothing special
};

// A table as read: names of the columns and cells as text.
struct Table {
    std::vector<Column> columns;
    std::vector<std::int64_t> lines; // of the rows, in the file
    std::string file;
    std::string lineWord = "line"; // "row" where the file has no lines
    bool hasHeader = false;
    char decimal = 0;         // '.' or ',' where the columns tell, else 0
    std::int64_t leftOut = 0; // rows, since a cell is missing
    std::int64_t rows() const { return static_cast<std::int64_t>(lines.size()); }
    // "FILE, line 3, column 2 (width)"; without the line where there are no rows.
    std::string position(std::int64_t row, std::size_t column) const;
    // "177 of "Age", 2 of "Cabin"": the missing cells.
    std::string missingText() const;
};

// Whether the first line of a table holds the names of its columns.
enum class Header { Auto, Yes, No };

// What becomes of a row with a missing cell.
enum class Missing {
    Refuse, // an error, after all have been counted
    Drop,   // it is left out
    Keep    // it stays, with NaN or -1 for the cell; but without a cell that must be there it is left out
};

// What a column is read as.
struct ColumnRule {
    enum class Kind { Found, Numbers, Words, Dates };
    bool isRead = true;
    bool mustBeThere = false; // the target: Missing::Keep does not keep a row without it
    bool mayBeDates = false;  // Found: dates are read as such, and not as words
    bool mayBeMany = false;   // Words: any number of different ones, such as a number for each person
    Kind kind = Kind::Found;  // Found: by its first cell
};

// How a table is read.
struct TableOptions {
    char separator = 0;           // 0: found from the first line
    Header header = Header::Auto; // Auto: as judgeHeader() says
    char decimal = 0;             // '.' or ','; 0: as the columns tell
    char likelyDecimal = 0;       // for 0, where they do not tell
    Missing missing = Missing::Refuse;
    std::int64_t maxCells = 1'000'000'000;
    std::size_t atOnce = std::size_t{1} << 20; // bytes of lines that each thread reads at once; 0: row by row
    // Asked once names and file of the table are known: a rule for each column. Empty: all are read.
    std::function<Result<std::vector<ColumnRule>>(const Table&)> rules{};
};

// CSV, JSON lines or NumPy's arrays, as openRecords() tells. A column whose first cell is a number holds numbers, also
// with decimal commas, thousands separators or one unit, else words; the cells of a column that is not read are not
// looked at. Input, naming file, line and column: what CsvReader refuses; rows of different length; missing cells, if
// they are refused (DataUnreadable); a number that is not finite or too large for a float, or written in another way
// than those above it; a number that may be two ("1,234"); a number among words or a word among numbers; a first line
// that may be names or data; a header that is doubled or comes again; a column without a name that neither numbers the
// rows nor is empty; more than 1000 different words; no rows. Where there are rules, what is wrong in a column that
// may be left out is FieldInvalid, and its place names the column.
Result<Table> readTable(const std::filesystem::path& file, const TableOptions& options = {});
// What a table holds, without its rows.
struct TableOutline {
    Table table;           // names, kinds, words, units and missing cells of the columns; no row
    std::int64_t rows = 0; // without those that are left out
};
// The same table in memory of a bounded size: reads the file to its end once, or twice, and keeps no row. Errors as of
// readTable().
Result<TableOutline> outlineTable(const std::filesystem::path& file, const TableOptions& options);
// Reads once more, and gives the rows in pieces of `rows`, in their order: tables whose columns are as in the outline,
// but for the order of their words, to which later pieces may add. Input: the file is not what the outline is of.
Result<void> eachPiece(const std::filesystem::path& file, const TableOptions& options, const TableOutline& outline,
                       std::int64_t rows, const std::function<Result<void>(const Table&)>& take);

// As readTable(), of a table in memory, which `name` stands for.
Result<Table> readTableText(std::string_view text, const std::string& name, const TableOptions& options);

} // namespace trainyard::formats
