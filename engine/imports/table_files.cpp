// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_files.h"

#include "engine/base/file_reader.h"
#include "engine/base/ids.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostLine = 1u << 20, kBlock = 1u << 18, kMostColumns = 10'000;
constexpr int kNoColumn = -1;

// Lines of a file without their ends. formats::CsvReader ends at the first fault of a data set; here a fault costs
// its row alone.
class Lines {
public:
    explicit Lines(FileReader file) : m_file(std::move(file)) {}

    // False at the end. The line is valid until the next call.
    Result<bool> next(std::string_view& line) {
        for (;;) {
            const auto end = m_text.find('\n', m_at);
            if (end != std::string::npos || (m_ended && m_at < m_text.size())) {
                line = std::string_view(m_text).substr(m_at, end == std::string::npos ? end : end - m_at);
                m_at = end == std::string::npos ? m_text.size() : end + 1;
                if (line.ends_with('\r')) line.remove_suffix(1);
                if (++m_number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
                return true;
            }
            if (m_ended) return false;
            m_text.erase(0, m_at);
            m_at = 0;
            if (m_text.size() > kMostLine)
                return inputError("a line has more than 1 MiB", where(m_number + 1), "is it a table of metrics?");
            const std::size_t had = m_text.size();
            m_text.resize(had + kBlock);
            TY_ASSIGN(const auto got, m_file.readSome(m_text.data() + had, static_cast<std::int64_t>(kBlock)));
            m_text.resize(had + static_cast<std::size_t>(got));
            m_ended = got == 0;
        }
    }
    std::string where() const { return where(m_number); }

private:
    std::string where(std::int64_t line) const { return m_file.name() + ", line " + std::to_string(line); }

    FileReader m_file;
    std::string m_text;
    std::size_t m_at = 0;
    std::int64_t m_number = 0;
    bool m_ended = false;
};

std::string_view withoutSpaces(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

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

int columnOf(const std::vector<std::string>& header, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (const auto at = std::find(header.begin(), header.end(), name); at != header.end())
            return static_cast<int>(at - header.begin());
    return kNoColumn;
}

// What the columns mean, by their names.
struct Header {
    std::vector<std::string> names;
    char separator = ',';
    int step = kNoColumn, epoch = kNoColumn, time = kNoColumn;
    int series = kNoColumn, value = kNoColumn; // of a table with a row for each value

    bool isLong() const { return series != kNoColumn && value != kNoColumn && step != kNoColumn; }
    bool isTable() const { return names.size() > 1 && (step != kNoColumn || epoch != kNoColumn); }
    bool isSeries(int column) const {
        return column != step && column != epoch && column != time && !names[static_cast<std::size_t>(column)].empty();
    }
};

Header headerOf(std::string_view line) {
    Header header;
    const auto count = [line](char c) { return std::count(line.begin(), line.end(), c); };
    for (const char each : {';', '\t'})
        if (count(each) > count(header.separator)) header.separator = each;
    std::vector<std::string_view> cells;
    split(line, header.separator, cells);
    if (cells.size() > kMostColumns) return header;
    for (const auto cell : cells) header.names.push_back(printable(cell));
    header.step = columnOf(header.names, {"step", "Step", "global_step", "_step", "training_iteration", "iteration",
                                          "time/total_timesteps", "total_timesteps", "timesteps_total"});
    header.epoch = columnOf(header.names, {"epoch", "Epoch"});
    header.time =
        columnOf(header.names, {"time_s", "time_total_s", "time/time_elapsed", "wall_time", "_timestamp", "timestamp"});
    header.series = columnOf(header.names, {"series", "metric", "tag", "key"});
    header.value = columnOf(header.names, {"value"});
    return header;
}

class TableReader {
public:
    TableReader(Header header, ImportedRun& run) : m_header(std::move(header)), m_run(run) {}

    void row(std::string_view line, const std::string& where) {
        split(line, m_header.separator, m_cells);
        if (m_cells.size() != m_header.names.size()) {
            m_run.skip({where,
                        "a row has " + std::to_string(m_cells.size()) + " cells, and the header " +
                            std::to_string(m_header.names.size()),
                        "correct the row"});
            return;
        }
        Point point;
        const auto at = position(m_header.step != kNoColumn ? m_header.step : m_header.epoch);
        if (!at) {
            m_run.skip({where, "a row has no whole number as its step", "correct the row"});
            return;
        }
        point.step = *at;
        if (m_header.epoch != kNoColumn) point.epoch = finite(m_header.epoch);
        if (m_header.time != kNoColumn) point.wallSeconds = finite(m_header.time);
        if (m_header.isLong()) return add(cell(m_header.series), m_header.value, point, where);
        for (int column = 0; column < static_cast<int>(m_cells.size()); ++column)
            if (m_header.isSeries(column)) add(m_header.names[static_cast<std::size_t>(column)], column, point, where);
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

    void add(std::string_view name, int column, Point point, const std::string& where) {
        const auto text = cell(column);
        if (text.empty()) return;
        const Number number = numberOf(text);
        if (number.tooLarge) {
            m_run.skip({where, printable(text, 40) + " does not fit into a double", "correct the number"});
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
Result<bool> readHeader(Lines& lines, Header& header) {
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return false;
        if (withoutSpaces(line).empty() || line.starts_with('#')) continue;
        header = headerOf(line);
        return header.isTable();
    }
}

} // namespace

bool isTableFile(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    if (!file) return false;
    Lines lines(std::move(*file));
    Header header;
    return readHeader(lines, header).valueOr(false);
}

Result<ImportedRun> readTableFile(const std::filesystem::path& path) {
    TY_ASSIGN(auto file, FileReader::open(path));
    Lines lines(std::move(file));
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
        if (!withoutSpaces(line).empty()) reader.row(line, lines.where());
    }
    run.dropEmptySeries();
    return run;
}

} // namespace trainyard::imports
