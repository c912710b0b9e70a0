// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/csv.h"

#include "engine/base/text/utf8.h"
#include "engine/formats/plain_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace trainyard::formats {

namespace {

constexpr std::size_t kBlock = 1u << 18, kMaxRecord = 4u << 20, kMaxCells = 20'000;
const char* const kSaveAsUtf8 = "save the table as CSV in UTF-8";

bool isLineEnd(int byte) { return byte == '\n' || byte == '\r'; }
bool isSpace(int byte) { return byte == ' ' || byte == '\t'; }

// The candidate that stands most often in the first line, outside quotes.
char likelySeparator(const char* text, std::size_t size) {
    constexpr char kCandidates[] = {',', ';', '\t', '|'};
    std::size_t counts[std::size(kCandidates)] = {};
    bool quoted = false;
    for (std::size_t i = 0; i < size && (quoted || !isLineEnd(text[i])); ++i) {
        if (text[i] == '"') quoted = !quoted;
        for (std::size_t k = 0; k < std::size(kCandidates); ++k)
            if (!quoted && text[i] == kCandidates[k]) ++counts[k];
    }
    return kCandidates[std::max_element(std::begin(counts), std::end(counts)) - std::begin(counts)];
}

void trim(std::string& text) {
    while (!text.empty() && isSpace(text.back())) text.pop_back();
    text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
}

} // namespace

bool standsForMissing(const CsvCell& cell) { return !cell.quoted && standsForMissing(std::string_view(cell.text)); }

bool standsForMissing(std::string_view text) {
    static constexpr std::array<std::string_view, 19> kMissing{"",     "?",    "-",    ".",    "NA",  "N/A", "n/a",
                                                               "<NA>", "#N/A", "#NA",  "NaN",  "nan", "NAN", "-NaN",
                                                               "-nan", "NaT",  "NULL", "null", "None"};
    constexpr std::size_t kLongest = 4;
    if (text.size() > kLongest || (!text.empty() && text[0] >= '0' && text[0] <= '9')) return false;
    return std::find(kMissing.begin(), kMissing.end(), text) != kMissing.end();
}

Result<CsvReader> CsvReader::open(const std::filesystem::path& path, char separator) {
    TY_ASSIGN(FileReader file, FileReader::open(path));
    CsvReader reader(file.name());
    const std::int64_t whole = file.plainSize(); // a small file needs no large block
    reader.m_block.resize(kPlainPadding + (whole < 0 ? kBlock : std::min(kBlock, static_cast<std::size_t>(whole) + 1)));
    reader.m_file.emplace(std::move(file));
    TY_TRY(reader.begin(separator));
    return reader;
}

Result<CsvReader> CsvReader::ofText(std::string_view text, std::string name, char separator) {
    CsvReader reader(std::move(name));
    reader.m_block.assign(text.begin(), text.end());
    reader.m_block.resize(text.size() + kPlainPadding);
    reader.m_size = text.size();
    reader.m_ended = true;
    TY_TRY(reader.begin(separator));
    return reader;
}

Result<void> CsvReader::begin(char separator) {
    TY_ASSIGN(const int first, peek());
    if (first < 0) return fail("is empty", "choose a file with a table in it");
    const char* text = m_block.data();
    if (m_size >= 2 && (std::memcmp(text, "\xFF\xFE", 2) == 0 || std::memcmp(text, "\xFE\xFF", 2) == 0))
        return fail("is text in UTF-16", kSaveAsUtf8);
    if (m_size >= 4 && std::memcmp(text, "PK\x03\x04", 4) == 0)
        return fail("is a zip archive, as the workbooks of Excel and LibreOffice are",
                    "unpack it, or save the sheet as CSV in UTF-8");
    if (m_size >= 3 && std::memcmp(text, "\xEF\xBB\xBF", 3) == 0) m_at = 3;
    m_separator = separator != 0 ? separator : likelySeparator(text + m_at, m_size - m_at);
    return {};
}

Result<int> CsvReader::peek() {
    if (m_at == m_size && !m_ended) {
        TY_ASSIGN(const std::int64_t got,
                  m_file->readSome(m_block.data(), static_cast<std::int64_t>(m_block.size() - kPlainPadding)));
        m_at = 0;
        m_size = static_cast<std::size_t>(got);
        m_ended = got == 0;
    }
    if (m_at == m_size) return -1;
    if (m_block[m_at] == '\0') return fail("has a NUL byte, so it is not text, or text in UTF-16", kSaveAsUtf8);
    return static_cast<unsigned char>(m_block[m_at]);
}

void CsvReader::consume() {
    const char byte = m_block[m_at++];
    ++m_recordBytes;
    if (byte == '\r' || (byte == '\n' && !m_afterCarriageReturn)) ++m_line;
    m_afterCarriageReturn = byte == '\r';
}

Result<void> CsvReader::room() {
    if (m_recordBytes <= kMaxRecord) return {};
    return inputError("the line is longer than " + std::to_string(kMaxRecord >> 20) + " MiB", position(),
                      "check that the file is a CSV table with line ends and closed quotes");
}

