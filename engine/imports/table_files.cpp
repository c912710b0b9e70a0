// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_files.h"

#include "engine/base/ids.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostLine = 1u << 20, kMostColumns = 10'000;
constexpr int kNoColumn = -1;

// A separator between quotation marks is part of a cell.
void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
    cells.clear();
    bool quoted = false;
    std::size_t from = 0;
    for (std::size_t at = 0; at <= line.size(); ++at) {
        if (at < line.size() && line[at] == '"') quoted = !quoted;
        if (at < line.size() && (quoted || line[at] != separator)) continue;
        auto cell = withoutSpaces(line.substr(from, at - from));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
        cells.push_back(cell);
        from = at + 1;
    }
}

struct Number {
    std::optional<double> value{};
    bool tooLarge = false;
};

Number numberOf(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (end != cell.data() + cell.size()) return {};
    if (error == std::errc::result_out_of_range) return {.tooLarge = true};
    return error == std::errc() ? Number{value} : Number{};
}

// What the columns mean, by their names.
struct Header {
    std::vector<std::string> names;
    std::vector<bool> isSeries;
    char separator = ',';
    int step = kNoColumn, epoch = kNoColumn, time = kNoColumn;
    int series = kNoColumn, value = kNoColumn; // of a table with a row for each value

    bool isLong() const { return series != kNoColumn && value != kNoColumn && step != kNoColumn; }
    bool isTable() const { return names.size() > 1 && (step != kNoColumn || epoch != kNoColumn); }
    const std::string& name(int column) const { return names[static_cast<std::size_t>(column)]; }
};

// W&B's window exports each series with its smallest and greatest value between two rows: the same points again.
bool repeatsAnother(const std::string& name, const std::vector<std::string>& names) {
    for (const std::string_view suffix : {"__MIN", "__MAX"})
        if (name.ends_with(suffix) &&
            std::find(names.begin(), names.end(), name.substr(0, name.size() - suffix.size())) != names.end())
            return true;
    return false;
}

// The columns that mean something other than a series: of several that could, the one that comes first in SOURCES.md.
void findColumns(Header& header) {
    using Role = ColumnMeaning::Role;
    std::map<Role, std::pair<int, int>> chosen; // place, column
    for (int column = 0; column < static_cast<int>(header.names.size()); ++column) {
        const ColumnMeaning meaning = meaningOf(header.name(column));
        const auto known = chosen.find(meaning.role);
        if (known == chosen.end() || meaning.place < known->second.first)
            chosen[meaning.role] = {meaning.place, column};
    }
    const auto columnOf = [&](Role role) {
        const auto found = chosen.find(role);
        return found == chosen.end() ? kNoColumn : found->second.second;
    };
    header.step = columnOf(Role::Step);
    header.epoch = columnOf(Role::Epoch);
    header.time = columnOf(Role::Time);
    header.series = columnOf(Role::Name);
    header.value = columnOf(Role::Value);
    for (int column = 0; column < static_cast<int>(header.names.size()); ++column)
        header.isSeries.push_back(column != header.step && column != header.epoch && column != header.time &&
                                  !header.name(column).empty() && !repeatsAnother(header.name(column), header.names));
}

Header headerOf(std::string_view line) {
    Header header;
    const auto count = [line](char c) { return std::count(line.begin(), line.end(), c); };
    for (const char each : {';', '\t'})
        if (count(each) > count(header.separator)) header.separator = each;
    std::vector<std::string_view> cells;
    split(line, header.separator, cells);
    if (cells.size() > kMostColumns) return header;
    for (const auto cell : cells) header.names.push_back(printable(cell));
    findColumns(header);
    return header;
}

class TableReader {
public:
    TableReader(Header header, ImportedRun& run) : m_header(std::move(header)), m_run(run) {}

