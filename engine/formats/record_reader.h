// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a table one after the other, in whatever kind of file they are: CSV, JSON lines, NumPy.
#pragma once

#include "engine/formats/csv.h"

#include <memory>

namespace trainyard::formats {

// How the first record of a table is to be taken.
enum class FirstRecord {
    Unknown, // it may name the columns
    Names,
    Row
};

// Rows as cells; the interface that tables are built from.
class RecordReader {
public:
    virtual ~RecordReader() = default;
    // The next record, or none at the end. Input, with the file and the line or row: what is damaged there.
    virtual Result<bool> next(std::vector<CsvCell>& record) = 0;
    // Where the newest record began, counted from 1: in lines, or in rows where the file has none.
    virtual std::int64_t line() const = 0;
    // Lines that may be read many at a time (plain_rows.h), and that they were; none: record by record alone.
    virtual Result<PlainText> lines(std::size_t) { return PlainText(); }
    virtual void pass(std::size_t, std::int64_t) {}
    virtual FirstRecord first() const { return FirstRecord::Unknown; }
    virtual char separator() const { return '\0'; }
    virtual const char* lineWord() const { return "line"; } // of line()
};

// The reader that fits what the file holds, whatever its name is: `{` begins JSON lines, NumPy's files have a magic
// number, all else is CSV (for which `separator` is; 0: found). Input, Environment as the readers say.
Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& file, char separator);
std::unique_ptr<RecordReader> recordsOf(CsvReader reader);

// How a table lies in its file, for those who must know before they read it.
enum class TableKind { Csv, JsonLines, NumpyArray, NumpyArchive };
Result<TableKind> tableKindOf(const std::filesystem::path& file);

} // namespace trainyard::formats
