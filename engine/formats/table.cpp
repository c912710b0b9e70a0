// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"

#include "engine/base/text/printable.h"
#include "engine/formats/record_reader.h"
#include "engine/formats/table_column.h"
#include "engine/formats/table_header.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace trainyard::formats {

using Kind = ColumnRule::Kind;

namespace {

constexpr std::size_t kLookedAt = 200, kLookedAtBytes = 1u << 20; // records below the first line that may be a header
constexpr const char* kSayHeader = "set dataset.params.header to \"yes\" or \"no\"";

struct Record {
    std::vector<CsvCell> cells;
    std::int64_t line = 0;
};

Error hasChanged(const std::string& file) {
    return inputError("has changed while it was read", file, "start again when nothing writes to it");
}

// How rows are given away before all are read; without a taker they are dropped.
struct Pieces {
    std::int64_t rows = 0; // 0: all rows stay in the table
    std::function<Result<void>(const Table&)> take{};
};

// Reads a table once, by what is planned for its columns.
class TableBuilder {
public:
    TableBuilder(RecordReader& reader, const TableOptions& options, Table& table, const Pieces& pieces)
        : m_reader(reader), m_options(options), m_table(table), m_pieces(pieces) {}

    Result<void> build(const std::vector<ColumnPlan>& known) {
        TY_TRY(readHeader());
        if (!known.empty() && known.size() != m_table.columns.size()) return hasChanged(m_table.file);
        m_plans = known;
        if (known.empty())
            for (const ColumnRule& rule : m_rules)
                m_plans.push_back({.kind = rule.kind, .mayBeDates = rule.mayBeDates, .mayBeMany = rule.mayBeMany});
        m_builders.reserve(m_table.columns.size());
        m_firstMissing.resize(m_table.columns.size());
        for (std::size_t i = 0; i < m_table.columns.size(); ++i)
            m_builders.emplace_back(m_table.columns[i], m_plans[i]);
        for (const Record& record : m_ahead) TY_TRY(addRow(record));
        m_ahead = {};
        Record record;
        for (;;) {
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
    Result<std::optional<std::vector<ColumnPlan>>> betterPlans() {
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
    Result<void> checkRows() const {
        const std::string leftOut =
            std::to_string(m_table.leftOut) + " of " + std::to_string(m_table.leftOut + rows()) + " rows";
        if (m_missing > 0 && m_options.missing == Missing::Refuse) {
            const std::size_t column = columnToBlame();
            const auto& [line, text] = m_firstMissing[column];
            const bool isTarget = m_rules[column].mustBeThere; // which cannot be left out: its place is the row
            const std::string cell = isTarget ? "the cell of " + inQuotes(m_table.columns[column].name) : "the cell";
            const std::string many = m_missing > 1 ? "; missing in all: " + m_table.missingText() : "";
            return inputError(
                       (text.empty() ? cell + " is empty" : inQuotes(text) + " stands for a missing value") + many,
                       isTarget ? placeOf(line) : placeOf(line, column),
                       "fill it in; or set dataset.params.missing to \"drop\", which leaves out " + leftOut +
                           ", or to \"fill\"" + (isTarget ? "" : "; or leave the column out (dataset.params.ignore)"))
                .withCode(ErrorCode::DataUnreadable);
        }
        if (rows() > 0) return {};
        if (m_missing > 0)
            return inputError("every row has a missing cell: " + m_table.missingText(), m_table.file,
                              "set dataset.params.missing to \"fill\", or leave columns out (dataset.params.ignore)")
                .withCode(ErrorCode::DataUnreadable);
        return inputError("has a header and no rows", m_table.file, "add rows");
    }

    std::int64_t rows() const { return m_passed + m_table.rows(); } // those that were given away among them

private:
    Result<void> handOver() {
        m_passed += m_table.rows();
        for (ColumnBuilder& builder : m_builders) builder.prepare();
        if (m_pieces.take && m_table.rows() > 0) TY_TRY(m_pieces.take(m_table));
        for (ColumnBuilder& builder : m_builders) builder.drop();
        m_table.lines.clear();
        return {};
    }

    Result<bool> next(Record& record) {
        TY_ASSIGN(const bool more, m_reader.next(record.cells));
        record.line = m_reader.line();
        return more;
    }

    Result<void> readHeader() {
        Record first;
        TY_ASSIGN(const bool more, next(first));
        if (!more) return inputError("has no rows", m_table.file, "choose a file with a table in it");
        for (std::size_t bytes = 0; m_ahead.size() < kLookedAt && bytes < kLookedAtBytes;) {
            Record record;
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

    Result<void> judgeFirst(const Record& first) {
        const FirstRecord known = m_reader.first();
        m_table.hasHeader =
            known == FirstRecord::Unknown ? m_options.header == Header::Yes : known == FirstRecord::Names;
        if (m_options.header != Header::Auto || known != FirstRecord::Unknown) return {};
        std::vector<std::vector<CsvCell>> below;
        for (const Record& record : m_ahead) below.push_back(record.cells);
        const HeaderVerdict verdict = judgeHeader(first.cells, below);
        if (verdict == HeaderVerdict::Unclear)
            return inputError("the first line may name the columns or be a row", placeOf(first.line), kSayHeader);
        m_table.hasHeader = verdict == HeaderVerdict::Names;
        return {};
    }

    Result<void> nameColumns(const Record& first) {
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

    Result<void> addRow(const Record& record) {
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
        for (std::size_t i = 0; i < columns; ++i) {
            auto added = addCell(record, i);
            if (added) continue;
            Error wrong = added.error();
            wrong.where = placeOf(record.line, i);
            if (m_options.rules && !m_rules[i].mustBeThere) wrong.code = ErrorCode::FieldInvalid; // it can be left out
            return wrong;
        }
        m_table.lines.push_back(record.line);
        return {};
    }

    Result<void> addCell(const Record& record, std::size_t i) {
        if (m_watched[i]) return m_builders[i].watchUnnamed(record.cells[i], record.line);
        if (!m_rules[i].isRead) return {};
        if (record.cells[i].nested)
            return inputError("holds a list or an object, and a cell is one value", {},
                              "give each of its values a member of its own, or leave the column out "
                              "(dataset.params.ignore)");
        if (!m_builders[i].isMissing(record.cells[i])) return m_builders[i].add(record.cells[i]);
        m_builders[i].addMissing();
        return {};
    }

    // Counts the missing cells, and judges whether the row goes on without them.
    bool leavesOut(const Record& record) {
        bool leaves = false;
        for (std::size_t i = 0; i < m_builders.size(); ++i) {
            if (!m_rules[i].isRead || !m_builders[i].isMissing(record.cells[i])) continue;
            ++m_table.columns[i].missing;
            ++m_missing;
            if (m_firstMissing[i].line == 0) m_firstMissing[i] = {record.line, record.cells[i].text};
            leaves = leaves || m_options.missing != Missing::Keep || m_rules[i].mustBeThere;
        }
        return leaves;
    }

    // The column that lacks more cells than all others together; else the one with the first missing cell.
    std::size_t columnToBlame() const {
        std::size_t first = m_firstMissing.size();
        for (std::size_t i = 0; i < m_firstMissing.size(); ++i) {
            const std::int64_t line = m_firstMissing[i].line;
            if (line == 0) continue;
            if (2 * m_table.columns[i].missing > m_missing) return i;
            if (first == m_firstMissing.size() || line < m_firstMissing[first].line) first = i;
        }
        return first;
    }

    bool isHeaderAgain(const std::vector<CsvCell>& cells) const {
        return std::equal(cells.begin(), cells.end(), m_table.columns.begin(),
                          [](const CsvCell& cell, const Column& column) {
                              return cell.text == column.name || (column.isUnnamed && cell.text.empty());
                          });
    }

    // As the columns tell that can be read in one way only.
    char decimalMark() const {
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

    Result<NumberStyle> styleOf(std::size_t column) const {
        const ColumnBuilder& builder = m_builders[column];
        if (!builder.isNumbers()) return NumberStyle::Plain;
        const bool comma = m_table.decimal == ',';
        const auto may = [&](NumberStyle style) { return (builder.styles() & bitOf(style)) != 0; };
        if (may(NumberStyle::Plain) && !(comma && may(NumberStyle::Comma) && builder.hasPoints()))
            return NumberStyle::Plain;
        if (may(NumberStyle::CommaGroups) && may(NumberStyle::Comma) && m_table.decimal == 0 &&
            m_reader.separator() != ',')
            return inputError(
                "the column holds numbers that may have decimal commas or thousands separators, such as " +
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

    std::string placeOf(std::int64_t line) const {
        return m_table.file + ", " + m_table.lineWord + " " + std::to_string(line);
    }
    std::string placeOf(std::int64_t line, std::size_t column) const {
        return placeOf(line) + ", column " + std::to_string(column + 1) + " (" +
               printable(m_table.columns[column].name, 60) + ")";
    }

    struct FirstMissing {      // of a column
        std::int64_t line = 0; // 0: none is missing
        std::string text;
    };
    RecordReader& m_reader;
    const TableOptions& m_options;
    Table& m_table;
    std::vector<Record> m_ahead; // read to judge the first line
    std::vector<ColumnRule> m_rules;
    std::vector<bool> m_watched; // columns without a name, of which it is seen whether they number the rows
    std::vector<ColumnPlan> m_plans;
    std::vector<ColumnBuilder> m_builders;
    std::int64_t m_missing = 0;
    std::vector<FirstMissing> m_firstMissing; // of each column
    const Pieces& m_pieces;
    std::int64_t m_passed = 0; // rows that were given away
};

// Once, and once more where only the whole of a column tells how its numbers are written.
template <class Open>
Result<TableOutline> readTwice(const Open& open, const std::string& name, const TableOptions& options,
                               const Pieces& pieces) {
    std::vector<ColumnPlan> plans;
    for (;;) {
        TY_ASSIGN(const std::unique_ptr<RecordReader> reader, open());
        TableOutline read;
        read.table.file = name;
        read.table.lineWord = reader->lineWord();
        TableBuilder builder(*reader, options, read.table, pieces);
        TY_TRY(builder.build(plans));
        const bool again = !plans.empty();
        TY_ASSIGN(auto better, builder.betterPlans());
        if (better && !again) {
            plans = std::move(*better);
            continue;
        }
        TY_TRY(builder.checkRows());
        read.rows = builder.rows();
        return read;
    }
}

std::vector<ColumnPlan> plansOf(const Table& outline) {
    std::vector<ColumnPlan> plans;
    for (const Column& column : outline.columns)
        plans.push_back({.kind = column.isWords   ? Kind::Words
                                 : column.isDates ? Kind::Dates
                                                  : Kind::Numbers,
                         .style = column.style,
                         .mayBeMany = column.vocabulary.size() >= 1000});
    return plans;
}

} // namespace

std::string Table::position(std::int64_t row, std::size_t column) const {
    const std::string line =
        lines.empty() ? "" : ", " + lineWord + " " + std::to_string(lines[static_cast<std::size_t>(row)]);
    return file + line + ", column " + std::to_string(column + 1) + " (" + printable(columns[column].name, 60) + ")";
}

std::string Table::missingText() const {
    constexpr std::size_t kNamed = 8;
    std::string text;
    std::size_t named = 0, more = 0;
    for (const Column& column : columns) {
        if (column.missing == 0 || !column.isRead) continue;
        if (++named > kNamed) ++more;
        else text += (text.empty() ? "" : ", ") + std::to_string(column.missing) + " of " + inQuotes(column.name);
    }
    return more > 0 ? text + " and others of " + std::to_string(more) + " more columns" : text;
}

Result<Table> readTable(const std::filesystem::path& file, const TableOptions& options) {
    TY_ASSIGN(TableOutline read,
              readTwice([&] { return openRecords(file, options.separator); }, file.string(), options, {}));
    return std::move(read.table);
}

Result<TableOutline> outlineTable(const std::filesystem::path& file, const TableOptions& options) {
    constexpr std::int64_t kDropEvery = 4096; // rows
    return readTwice([&] { return openRecords(file, options.separator); }, file.string(), options,
                     {.rows = kDropEvery});
}

Result<void> eachPiece(const std::filesystem::path& file, const TableOptions& options, const TableOutline& outline,
                       std::int64_t rows, const std::function<Result<void>(const Table&)>& take) {
    TY_ASSIGN(const std::unique_ptr<RecordReader> reader, openRecords(file, options.separator));
    Table table;
    table.file = file.string();
    table.lineWord = reader->lineWord();
    table.decimal = outline.table.decimal;
    const Pieces pieces{rows, take};
    TableBuilder builder(*reader, options, table, pieces);
    TY_TRY(builder.build(plansOf(outline.table)));
    if (builder.rows() != outline.rows || table.leftOut != outline.table.leftOut ||
        table.columns.size() != outline.table.columns.size())
        return hasChanged(table.file);
    return {};
}

Result<Table> readTableText(std::string_view text, const std::string& name, const TableOptions& options) {
    const auto open = [&]() -> Result<std::unique_ptr<RecordReader>> {
        TY_ASSIGN(CsvReader reader, CsvReader::ofText(text, name, options.separator));
        return recordsOf(std::move(reader));
    };
    TY_ASSIGN(TableOutline read, readTwice(open, name, options, {}));
    return std::move(read.table);
}

} // namespace trainyard::formats
