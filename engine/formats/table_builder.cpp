// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table_builder.h"

#include "engine/base/machine/cores.h"
#include "engine/base/text/printable.h"
#include "engine/formats/table_header.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace trainyard::formats {

namespace {

constexpr std::size_t kLookedAt = 200, kLookedAtBytes = 1u << 20; // records below the first line that may be a header
constexpr std::size_t kLeastAtOnce = 1u << 16;                    // bytes of lines, where many are not plain
constexpr int kMostThreads = 8;
constexpr const char* kSayHeader = "set dataset.params.header to \"yes\" or \"no\"";

int threadsForRows() { return std::min(kMostThreads, availableCores()); }

} // namespace

Error tableHasChanged(const std::string& file) {
    return inputError("has changed while it was read", file, "start again when nothing writes to it");
}

Result<void> TableBuilder::build(const std::vector<ColumnPlan>& known) {
    TY_TRY(readHeader());
    if (!known.empty() && known.size() != m_table.columns.size()) return tableHasChanged(m_table.file);
    m_plans = known;
    if (known.empty())
        for (const ColumnRule& rule : m_rules)
            m_plans.push_back({.kind = rule.kind, .mayBeDates = rule.mayBeDates, .mayBeMany = rule.mayBeMany});
    m_builders.reserve(m_table.columns.size());
    m_firstMissing.resize(m_table.columns.size());
    for (std::size_t i = 0; i < m_table.columns.size(); ++i) m_builders.emplace_back(m_table.columns[i], m_plans[i]);
    for (const TableRecord& record : m_ahead) TY_TRY(addRow(record));
    m_ahead = {};
    TableRecord record;
    m_atOnce = m_options.atOnce * static_cast<std::size_t>(threadsForRows());
    for (;;) {
        if (m_atOnce > 0 && --m_wait < 0) TY_TRY(addPlainRows());
        TY_ASSIGN(const bool more, next(record));
        if (!more) break;
        TY_TRY(addRow(record));
        if (m_pieces.rows > 0 && m_table.rows() >= m_pieces.rows) TY_TRY(handOver());
    }
    if (m_pieces.rows > 0) TY_TRY(handOver());
    for (ColumnBuilder& builder : m_builders) builder.finish();
    return {};
}

// What another reading should know; nothing: this one was right.
Result<std::optional<std::vector<ColumnPlan>>> TableBuilder::betterPlans() {
    m_table.decimal = decimalMark();
    std::vector<ColumnPlan> plans = m_plans;
    bool differs = false;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!m_rules[i].isRead) continue;
        TY_ASSIGN(const NumberStyle style, styleOf(i));
        m_table.columns[i].style = style;
        if (style == plans[i].style && !m_builders[i].quotedEarly()) continue;
        plans[i].kind = m_builders[i].kind();
        plans[i].style = style;
        differs = true;
    }
    return differs ? std::optional(plans) : std::nullopt;
}

// Once all is read: is there anything, and is anything missing that may not be?
Result<void> TableBuilder::checkRows() const {
    const std::string leftOut =
        std::to_string(m_table.leftOut) + " of " + std::to_string(m_table.leftOut + rows()) + " rows";
    if (m_missing > 0 && m_options.missing == Missing::Refuse) {
        const std::size_t column = columnToBlame();
        const auto& [line, text] = m_firstMissing[column];
        const bool isTarget = m_rules[column].mustBeThere; // which cannot be left out: its place is the row
        const std::string cell = isTarget ? "the cell of " + inQuotes(m_table.columns[column].name) : "the cell";
        const std::string many = m_missing > 1 ? "; missing in all: " + m_table.missingText() : "";
        return inputError((text.empty() ? cell + " is empty" : inQuotes(text) + " stands for a missing value") + many,
                          isTarget ? placeOf(line) : placeOf(line, column),
                          "fill it in; or set dataset.params.missing to \"drop\", which leaves out " + leftOut +
                              ", or to \"fill\"" +
                              (isTarget ? "" : "; or leave the column out (dataset.params.ignore)"))
            .withCode(ErrorCode::DataUnreadable);
    }
    if (rows() > 0) return {};
    if (m_missing > 0)
        return inputError("every row has a missing cell: " + m_table.missingText(), m_table.file,
                          "set dataset.params.missing to \"fill\", or leave columns out (dataset.params.ignore)")
            .withCode(ErrorCode::DataUnreadable);
    return inputError("has a header and no rows", m_table.file, "add rows");
}

Result<void> TableBuilder::handOver() {
    m_passed += m_table.rows();
    for (ColumnBuilder& builder : m_builders) builder.prepare();
    if (m_pieces.take && m_table.rows() > 0) TY_TRY(m_pieces.take(m_table));
    for (ColumnBuilder& builder : m_builders) builder.drop();
    m_table.lines.clear();
    return {};
}

