// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a file that another program wrote.
#pragma once

#include "engine/base/files/file_reader.h"

#include <functional>
#include <string>
#include <string_view>

namespace trainyard::imports {

// Lines without their ends and without a byte order mark. formats::CsvReader ends at the first fault of a data set;
// here a fault costs its line alone. Holds one line and a block of the file.
class TextLines {
public:
    TextLines(FileReader file, std::size_t mostBytes) : m_file(std::move(file)), m_mostBytes(mostBytes) {}

    // False at the end. The line is valid until the next call. Input: a line has more than `mostBytes`.
    Result<bool> next(std::string_view& line);
    std::string where() const { return where(m_number); } // "/logs/metrics.csv, line 3"

private:
    std::string where(std::int64_t line) const { return m_file.name() + ", line " + std::to_string(line); }

    FileReader m_file;
    std::size_t m_mostBytes;
    std::string m_text{};
    std::size_t m_at = 0, m_seen = 0; // m_seen: up to here there is no end of a line
    std::int64_t m_number = 0;
    bool m_ended = false;
};

// The same lines, of bytes that come piece by piece.
class LinePieces {
public:
    using Told = std::function<Result<void>(std::string_view line)>;

    LinePieces(std::string file, std::size_t mostBytes) : m_file(std::move(file)), m_mostBytes(mostBytes) {}

    // A line is valid during its call, and an error of it ends this one. Input: a line has more than `mostBytes`.
    Result<void> add(std::string_view bytes, const Told& told);
    Result<void> end(const Told& told); // what has no end is a line, too
    std::string where() const { return m_file + ", line " + std::to_string(m_number); }

private:
    Result<void> tell(std::string_view line, const Told& told);

    std::string m_file;
    std::size_t m_mostBytes;
    std::string m_half{};
    std::int64_t m_number = 0;
};

std::string_view withoutSpaces(std::string_view text); // nor tabs, at both ends

} // namespace trainyard::imports
