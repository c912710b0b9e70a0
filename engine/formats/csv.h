// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values as of RFC 4180, record by record, with bounds on everything a file could make large.
#pragma once

#include "engine/base/files/file_reader.h"

#include <optional>
#include <vector>

namespace trainyard::formats {

struct CsvCell {
    std::string text; // without quotes; outside of quotes without spaces around it
    bool quoted = false;
    bool nested = false; // of JSON: a list or an object, as text
};

// One that stands for a value that is not there: empty, "NA", "?" and the like, without quotes.
bool standsForMissing(const CsvCell& cell);
bool standsForMissing(std::string_view withoutQuotes);

// Lines of a file as they lie in it.
struct PlainText {
    std::string_view text;  // whole lines, the last with its LF; kPlainPadding bytes behind them may be read
    std::int64_t line = 1;  // the first of them
    std::int64_t after = 0; // bytes that follow, where that is known
};

// UTF-8, with or without a byte order mark; lines end in LF, CRLF or CR; blank lines are passed over; a quoted cell may
// hold separators, doubled quotes and line ends.
class CsvReader {
public:
    // `separator` 0: the one of , ; tab | that the first line has most of. Input, Environment as FileReader::open.
    static Result<CsvReader> open(const std::filesystem::path& path, char separator = 0);
    // The same of a text in memory, which `name` stands for in errors.
    static Result<CsvReader> ofText(std::string_view text, std::string name, char separator);

    // The next record, or none at the end. Input: NUL, UTF-16, what is not UTF-8, a zip archive, a quote out of place,
    // a record of more than 4 MiB or 20,000 cells; names file and line.
    Result<bool> next(std::vector<CsvCell>& record);

    // The lines that come next, at most `most` bytes of them, which stay there for next() until they are passed. None:
    // no line ends within so many bytes. Errors as of next().
    Result<PlainText> lines(std::size_t most);
    void pass(std::size_t bytes, std::int64_t lines);

    // Where the newest record began: its line, counted from 1.
    std::int64_t line() const { return m_recordLine; }
    char separator() const { return m_separator; }
    // "FILE, line 3" and "FILE, line 3, column 2"; columns count from 1.
    std::string position() const;
    std::string position(std::size_t column) const;

private:
    explicit CsvReader(std::string name) : m_name(std::move(name)) {}
    Result<void> begin(char separator);
    Result<int> peek(); // -1 at the end
    void consume();
    void takePlain(std::string& text);
    Result<void> readCell(CsvCell& cell, bool& endOfRecord);
    Result<void> readQuoted(CsvCell& cell);
    Result<void> room();
    Result<void> checkText(const std::vector<CsvCell>& record) const;
    Error fail(const std::string& message, const std::string& remedy) const;

    std::string m_name;
    std::optional<FileReader> m_file; // none: all is in m_block
    std::vector<char> m_block;
    std::size_t m_at = 0, m_size = 0, m_recordBytes = 0;
    bool m_ended = false, m_afterCarriageReturn = false;
    char m_separator = ',';
    std::int64_t m_line = 1, m_recordLine = 1;
};

} // namespace trainyard::formats
