// SPDX-License-Identifier: GPL-3.0-or-later
// A CSV file as columns of numbers and of words.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::formats {

struct Column {
    std::string name; // of the header, else "column 3"
    bool isWords = false;
    std::vector<double> numbers;           // of the rows; each is finite, also as a float
    std::vector<std::int32_t> words;       // or: of the rows, as places in `vocabulary`
    std::vector<std::string> vocabulary{}; // the different words, sorted
};

// A table as read: names of the columns and cells as text.
struct Table {
    std::vector<Column> columns;
    std::vector<std::int64_t> lines; // of the rows, in the file
    std::string file;
    bool hasHeader = false;
    std::int64_t rows() const { return static_cast<std::int64_t>(lines.size()); }
    // "FILE, line 3, column 2 (width)"
    std::string position(std::int64_t row, std::size_t column) const;
};

// Whether the first line of a table holds the names of its columns.
enum class Header { Auto, Yes, No };

// How a table is read.
struct TableOptions {
    char separator = 0;           // 0: found from the first line
    Header header = Header::Auto; // Auto: a first line without any number is one
    std::int64_t maxCells = 1'000'000'000;
};

// A column whose first cell is a number holds numbers, else words. Input, naming file, line and column: what CsvReader
// refuses; rows of different length; an empty cell or one that stands for a missing value; a number that is not finite
// or too large for a float; a decimal comma; a number among words or a word among numbers; a header that is doubled,
// empty or comes again; more than 1000 different words in a column; no rows.
Result<Table> readTable(const std::filesystem::path& file, const TableOptions& options = {});

} // namespace trainyard::formats