Result<void> CsvReader::readQuoted(CsvCell& cell) {
    const std::int64_t opened = m_line;
    cell.quoted = true;
    cell.text.clear();
    consume();
    for (;;) {
        TY_TRY(room());
        TY_ASSIGN(const int byte, peek());
        if (byte < 0)
            return inputError("a quoted cell is never closed", m_name + ", line " + std::to_string(opened),
                              "add the closing quote");
        consume();
        if (byte != '"') {
            cell.text += static_cast<char>(byte);
            continue;
        }
        TY_ASSIGN(const int next, peek());
        if (next != '"') return {};
        consume();
        cell.text += '"';
    }
}

// What is neither quote, separator, NUL nor line end, as far as it is in the block: nearly all bytes of a table.
void CsvReader::takePlain(std::string& text) {
    std::size_t end = m_at;
    for (; end < m_size; ++end) {
        const char byte = m_block[end];
        if (byte == m_separator || byte == '"' || byte == '\0' || isLineEnd(byte)) break;
    }
    if (end == m_at) return;
    text.append(m_block.data() + m_at, end - m_at);
    m_recordBytes += end - m_at;
    m_at = end;
    m_afterCarriageReturn = false;
}

// One cell, and what ends it.
Result<void> CsvReader::readCell(CsvCell& cell, bool& endOfRecord) {
    for (;;) {
        if (!cell.quoted) takePlain(cell.text);
        if (m_recordBytes > kMaxRecord) return room();
        TY_ASSIGN(const int byte, peek());
        endOfRecord = byte < 0 || isLineEnd(byte);
        if (endOfRecord || byte == m_separator) {
            if (byte >= 0) consume();
            if (!cell.quoted) trim(cell.text);
            return {};
        }
        if (byte == '"') {
            trim(cell.text);
            if (cell.quoted || !cell.text.empty())
                return fail("has a quote in the middle of a cell",
                            "put the whole cell in quotes and double those in it");
            TY_TRY(readQuoted(cell));
            continue;
        }
        if (cell.quoted && !isSpace(byte))
            return fail("has text after the closing quote of a cell", "double the quotes that belong to the cell");
        consume();
        if (!cell.quoted) cell.text += static_cast<char>(byte);
    }
}

Result<bool> CsvReader::next(std::vector<CsvCell>& record) {
    for (;;) {
        TY_ASSIGN(int byte, peek());
        if (byte == '\n' && m_afterCarriageReturn) { // the second half of the line end before
            consume();
            TY_ASSIGN(byte, peek());
        }
        if (byte < 0) return false;
        m_recordLine = m_line;
        m_recordBytes = 0;
        record.clear();
        for (bool end = false; !end;) {
            if (record.size() == kMaxCells)
                return inputError("has more than " + std::to_string(kMaxCells) + " cells", position(),
                                  "check the separator, or split the table");
            TY_TRY(readCell(record.emplace_back(), end));
        }
        TY_TRY(checkText(record));
        const bool blank = record.size() == 1 && record[0].text.empty() && !record[0].quoted;
        if (!blank) return true;
    }
}

Result<PlainText> CsvReader::lines(std::size_t most) {
    if (m_afterCarriageReturn) { // the second half of the line end before
        TY_ASSIGN(const int byte, peek());
        if (byte == '\n') consume();
    }
    const std::int64_t whole = m_file ? m_file->plainSize() : 0;
    const auto after = [&] { return whole > 0 ? std::max<std::int64_t>(0, whole - m_file->offset()) : 0; };
    const bool hasMore = !m_ended && (whole <= 0 || after() > 0);
    if (m_size - m_at < most / 4 && hasMore) {
        std::memmove(m_block.data(), m_block.data() + m_at, m_size - m_at);
        m_size -= std::exchange(m_at, 0);
        if (m_block.size() < most + kPlainPadding) m_block.resize(most + kPlainPadding);
        const auto room = static_cast<std::int64_t>(most - m_size);
        TY_ASSIGN(const std::int64_t got, m_file->readUpTo(m_block.data() + m_size, room));
        m_size += static_cast<std::size_t>(got);
        m_ended = got < room;
    }
    const std::string_view there(m_block.data() + m_at, std::min(most, m_size - m_at));
    return PlainText{there.substr(0, there.rfind('\n') + 1), m_line, after()};
}

void CsvReader::pass(std::size_t bytes, std::int64_t lines) {
    m_at += bytes;
    m_line += lines;
    m_afterCarriageReturn = false;
}

// In the order of the cells, so that the first wrong byte is the one named.
Result<void> CsvReader::checkText(const std::vector<CsvCell>& record) const {
    for (std::size_t i = 0; i < record.size(); ++i) {
        const std::string& text = record[i].text;
        const std::size_t wrong = firstNotUtf8(text);
        if (wrong != std::string::npos)
            return inputError("is not UTF-8: byte " + hexByte(static_cast<unsigned char>(text[wrong])), position(i + 1),
                              kSaveAsUtf8);
    }
    return {};
}

Error CsvReader::fail(const std::string& message, const std::string& remedy) const {
    return inputError(message, m_name + ", line " + std::to_string(m_line), remedy);
}

std::string CsvReader::position() const { return m_name + ", line " + std::to_string(m_recordLine); }

std::string CsvReader::position(std::size_t column) const { return position() + ", column " + std::to_string(column); }

} // namespace trainyard::formats
