// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"

#include "engine/base/text/printable.h"
#include "engine/formats/record_reader.h"
#include "engine/formats/table_builder.h"

#include <optional>

namespace trainyard::formats {

using Kind = ColumnRule::Kind;

namespace {

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
        return tableHasChanged(table.file);
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
