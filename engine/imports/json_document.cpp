// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_document.h"

#include "engine/base/files/file_reader.h"
#include "engine/imports/text_lines.h"

#include <algorithm>

namespace trainyard::imports {
namespace {

constexpr std::int64_t kMostDocument = std::int64_t{64} << 20;
constexpr std::string_view kHistory = "history/"; // of Keras' History, written with its parameters

using Rows = std::vector<std::string_view>;

// A list of numbers, with gaps.
struct Column {
    std::string name;
    std::vector<JsonValue> values{};
};

// The rows of a document, in one of both forms.
struct Document {
    Rows rows{};
    std::vector<Column> columns{};
    JsonRow facts{};

    bool isLog() const { return !rows.empty() || !columns.empty(); }
};

// The elements of a list of rows; none for another list.
Rows rowsOf(std::string_view list) {
    Rows rows;
    if (!readJsonElements(list, [&](std::string_view element) { rows.push_back(element); })) return {};
    JsonRow first;
    const bool isLog = !rows.empty() && first.read(rows.front()) && first.isMetrics();
    return isLog ? rows : Rows{};
}

std::optional<Column> columnOf(std::string_view name, std::string_view list) {
    if (name.starts_with(kHistory)) name.remove_prefix(kHistory.size());
    Column column{std::string(name)};
    bool allNumbers = true;
    readJsonElements(list, [&](std::string_view element) {
        readJsonValue(element, {}, '/', [&](std::string_view, const JsonValue& value) {
            column.values.push_back(value);
            allNumbers = allNumbers && (value.isNumber() || value.kind == JsonValue::Kind::Null);
        });
    });
    return allNumbers && !column.values.empty() ? std::optional(std::move(column)) : std::nullopt;
}

bool isHistory(const std::vector<Column>& columns) {
    return std::any_of(columns.begin(), columns.end(), [](const Column& each) { return each.name.ends_with("loss"); });
}

// The values refer to the text.
Document documentOf(std::string_view text) {
    Document document;
    document.rows = rowsOf(text);
    if (document.isLog()) return document;
    const bool isObject = readJsonObject(text, '/', [&](std::string_view path, const JsonValue& value) {
        if (value.kind != JsonValue::Kind::List) return document.facts.add(path, value);
        if (auto rows = rowsOf(value.text); rows.size() > document.rows.size()) document.rows = std::move(rows);
        else if (auto column = columnOf(path, value.text)) document.columns.push_back(std::move(*column));
    });
    if (!isObject) return {};
    if (!document.rows.empty() || !isHistory(document.columns)) document.columns.clear();
    const JsonRow& all = document.facts;
    const bool isRow = all.hasPosition() && all.isMetrics() && all.measures(); // else settings, or a summary of a run
    if (!document.isLog() && isRow) document.rows = {text};
    return document;
}

// The values of all columns at one place, which is the epoch unless a column is one.
JsonRow rowAt(const std::vector<Column>& columns, std::size_t at) {
    using Role = ColumnMeaning::Role;
    JsonRow row;
    for (const Column& each : columns)
        if (at < each.values.size()) row.add(each.name, each.values[at]);
    if (row.of(Role::Step) == nullptr && row.of(Role::Epoch) == nullptr)
        row.add("epoch", {.kind = JsonValue::Kind::Number, .number = static_cast<double>(at)});
    return row;
}

std::size_t longest(const std::vector<Column>& columns) {
    std::size_t most = 0;
    for (const Column& each : columns) most = std::max(most, each.values.size());
    return most;
}

// By the first byte: most files are not read further.
Result<std::string> textOf(const std::filesystem::path& path) {
    TY_ASSIGN(auto file, FileReader::open(path));
    std::string text(1, '\0');
    TY_ASSIGN(auto got, file.readSome(text.data(), 1));
    if (got == 0 || std::string_view("{[\n\r \t\xEF").find(text.front()) == std::string_view::npos)
        return std::string();
    for (constexpr std::size_t kBlock = 1u << 18; got > 0;) {
        const std::size_t before = text.size();
        if (std::ssize(text) > kMostDocument) return std::string();
        text.resize(before + kBlock);
        TY_ASSIGN(got, file.readSome(text.data() + before, static_cast<std::int64_t>(kBlock)));
        text.resize(before + static_cast<std::size_t>(got));
    }
    return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

Error whyNoLog(std::string_view text, const std::string& path) {
    const bool isLine = readJsonObject(text.substr(0, text.find('\n')), '/', [](std::string_view, const JsonValue&) {});
    if (const auto fault = jsonFault(text); fault && !text.empty() && !isLine) {
        const auto before = text.substr(0, *fault);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        if (withoutSpaces(text.substr(*fault)).empty())
            return inputError("is cut off: its JSON has no end", path + ", line " + std::to_string(line),
                              "copy the file again, or wait until it is written");
        return inputError("is not JSON from here on", path + ", line " + std::to_string(line), "correct this line");
    }
    return inputError(
        "is not a table of metrics: neither its first line nor a list in it has objects with a step or an epoch", path,
        "name a member step or epoch");
}

} // namespace

std::optional<TableMapping> mappingOfJsonDocument(const std::filesystem::path& path) {
    const auto text = textOf(path);
    if (!text || text->empty()) return std::nullopt;
    const Document document = documentOf(*text);
    if (!document.isLog()) return std::nullopt;
    if (document.rows.empty()) return rowAt(document.columns, 0).mapping();
    JsonRow row;
    row.read(document.rows.front());
    return row.mapping();
}

bool holdsJsonRows(const std::filesystem::path& path) {
    const auto text = textOf(path);
    if (!text || text->empty()) return false;
    const Document document = documentOf(*text);
    return document.isLog() && document.rows != Rows{*text};
}

Result<ImportedRun> readJsonDocument(const std::filesystem::path& path) {
    ImportedRun run;
    TY_TRY(readJsonDocument(path, run));
    run.settle();
    return run;
}

Result<void> readJsonDocument(const std::filesystem::path& path, ImportedRun& run) {
    TY_ASSIGN(const auto text, textOf(path));
    const Document document = documentOf(text);
    if (!document.isLog()) return whyNoLog(text, path.string());
    JsonTableReader reader(run);
    std::size_t number = 0;
    const auto where = [&] { return path.string() + ", entry " + std::to_string(number); };
    if (document.rows != Rows{text}) reader.facts(document.facts);
    for (const std::string_view each : document.rows) {
        ++number;
        reader.read(each, where);
    }
    for (; document.rows.empty() && number < longest(document.columns); ++number)
        reader.read(rowAt(document.columns, number), where);
    return {};
}

} // namespace trainyard::imports
