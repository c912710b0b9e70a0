// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_files.h"

#include "engine/base/text/printable.h"
#include "engine/imports/numbers.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

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

// What the columns mean, by their names.
struct Header {
    std::vector<std::string> names;
    std::vector<bool> isSeries;
    char separator = ',';
    int step = kNoColumn, epoch = kNoColumn, time = kNoColumn;
    int series = kNoColumn, value = kNoColumn; // of a table with a row for each value

    bool isLong() const { return series != kNoColumn && value != kNoColumn && step != kNoColumn; }
    bool isTable() const {
        return names.size() > 1 &&
               (step != kNoColumn || epoch != kNoColumn || std::any_of(names.begin(), names.end(), isTrainingLoss));
    }
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
    const std::string step = header.step == kNoColumn ? std::string() : header.name(header.step);
    for (int column = 0; column < static_cast<int>(header.names.size()); ++column)
        header.isSeries.push_back(column != header.step && column != header.epoch && column != header.time &&
                                  !header.name(column).empty() && !isWandbsOwn(header.name(column), step) &&
                                  !repeatsAnother(header.name(column), header.names));
}

// Columns of one name are series of their own: loss, loss.1, as pandas reads them.
void tellApart(std::vector<std::string>& names) {
    std::set<std::string> known;
    for (std::string& name : names) {
        const std::string given = name;
        for (int copy = 1; !known.insert(name).second; ++copy) name = given + "." + std::to_string(copy);
    }
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
    tellApart(header.names);
    return header;
}

// TensorBoard's own download of one series: its name is in that of the file, run-RUN-tag-SERIES.csv.
void nameByFile(Header& header, const std::filesystem::path& path) {
    constexpr std::string_view kTag = "-tag-";
    const std::string stem = path.stem().string();
    const auto at = stem.rfind(kTag);
    const bool isAlone = std::count(header.isSeries.begin(), header.isSeries.end(), true) == 1;
    if (header.value == kNoColumn || !isAlone || at == stem.npos || at + kTag.size() == stem.size()) return;
    header.names[static_cast<std::size_t>(header.value)] = printable(stem.substr(at + kTag.size()));
}

class TableReader {
public:
    TableReader(Header header, ImportedRun& run) : m_header(std::move(header)), m_run(run) {}

    void row(std::string_view line, const LinePieces& lines) {
        split(line, m_header.separator, m_cells);
        if (m_cells.size() != m_header.names.size()) {
            m_run.skip({lines.where(),
                        "a row has " + std::to_string(m_cells.size()) + " cells, and the header " +
                            std::to_string(m_header.names.size()),
                        "correct the row"});
            return;
        }
        const bool hasStep = m_header.step != kNoColumn;
        const auto at =
            m_steps.next({hasStep, m_header.epoch != kNoColumn}, finite(m_header.step), finite(m_header.epoch));
        if (!at)
            return m_run.skip({lines.where(),
                               hasStep ? "a row has no whole number as its step" : "a row has no number as its epoch",
                               "correct the row"});
        m_run.rowsAreSteps = m_steps.hasPartsOfEpochs();
        const Point point{.step = *at,
                          .wallSeconds = finite(m_header.time).value_or(0),
                          .epoch = finite(m_header.epoch).value_or(0),
                          .row = m_header.isLong() ? -1 : m_steps.row()};
        if (m_header.isLong()) return add(cell(m_header.series), m_header.value, point, lines);
        for (int column = 0; column < static_cast<int>(m_cells.size()); ++column)
            if (m_header.isSeries[static_cast<std::size_t>(column)]) add(m_header.name(column), column, point, lines);
    }

private:
    std::string_view cell(int column) const { return m_cells[static_cast<std::size_t>(column)]; }

    CellNumber number(int column) const { return cellNumber(cell(column), m_header.separator); }

    std::optional<double> finite(int column) const {
        const auto value = column == kNoColumn ? std::nullopt : number(column).value;
        return value && std::isfinite(*value) ? value : std::nullopt;
    }

    void add(std::string_view name, int column, Point point, const LinePieces& lines) {
        const auto text = cell(column);
        if (text.empty()) return;
        const CellNumber number = this->number(column);
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
    RowSteps m_steps{};
    std::vector<std::string_view> m_cells;
};

// Before the header: blank lines, and comments such as that of Stable-Baselines3.
bool isBeforeHeader(std::string_view line) { return withoutSpaces(line).empty() || line.starts_with('#'); }

Result<bool> readHeader(TextLines& lines, Header& header) {
    for (std::string_view line;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return false;
        if (isBeforeHeader(line)) continue;
        header = headerOf(line);
        return header.isTable();
    }
}

Error noTable(const Header& header, std::string where) {
    return inputError(header.names.size() < 2 ? "has no columns: its first line is no header"
                                              : "is not a table of metrics: its header has neither a step nor an epoch "
                                                "nor a loss",
                      std::move(where), "name a column step or epoch");
}

class TableStream : public SourceStream {
public:
    TableStream(std::filesystem::path path, ImportedRun& run)
        : m_path(std::move(path)), m_lines(m_path.string(), kMostLine), m_run(run) {}

    Result<void> add(std::string_view bytes) override {
        return m_lines.add(bytes, [this](std::string_view line) { return read(line); });
    }
    Result<void> end() override {
        TY_TRY(m_lines.end([this](std::string_view line) { return read(line); }));
        if (!m_reader) return noTable({}, m_lines.where());
        return {};
    }

private:
    Result<void> read(std::string_view line) {
        if (m_reader) {
            if (!withoutSpaces(line).empty()) m_reader->row(line, m_lines);
            return {};
        }
        if (isBeforeHeader(line)) return {};
        Header header = headerOf(line);
        if (!header.isTable()) return noTable(header, m_lines.where());
        nameByFile(header, m_path);
        m_reader.emplace(std::move(header), m_run);
        return {};
    }

    std::filesystem::path m_path;
    LinePieces m_lines;
    ImportedRun& m_run;
    std::optional<TableReader> m_reader{};
};

} // namespace

std::optional<TableMapping> mappingOfTable(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    if (!file) return std::nullopt;
    TextLines lines(std::move(*file), kMostLine);
    Header header;
    if (!readHeader(lines, header).valueOr(false)) return std::nullopt;
    nameByFile(header, path);
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

std::unique_ptr<SourceStream> tableStream(const std::filesystem::path& path, ImportedRun& run) {
    return std::make_unique<TableStream>(path, run);
}

Result<ImportedRun> readTableFile(const std::filesystem::path& path) {
    ImportedRun run;
    TableStream stream(path, run);
    TY_TRY(readWhole(path, stream));
    run.settle();
    return run;
}

} // namespace trainyard::imports
