// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"

#include "engine/base/ids.h"
#include "engine/formats/csv.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxWords = 1000, kMaxWordBytes = 4096;

enum class Reading { Number, Word, TooLarge, NotFinite };

// What a cell says; `number` is set for the first.
Reading readingOf(const std::string& text, double& number) {
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(begin, end, number);
    if (stop != end || stop == begin) return Reading::Word;
    if (problem == std::errc::result_out_of_range) return Reading::TooLarge;
    if (problem != std::errc()) return Reading::Word;
    if (!std::isfinite(number)) return Reading::NotFinite;
    return std::abs(number) > static_cast<double>(FLT_MAX) ? Reading::TooLarge : Reading::Number;
}

bool standsForMissing(const CsvCell& cell) {
    static const std::set<std::string> kMissing{"", "?", "-", "NA", "N/A", "n/a", "NULL", "null", "None", "#N/A"};
    return !cell.quoted && kMissing.contains(cell.text);
}

// "1,5" in quotes, or behind another separator.
bool hasDecimalComma(const std::string& text) {
    const auto comma = text.find(',');
    if (comma == std::string::npos || comma == 0 || comma + 1 == text.size()) return false;
    std::string pointed = text;
    pointed[comma] = '.';
    double number = 0;
    return readingOf(pointed, number) == Reading::Number;
}

std::string inQuotes(const std::string& text) { return '"' + printable(text, 40) + '"'; }

class TableBuilder {
public:
    TableBuilder(CsvReader& reader, const TableOptions& options, Table& table)
        : m_reader(reader), m_options(options), m_table(table) {}

    Result<void> build() {
        std::vector<CsvCell> record;
        TY_ASSIGN(bool more, m_reader.next(record));
        if (!more) return inputError("has no rows", m_table.file, "choose a file with a table in it");
        TY_TRY(readHeader(record));
        if (m_table.hasHeader) { TY_ASSIGN(more, m_reader.next(record)); }
        for (; more;) {
            TY_TRY(addRow(record));
            TY_ASSIGN(more, m_reader.next(record));
        }
        if (m_table.rows() == 0)
            return inputError("has a header and no rows", m_table.file, "add rows, or set header to \"no\"");
        for (std::size_t i = 0; i < m_table.columns.size(); ++i) sortVocabulary(m_table.columns[i]);
        return {};
    }

private:
    Result<void> readHeader(const std::vector<CsvCell>& record) {
        double number = 0;
        const bool noNumber = std::none_of(record.begin(), record.end(), [&](const CsvCell& cell) {
            return readingOf(cell.text, number) != Reading::Word;
        });
        m_table.hasHeader = m_options.header == Header::Yes || (m_options.header == Header::Auto && noNumber);
        m_table.columns.resize(record.size());
        m_places.resize(record.size());
        std::map<std::string, std::size_t> seen;
        for (std::size_t i = 0; i < record.size(); ++i) {
            Column& column = m_table.columns[i];
            column.name = m_table.hasHeader ? record[i].text : "column " + std::to_string(i + 1);
            if (column.name.empty())
                return inputError("the header names no column here", m_reader.position(i + 1), "name every column");
            if (const auto [before, isNew] = seen.emplace(column.name, i + 1); !isNew)
                return inputError("the header names " + inQuotes(column.name) + " twice, first as column " +
                                      std::to_string(before->second),
                                  m_reader.position(i + 1), "give every column a name of its own");
        }
        return {};
    }

    Result<void> addRow(const std::vector<CsvCell>& record) {
        const std::size_t columns = m_table.columns.size();
        if (record.size() != columns)
            return inputError("has " + std::to_string(record.size()) + " cells, and the first line has " +
                                  std::to_string(columns),
                              m_reader.position(),
                              m_reader.separator() == ',' ? "give every row as many cells; write 1.5 for 1,5"
                                                          : "give every row as many cells");
        if (m_table.rows() >= m_options.maxCells / static_cast<std::int64_t>(columns))
            return inputError("has more than " + std::to_string(m_options.maxCells) + " cells", m_reader.position(),
                              "split the table");
        if (m_table.hasHeader && isHeaderAgain(record))
            return inputError("repeats the header", m_reader.position(), "remove the line");
        for (std::size_t i = 0; i < columns; ++i) TY_TRY(addCell(record[i], i));
        m_table.lines.push_back(m_reader.line());
        return {};
    }