    void row(std::string_view line, const TextLines& lines) {
        split(line, m_header.separator, m_cells);
        if (m_cells.size() != m_header.names.size()) {
            m_run.skip({lines.where(),
                        "a row has " + std::to_string(m_cells.size()) + " cells, and the header " +
                            std::to_string(m_header.names.size()),
                        "correct the row"});
            return;
        }
        Point point;
        const auto at = position(m_header.step != kNoColumn ? m_header.step : m_header.epoch);
        if (!at) {
            m_run.skip({lines.where(), "a row has no whole number as its step", "correct the row"});
            return;
        }
        point.step = *at;
        if (m_header.epoch != kNoColumn) point.epoch = finite(m_header.epoch);
        if (m_header.time != kNoColumn) point.wallSeconds = finite(m_header.time);
        if (m_header.isLong()) return add(cell(m_header.series), m_header.value, point, lines);
        for (int column = 0; column < static_cast<int>(m_cells.size()); ++column)
            if (m_header.isSeries[static_cast<std::size_t>(column)]) add(m_header.name(column), column, point, lines);
    }

private:
    std::string_view cell(int column) const { return m_cells[static_cast<std::size_t>(column)]; }

    double finite(int column) const {
        const auto value = numberOf(cell(column)).value;
        return value && std::isfinite(*value) ? *value : 0;
    }

    // 12 and 12.0, as pandas writes whole numbers beside gaps.
    std::optional<std::int64_t> position(int column) const {
        const auto value = numberOf(cell(column)).value;
        if (!value || std::abs(*value) > 9e15 || *value != std::floor(*value)) return std::nullopt;
        return static_cast<std::int64_t>(*value);
    }

    void add(std::string_view name, int column, Point point, const TextLines& lines) {
        const auto text = cell(column);
        if (text.empty()) return;
        const Number number = numberOf(text);
        if (number.tooLarge) {
            m_run.skip({lines.where(), printable(text, 40) + " does not fit into a double", "correct the number"});
        } else if (!number.value) {
            ++m_run.otherValues;
        } else {
            point.value = *number.value;
            m_run.add(name, point);
        }
    }

    Header m_header;
    ImportedRun& m_run;
    std::vector<std::string_view> m_cells;
};

// The first line that is neither blank nor a comment, such as that of Stable-Baselines3.
Result<bool> readHeader(TextLines& lines, Header& header) {
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return false;
        if (withoutSpaces(line).empty() || line.starts_with('#')) continue;
        header = headerOf(line);
        return header.isTable();
    }
}

} // namespace

std::optional<TableMapping> mappingOfTable(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    if (!file) return std::nullopt;
    TextLines lines(std::move(*file), kMostLine);
    Header header;
    if (!readHeader(lines, header).valueOr(false)) return std::nullopt;
    const auto nameOf = [&](int column) { return column == kNoColumn ? std::string() : header.name(column); };
    TableMapping mapping{nameOf(header.step), nameOf(header.epoch), nameOf(header.time), {}, {}, {}};
    if (header.isLong()) {
        mapping.name = nameOf(header.series);
        mapping.value = nameOf(header.value);
        return mapping;
    }
    for (std::size_t column = 0; column < header.names.size(); ++column)
        if (header.isSeries[column]) mapping.series.push_back(header.names[column]);
    return mapping;
}

Result<ImportedRun> readTableFile(const std::filesystem::path& path) {
    TY_ASSIGN(auto file, FileReader::open(path));
    TextLines lines(std::move(file), kMostLine);
    Header header;
    TY_ASSIGN(const bool isTable, readHeader(lines, header));
    if (!isTable)
        return inputError("is no table of metrics: its header has neither a step nor an epoch", path.string(),
                          "name a column step or epoch");
    ImportedRun run;
    TableReader reader(std::move(header), run);
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) break;
        if (!withoutSpaces(line).empty()) reader.row(line, lines);
    }
    run.dropEmptySeries();
    return run;
}

} // namespace trainyard::imports
