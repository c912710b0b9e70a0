// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_lines.h"

#include "engine/imports/json_document.h"
#include "engine/imports/json_rows.h"
#include "engine/imports/text_lines.h"

#include <utility>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostJsonLine = 16u << 20; // Ray writes a run's whole configuration into each line
constexpr std::size_t kMostFacts = 8;            // objects before the first row, as OpenMMLab writes one

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

class JsonLinesStream : public SourceStream {
public:
    JsonLinesStream(const std::filesystem::path& path, ImportedRun& run)
        : m_lines(path.string(), kMostJsonLine), m_reader(run) {}

    Result<void> add(std::string_view bytes) override {
        return m_lines.add(bytes, [this](std::string_view line) { return read(line); });
    }
    Result<void> end() override {
        TY_TRY(m_lines.end([this](std::string_view line) { return read(line); }));
        return m_hasBegun ? Result<void>() : noRow();
    }
    bool hasBegun() const { return m_hasBegun; } // with a row

private:
    Result<void> noRow() const {
        return inputError("is no log in lines of JSON", m_lines.where(), "write an object with a step in each line");
    }
    Result<void> read(std::string_view line) {
        if (withoutSpaces(line).empty()) return {};
        if (!m_hasBegun) TY_TRY(begin(line));
        if (m_hasBegun) m_reader.read(line, [this] { return m_lines.where(); });
        return {};
    }
    // Objects before the first row say something of the run.
    Result<void> begin(std::string_view line) {
        if (!m_row.read(line)) return noRow();
        if (!m_row.isMetrics()) {
            if (m_facts.size() == kMostFacts) return noRow();
            m_facts.emplace_back(line);
            return {};
        }
        m_hasBegun = true;
        for (const std::string& each : std::exchange(m_facts, {}))
            if (m_row.read(each)) m_reader.facts(m_row);
        return {};
    }

    LinePieces m_lines;
    JsonTableReader m_reader;
    JsonRow m_row{};
    std::vector<std::string> m_facts{};
    bool m_hasBegun = false;
};

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

bool isJsonLines(const std::filesystem::path& path) { return mappingOfLines(path).has_value(); }

std::optional<TableMapping> mappingOfJsonLines(const std::filesystem::path& path) {
    auto mapping = mappingOfLines(path);
    return mapping ? std::move(mapping) : mappingOfJsonDocument(path);
}

std::unique_ptr<SourceStream> jsonLinesStream(const std::filesystem::path& path, ImportedRun& run) {
    return std::make_unique<JsonLinesStream>(path, run);
}

Result<ImportedRun> readJsonLines(const std::filesystem::path& path) {
    ImportedRun run;
    JsonLinesStream stream(path, run);
    const auto read = readWhole(path, stream);
    if (!stream.hasBegun()) return readJsonDocument(path);
    if (!read) return read.error();
    run.settle();
    return run;
}

} // namespace trainyard::imports