// The rows that come next, as far as they are plain; the one behind them is for addRow(). Where few are, fewer are
// tried, and that less often.
Result<void> TableBuilder::addPlainRows() {
    constexpr std::int64_t kWorthIt = 64;
    const std::size_t most = m_options.atOnce * static_cast<std::size_t>(threadsForRows());
    std::int64_t added = 0;
    for (;;) {
        TY_ASSIGN(const PlainText next, m_reader.lines(m_atOnce));
        const auto columns = static_cast<std::int64_t>(m_table.columns.size());
        const std::int64_t mostRows = static_cast<std::int64_t>(next.text.size()) / columns;
        if (next.text.empty() || rows() + mostRows >= m_options.maxCells / columns) break;
        m_form = plainForm();
        readPlainRows(next.text, m_form, threadsForRows(), m_plain);
        if (m_pieces.rows == 0 && !std::exchange(m_hasRoom, true)) reserveFor(next);
        std::size_t bytes = 0;
        std::int64_t line = next.line;
        bool whole = true;
        for (PlainRows& part : m_plain) {
            TY_TRY(addPlain(part, line));
            added += part.rows;
            bytes += part.bytes;
            line += part.passed;
            whole = part.isWhole;
            if (!whole) break;
        }
        m_reader.pass(bytes, line - next.line);
        if (!whole) {
            m_atOnce = std::clamp(2 * bytes, std::min(kLeastAtOnce, most), m_atOnce);
            break;
        }
        m_atOnce = std::min(2 * m_atOnce, most);
    }
    m_pause = added >= kWorthIt ? 0 : std::min<std::int64_t>(2 * m_pause + 1, 1024);
    m_wait = m_pause;
    return {};
}

// As many rows as will come if the others are as long as these: lists that grow are copied over and over.
void TableBuilder::reserveFor(const PlainText& next) {
    double rows = 0, bytes = 1;
    for (const PlainRows& part : m_plain) {
        rows += static_cast<double>(part.rows);
        bytes += static_cast<double>(part.bytes);
    }
    const double all = rows * (1 + static_cast<double>(next.after) / bytes) * 1.02;
    if (next.after == 0 || all * 8 > static_cast<double>(next.after) * 64) return; // not by what a few odd rows say
    for (ColumnBuilder& builder : m_builders) builder.expect(static_cast<std::size_t>(all));
    m_table.lines.reserve(static_cast<std::size_t>(all));
}

PlainForm TableBuilder::plainForm() const {
    PlainForm form{.separator = m_reader.separator()};
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        const bool mayMiss = m_options.missing == Missing::Keep && !m_rules[i].mustBeThere;
        form.columns.push_back(m_watched[i]        ? PlainColumn{PlainColumn::Kind::Cells, true}
                               : m_rules[i].isRead ? m_builders[i].plain(mayMiss)
                                                   : PlainColumn());
    }
    if (m_table.hasHeader) {
        form.firstName = m_table.columns.front().name;
        form.isUnnamed = m_table.columns.front().isUnnamed;
    }
    return form;
}

Result<void> TableBuilder::addPlain(PlainRows& part, std::int64_t firstLine) {
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
        if (!m_rules[i].isRead || isCells(i)) continue;
        PlainCells& cells = part.columns[i];
        m_builders[i].beginPlain(cells, part.rows);
        m_missing += cells.missing;
        if (cells.missing > 0) noteMissing(i, firstLine + part.lines[static_cast<std::size_t>(cells.firstMissing)]);
    }
    for (std::int64_t from = 0; from < part.rows;) {
        const std::int64_t room = m_pieces.rows > 0 ? m_pieces.rows - m_table.rows() : part.rows;
        const std::int64_t count = std::min(room, part.rows - from);
        TY_TRY(addCells(part, firstLine, from, count));
        for (std::size_t i = 0; i < part.columns.size(); ++i)
            if (m_rules[i].isRead && !isCells(i)) m_builders[i].addPlain(part.columns[i], from, count);
        for (std::int64_t row = from; row < from + count; ++row)
            m_table.lines.push_back(firstLine + part.lines[static_cast<std::size_t>(row)]);
        from += count;
        if (m_pieces.rows > 0 && m_table.rows() >= m_pieces.rows) TY_TRY(handOver());
    }
    return {};
}

// Columns whose cells are looked at one by one, in the order of the file.
Result<void> TableBuilder::addCells(const PlainRows& part, std::int64_t firstLine, std::int64_t from,
                                    std::int64_t count) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < part.columns.size(); ++i)
        if (m_watched[i] || (m_rules[i].isRead && isCells(i))) places.push_back(i);
    if (places.empty()) return {};
    for (std::int64_t row = from; row < from + count; ++row) {
        const std::int64_t line = firstLine + part.lines[static_cast<std::size_t>(row)];
        for (const std::size_t i : places) {
            const CsvCell cell{std::string(part.columns[i].cells[static_cast<std::size_t>(row)])};
            if (!m_watched[i] && m_builders[i].isMissing(cell)) {
                ++m_table.columns[i].missing;
                ++m_missing;
                noteMissing(i, line);
            }
            TY_TRY(addCell(cell, line, i));
        }
    }
    return {};
}