    bool isHeaderAgain(const std::vector<CsvCell>& record) const {
        return std::equal(record.begin(), record.end(), m_table.columns.begin(),
                          [](const CsvCell& cell, const Column& column) { return cell.text == column.name; });
    }

    Error wrong(const std::string& message, std::size_t column, const std::string& remedy) const {
        return inputError(
            message, m_reader.position(column + 1) + " (" + printable(m_table.columns[column].name, 60) + ")", remedy);
    }

    Result<void> addCell(const CsvCell& cell, std::size_t at) {
        Column& column = m_table.columns[at];
        const bool first = m_table.rows() == 0;
        if (standsForMissing(cell))
            return wrong(cell.text.empty() ? "the cell is empty" : inQuotes(cell.text) + " stands for a missing value",
                         at, "fill it in, remove the row, or quote a word that is meant");
        double number = 0;
        const Reading reading = readingOf(cell.text, number);
        if (first) column.isWords = reading == Reading::Word;
        if (reading == Reading::NotFinite && !column.isWords)
            return wrong(inQuotes(cell.text) + " is not a finite number", at, "remove the row, or fill in a number");
        if (reading == Reading::TooLarge && !column.isWords)
            return wrong(inQuotes(cell.text) + " is outside the range of numbers", at, "check the number");
        if (reading == Reading::Word && hasDecimalComma(cell.text) && !(column.isWords && cell.quoted && !first))
            return wrong(inQuotes(cell.text) + " has a decimal comma", at, "write it with a point");
        if (column.isWords) return addWord(cell, column, at, reading != Reading::Word);
        if (reading == Reading::Word)
            return wrong(inQuotes(cell.text) + " is not a number, as those above it are", at,
                         "correct the cell, or quote every cell of a column of words");
        column.numbers.push_back(number);
        return {};
    }

    Result<void> addWord(const CsvCell& cell, Column& column, std::size_t at, bool isNumber) {
        if (isNumber && !cell.quoted)
            return wrong(inQuotes(cell.text) + " is a number, and those above it are words", at,
                         "correct the cell, or quote it to make it a word");
        auto& places = m_places[at];
        const auto [found, isNew] = places.emplace(cell.text, static_cast<std::int32_t>(column.vocabulary.size()));
        if (isNew && (column.vocabulary.size() == kMaxWords || cell.text.size() > kMaxWordBytes))
            return wrong("the column has more than " + std::to_string(kMaxWords) +
                             " different words, or one longer than " + std::to_string(kMaxWordBytes) + " bytes",
                         at, "leave the column out (ignore), or turn it into numbers");
        if (isNew) column.vocabulary.push_back(cell.text);
        column.words.push_back(found->second);
        return {};
    }

    // The order of rows must not decide the number of a word.
    static void sortVocabulary(Column& column) {
        std::vector<std::int32_t> order(column.vocabulary.size()), index(order.size());
        std::iota(order.begin(), order.end(), 0);
        const auto word = [&](std::int32_t i) -> const std::string& {
            return column.vocabulary[static_cast<std::size_t>(i)];
        };
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return word(a) < word(b); });
        std::vector<std::string> sorted;
        for (std::size_t i = 0; i < order.size(); ++i) {
            index[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
            sorted.push_back(word(order[i]));
        }
        column.vocabulary = std::move(sorted);
        for (std::int32_t& code : column.words) code = index[static_cast<std::size_t>(code)];
    }

    CsvReader& m_reader;
    const TableOptions& m_options;
    Table& m_table;
    std::vector<std::unordered_map<std::string, std::int32_t>> m_places; // of each column's words
};

} // namespace

std::string Table::position(std::int64_t row, std::size_t column) const {
    return file + ", line " + std::to_string(lines[static_cast<std::size_t>(row)]) + ", column " +
           std::to_string(column + 1) + " (" + printable(columns[column].name, 60) + ")";
}

Result<Table> readTable(const std::filesystem::path& file, const TableOptions& options) {
    TY_ASSIGN(CsvReader reader, CsvReader::open(file, options.separator));
    Table table;
    table.file = file.string();
    TY_TRY(TableBuilder(reader, options, table).build());
    return table;
}

} // namespace trainyard::formats
