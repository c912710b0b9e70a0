// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_lines.h"

#include "engine/imports/json_document.h"
#include "engine/imports/json_rows.h"
#include "engine/imports/text_lines.h"

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostJsonLine = 16u << 20; // Ray writes a run's whole configuration into each line
constexpr int kMostFacts = 8;                    // objects before the first row, as OpenMMLab writes one

// The first line that is a row, with the objects before it; nothing where another line comes first.
Result<bool> firstRow(TextLines& lines, std::string_view& line, JsonRow& row, std::vector<std::string>& facts) {
    for (;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return false;
        if (withoutSpaces(line).empty()) continue;
        if (!row.read(line)) return false;
        if (row.isMetrics()) return true;
        if (facts.size() == kMostFacts) return false;
        facts.emplace_back(line);
    }
}

char firstByte(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    char first = 0;
    return file && file->readSome(&first, 1).valueOr(0) == 1 ? first : '\0';
}

// Most files are not read further.
bool mayBeObjects(const std::filesystem::path& path) {
    const char first = firstByte(path);
    return first != '\0' && std::string_view("{\xEF\n\r ").find(first) != std::string_view::npos;
}

std::optional<TableMapping> mappingOfLines(const std::filesystem::path& path) {
    if (!mayBeObjects(path)) return std::nullopt;
    auto file = FileReader::open(path);
    if (!file) return std::nullopt;
    TextLines lines(std::move(*file), kMostJsonLine);
    JsonRow row;
    std::string_view line;
    std::vector<std::string> facts;
    if (!firstRow(lines, line, row, facts).valueOr(false)) return std::nullopt;
    auto mapping = row.mapping();
    const bool standsAlone = row.hasPosition() && row.measures();
    const bool isLog =
        standsAlone || (lines.next(line).valueOr(false) && row.read(line)); // else settings, or a summary
    return isLog ? std::optional(std::move(mapping)) : std::nullopt;
}

} // namespace

bool beginsAsJson(const std::filesystem::path& path) {
    const char first = firstByte(path);
    return first == '{' || first == '[';
}

std::optional<TableMapping> mappingOfJsonLines(const std::filesystem::path& path) {
    auto mapping = mappingOfLines(path);
    return mapping ? std::move(mapping) : mappingOfJsonDocument(path);
}

Result<ImportedRun> readJsonLines(const std::filesystem::path& path) {
    TY_ASSIGN(auto file, FileReader::open(path));
    TextLines lines(std::move(file), kMostJsonLine);
    ImportedRun run;
    JsonTableReader reader(run);
    JsonRow row;
    std::string_view line;
    std::vector<std::string> facts;
    if (!firstRow(lines, line, row, facts).valueOr(false)) return readJsonDocument(path);
    for (const std::string& each : facts)
        if (row.read(each)) reader.facts(row);
    for (bool more = true; more;) {
        if (!withoutSpaces(line).empty()) reader.read(line, [&] { return lines.where(); });
        TY_ASSIGN(more, lines.next(line));
    }
    run.settle();
    return run;
}

} // namespace trainyard::imports