void TableBuilder::noteMissing(std::size_t column, std::int64_t line, const std::string& text) {
    if (m_firstMissing[column].line == 0) m_firstMissing[column] = {line, text};
}

Result<bool> TableBuilder::next(TableRecord& record) {
    TY_ASSIGN(const bool more, m_reader.next(record.cells));
    record.line = m_reader.line();
    return more;
}

Result<void> TableBuilder::readHeader() {
    TableRecord first;
    TY_ASSIGN(const bool more, next(first));
    if (!more) return inputError("has no rows", m_table.file, "choose a file with a table in it");
    for (std::size_t bytes = 0; m_ahead.size() < kLookedAt && bytes < kLookedAtBytes;) {
        TableRecord record;
        TY_ASSIGN(const bool another, next(record));
        if (!another) break;
        for (const CsvCell& cell : record.cells) bytes += sizeof(CsvCell) + cell.text.size();
        m_ahead.push_back(std::move(record));
    }
    TY_TRY(judgeFirst(first));
    TY_TRY(nameColumns(first));
    if (!m_table.hasHeader) m_ahead.insert(m_ahead.begin(), std::move(first));
    m_rules.resize(m_table.columns.size());
    if (m_options.rules) { TY_ASSIGN(m_rules, m_options.rules(m_table)); }
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        Column& column = m_table.columns[i];
        m_watched.push_back(m_rules[i].isRead && column.isUnnamed && !m_rules[i].mustBeThere);
        if (m_watched[i]) m_rules[i].isRead = false;
        column.isRead = m_rules[i].isRead;
        column.isEmpty = m_watched[i];
    }
    return {};
}

Result<void> TableBuilder::judgeFirst(const TableRecord& first) {
    const FirstRecord known = m_reader.first();
    m_table.hasHeader = known == FirstRecord::Unknown ? m_options.header == Header::Yes : known == FirstRecord::Names;
    if (m_options.header != Header::Auto || known != FirstRecord::Unknown) return {};
    std::vector<std::vector<CsvCell>> below;
    for (const TableRecord& record : m_ahead) below.push_back(record.cells);
    const HeaderVerdict verdict = judgeHeader(first.cells, below);
    if (verdict == HeaderVerdict::Unclear)
        return inputError("the first line may name the columns or be a row", placeOf(first.line), kSayHeader);
    m_table.hasHeader = verdict == HeaderVerdict::Names;
    return {};
}

Result<void> TableBuilder::nameColumns(const TableRecord& first) {
    m_table.columns.resize(first.cells.size());
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < first.cells.size(); ++i) {
        Column& column = m_table.columns[i];
        column.name = m_table.hasHeader ? first.cells[i].text : "column " + std::to_string(i + 1);
        column.isUnnamed = column.name.empty();
        if (column.isUnnamed) column.name = "Unnamed: " + std::to_string(i); // as pandas calls it
        if (const auto [before, isNew] = seen.emplace(column.name, i + 1); !isNew)
            return inputError("the header names " + inQuotes(column.name) + " twice, first as column " +
                                  std::to_string(before->second),
                              placeOf(first.line) + ", column " + std::to_string(i + 1),
                              "give every column a name of its own");
    }
    return {};
}

Result<void> TableBuilder::addRow(const TableRecord& record) {
    const std::size_t columns = m_table.columns.size();
    if (record.cells.size() != columns)
        return inputError("has " + std::to_string(record.cells.size()) + " cells, and the first line has " +
                              std::to_string(columns),
                          placeOf(record.line),
                          m_reader.separator() == ',' ? "give every row as many cells; write 1.5 for 1,5"
                                                      : "give every row as many cells");
    if (rows() >= m_options.maxCells / static_cast<std::int64_t>(columns))
        return inputError("has more than " + std::to_string(m_options.maxCells) + " cells", placeOf(record.line),
                          "split the table");
    if (m_table.hasHeader && isHeaderAgain(record.cells))
        return inputError("repeats the header", placeOf(record.line), "remove the line");
    if (leavesOut(record)) {
        ++m_table.leftOut;
        for (std::size_t i = 0; i < columns; ++i)
            if (m_rules[i].isRead) m_builders[i].leaveOut(record.cells[i]);
        return {};
    }
    for (std::size_t i = 0; i < columns; ++i) TY_TRY(addCell(record.cells[i], record.line, i));
    m_table.lines.push_back(record.line);
    return {};
}

