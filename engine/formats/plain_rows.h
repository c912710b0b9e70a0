// SPDX-License-Identifier: GPL-3.0-or-later
// Many rows of a CSV at once, on several threads: lines without quotes whose cells fit what is known of their columns.
// Any other line is left to CsvReader and ColumnBuilder, which say what is wrong with it.
#pragma once

#include "engine/formats/number_style.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trainyard::formats {

// How the cells of a column are read, once some have told.
struct PlainColumn {
    enum class Kind {
        Passed,  // they are not looked at
        Numbers, // with a decimal point and nothing else
        Words,
        Missing, // no cell was there so far
        Cells    // as text
    };
    Kind kind = Kind::Passed;
    bool mayMiss = false;    // a row stays without this cell
    bool mayBeMany = false;  // Words: one that is not known keeps its row
    bool noNumbers = false;  // Words: a number is none
    bool asksFloats = false; // Numbers: whether all of them are the same as floats
    const std::unordered_map<std::string, std::int32_t>* places = nullptr; // Words: those known
    bool operator==(const PlainColumn&) const = default;
};

// The cells of one column, row by row.
struct PlainCells {
    std::vector<double> numbers;                // NaN where one is missing
    std::vector<std::int32_t> words;            // their places; -1: missing; from -2 down: -2 - place in `newWords`
    std::vector<std::string_view> newWords;     // in the order in which they came
    std::vector<std::string_view> cells;        // without spaces around them
    std::int64_t missing = 0, firstMissing = 0; // but of Cells: how many, and the first row
    NumberStyles styles = kAnyStyle;            // those that all numbers can be read in
    bool points = false, fitsFloats = true;     // some number has a point; all are the same as floats
};

// Rows of a text, from its first line to the first that is not plain.
struct PlainRows {
    std::int64_t rows = 0;
    std::vector<std::int64_t> lines; // of the rows, from the text's first line on, which is 0
    std::vector<PlainCells> columns; // longer than `rows` where a line was not plain
    std::size_t bytes = 0;           // of the text that was read
    std::int64_t passed = 0;         // lines that were read, blank ones among them
    bool isWhole = false;            // all of the text was
};

// How the text is read.
struct PlainForm {
    std::vector<PlainColumn> columns{};
    char separator = ',';
    std::string firstName{}; // a line that begins with this cell may be the header once more; "": none may
    bool isUnnamed = false;  // a line that begins with an empty cell may be so, too
};

// Behind the whole lines of a text this many bytes can be read, whatever they are.
inline constexpr std::size_t kPlainPadding = 16;

// Reads the text, which ends in LF, or nothing of it, on as many threads; the parts come in its order. What `into`
// holds is used again. Values, kinds and the fitness of numbers are those that ColumnBuilder finds cell by cell.
void readPlainRows(std::string_view text, const PlainForm& form, int threads, std::vector<PlainRows>& into);

} // namespace trainyard::formats