Result<void> TableBuilder::addCell(const CsvCell& cell, std::int64_t line, std::size_t i) {
    const auto add = [&]() -> Result<void> {
        if (m_watched[i]) return m_builders[i].watchUnnamed(cell, line);
        if (!m_rules[i].isRead) return {};
        if (cell.nested)
            return inputError("holds a list or an object, and a cell is one value", {},
                              "give each of its values a member of its own, or leave the column out "
                              "(dataset.params.ignore)");
        if (!m_builders[i].isMissing(cell)) return m_builders[i].add(cell);
        m_builders[i].addMissing();
        return {};
    };
    auto added = add();
    if (added) return {};
    Error wrong = std::move(added).error();
    wrong.where = placeOf(line, i);
    if (m_options.rules && !m_rules[i].mustBeThere) wrong.code = ErrorCode::FieldInvalid; // it can be left out
    return wrong;
}

// Counts the missing cells, and judges whether the row goes on without them.
bool TableBuilder::leavesOut(const TableRecord& record) {
    bool leaves = false;
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        if (!m_rules[i].isRead || !m_builders[i].isMissing(record.cells[i])) continue;
        ++m_table.columns[i].missing;
        ++m_missing;
        noteMissing(i, record.line, record.cells[i].text);
        leaves = leaves || m_options.missing != Missing::Keep || m_rules[i].mustBeThere;
    }
    return leaves;
}

// The column that lacks more cells than all others together; else the one with the first missing cell.
std::size_t TableBuilder::columnToBlame() const {
    std::size_t first = m_firstMissing.size();
    for (std::size_t i = 0; i < m_firstMissing.size(); ++i) {
        const std::int64_t line = m_firstMissing[i].line;
        if (line == 0) continue;
        if (2 * m_table.columns[i].missing > m_missing) return i;
        if (first == m_firstMissing.size() || line < m_firstMissing[first].line) first = i;
    }
    return first;
}

bool TableBuilder::isHeaderAgain(const std::vector<CsvCell>& cells) const {
    return std::equal(cells.begin(), cells.end(), m_table.columns.begin(),
                      [](const CsvCell& cell, const Column& column) {
                          return cell.text == column.name || (column.isUnnamed && cell.text.empty());
                      });
}

// As the columns tell that can be read in one way only.
char TableBuilder::decimalMark() const {
    if (m_options.decimal != 0) return m_options.decimal;
    constexpr NumberStyles kCommas = bitOf(NumberStyle::Comma) | bitOf(NumberStyle::GapsComma);
    bool commas = false, points = false;
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        const NumberStyles styles = m_builders[i].styles();
        if (!m_rules[i].isRead || !m_builders[i].isNumbers()) continue;
        commas = commas || (styles & ~kCommas) == 0;
        points = points || (styles & kCommas) == 0;
    }
    if (commas != points) return commas ? ',' : '.';
    return commas ? '\0' : m_options.likelyDecimal;
}

Result<NumberStyle> TableBuilder::styleOf(std::size_t column) const {
    const ColumnBuilder& builder = m_builders[column];
    if (!builder.isNumbers()) return NumberStyle::Plain;
    const bool comma = m_table.decimal == ',';
    const auto may = [&](NumberStyle style) { return (builder.styles() & bitOf(style)) != 0; };
    if (may(NumberStyle::Plain) && !(comma && may(NumberStyle::Comma) && builder.hasPoints()))
        return NumberStyle::Plain;
    if (may(NumberStyle::CommaGroups) && may(NumberStyle::Comma) && m_table.decimal == 0 && m_reader.separator() != ',')
        return inputError("the column holds numbers that may have decimal commas or thousands separators, such as " +
                              inQuotes(m_table.columns[column].example),
                          m_table.file + ", column " + std::to_string(column + 1) + " (" +
                              printable(m_table.columns[column].name, 60) + ")",
                          "set dataset.params.decimal to \"comma\" or \"point\"");
    static constexpr std::array kPoint{NumberStyle::CommaGroups, NumberStyle::Gaps, NumberStyle::Comma,
                                       NumberStyle::GapsComma, NumberStyle::Plain};
    static constexpr std::array kComma{NumberStyle::Comma, NumberStyle::GapsComma, NumberStyle::CommaGroups,
                                       NumberStyle::Gaps, NumberStyle::Plain};
    const auto& order = comma ? kComma : kPoint;
    return *std::find_if(order.begin(), order.end(), may);
}

std::string TableBuilder::placeOf(std::int64_t line) const {
    return m_table.file + ", " + m_table.lineWord + " " + std::to_string(line);
}

std::string TableBuilder::placeOf(std::int64_t line, std::size_t column) const {
    return placeOf(line) + ", column " + std::to_string(column + 1) + " (" +
           printable(m_table.columns[column].name, 60) + ")";
}

} // namespace trainyard::formats
