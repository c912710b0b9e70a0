// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/json_records.h"

#include "engine/base/json_text.h"
#include "engine/base/text/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace trainyard::formats {

namespace {

constexpr std::size_t kBlockBytes = 1u << 18, kMaxLine = 4u << 20, kMostNames = 20'000;

// The lines of a text file.
class LineReader {
public:
    explicit LineReader(FileReader file, std::size_t mostBytes)
        : m_file(std::move(file)), m_most(mostBytes), m_block(kBlockBytes) {}

    // The next line that is not blank, or none at the end.
    Result<bool> next(std::string& line) {
        for (;;) {
            TY_ASSIGN(const bool more, nextLine(line));
            if (!more) return false;
            if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
            const std::size_t wrong = firstNotUtf8(line);
            if (wrong != std::string::npos)
                return inputError("is not UTF-8: byte " + hexByte(static_cast<unsigned char>(line[wrong])), place(),
                                  "save the file in UTF-8");
            return true;
        }
    }
    std::int64_t number() const { return m_number; }
    std::string place() const { return m_file.name() + ", line " + std::to_string(m_number); }

private:
    Result<bool> nextLine(std::string& line) {
        line.clear();
        ++m_number;
        for (;;) {
            if (m_at == m_size) {
                TY_ASSIGN(const std::int64_t got,
                          m_file.readSome(m_block.data(), static_cast<std::int64_t>(m_block.size())));
                m_at = 0;
                m_size = static_cast<std::size_t>(got);
                if (got == 0) return !line.empty();
                if (m_begins && std::string_view(m_block.data(), m_size).starts_with("\xEF\xBB\xBF")) m_at = 3;
                m_begins = false;
            }
            const auto from = m_block.begin() + static_cast<std::ptrdiff_t>(m_at);
            const auto to = m_block.begin() + static_cast<std::ptrdiff_t>(m_size);
            const auto end = std::find(from, to, '\n');
            line.append(from, end);
            m_at = static_cast<std::size_t>(end - m_block.begin());
            if (line.size() > m_most)
                return inputError("the line is longer than " + std::to_string(m_most >> 20) + " MiB", place(),
                                  "write one JSON object a line");
            if (end == to) continue;
            ++m_at;
            return true;
        }
    }

    FileReader m_file;
    std::size_t m_most;
    std::vector<char> m_block;
    std::size_t m_at = 0, m_size = 0;
    std::int64_t m_number = 0;
    bool m_begins = true;
};

Result<nlohmann::json> objectOf(const std::string& line, const std::string& place) {
    nlohmann::json object = parseSortedJson(line);
    if (object.is_discarded())
        return inputError("is not JSON", place,
                          "write one whole JSON object a line (pandas: orient=\"records\", lines=True)");
    if (!object.is_object()) return inputError("is not a JSON object", place, "write each row as {\"name\": value, …}");
    return object;
}

// The names of the members of an object, which is valid JSON, in their order; parsed ones are sorted, and an object
// that keeps the order looks every name up among all before it.
std::vector<std::string> namesIn(const std::string& line) {
    std::vector<std::string> names;
    int depth = 0;
    bool key = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char byte = line[at];
        if (byte == '{' || byte == '[') ++depth;
        if (byte == '}' || byte == ']') --depth;
        if (depth == 1 && (byte == '{' || byte == ',')) key = true;
        if (byte != '"') continue;
        const std::size_t begin = at++;
        while (line[at] != '"') at += line[at] == '\\' ? 2 : 1;
        if (!std::exchange(key, false)) continue;
        const std::string text = line.substr(begin, at + 1 - begin);
        names.push_back(parseSortedJson(text).get<std::string>());
    }
    return names;
}

CsvCell cellOf(const nlohmann::json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return {value.get<std::string>(), true};
    if (!value.is_structured()) return {jsonText(value), false};
    return {value.is_array() ? "[…]" : "{…}", false, true};
}

class JsonRecords final : public RecordReader {
public:
    JsonRecords(LineReader lines, std::vector<std::string> names) : m_lines(std::move(lines)) {
        for (std::string& name : names) {
            m_places.emplace(name, m_names.size());
            m_names.push_back(std::move(name));
        }
    }

    Result<bool> next(std::vector<CsvCell>& record) override {
        record.clear();
        if (!std::exchange(m_named, true)) {
            for (const std::string& name : m_names) record.push_back({name, true});
            return true;
        }
        std::string line;
        TY_ASSIGN(const bool more, m_lines.next(line));
        if (!more) return false;
        TY_ASSIGN(const nlohmann::json object, objectOf(line, m_lines.place()));
        record.resize(m_names.size());
        for (const auto& [name, value] : object.items()) {
            const auto place = m_places.find(name);
            if (place == m_places.end()) // the names were gathered from the same file
                return inputError("the file has changed while it was read", m_lines.place(), "start again");
            record[place->second] = cellOf(value);
        }
        return true;
    }
    std::int64_t line() const override { return m_lines.number(); }
    FirstRecord first() const override { return FirstRecord::Names; }

private:
    LineReader m_lines;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::size_t> m_places; // of the names
    bool m_named = false;
};

} // namespace

Result<void> eachJsonLine(const std::filesystem::path& file, std::size_t mostBytes,
                          const std::function<Result<void>(std::int64_t, const std::string&)>& each) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    LineReader lines(std::move(reader), mostBytes);
    std::string line;
    for (;;) {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return {};
        TY_TRY(each(lines.number(), line));
    }
}

Result<std::unique_ptr<RecordReader>> openJsonRecords(const std::filesystem::path& file) {
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    TY_TRY(eachJsonLine(file, kMaxLine, [&](std::int64_t number, const std::string& line) -> Result<void> {
        const std::string place = file.string() + ", line " + std::to_string(number);
        TY_ASSIGN(const nlohmann::json object, objectOf(line, place));
        const bool allKnown = std::all_of(object.items().begin(), object.items().end(),
                                          [&](const auto& item) { return seen.contains(item.key()); });
        if (allKnown) return {};
        for (std::string& name : namesIn(line)) {
            if (!seen.insert(name).second) continue;
            if (names.size() == kMostNames)
                return inputError("has more than " + std::to_string(kMostNames) + " different names", place,
                                  "split the table");
            names.push_back(std::move(name));
        }
        return {};
    }));
    if (names.empty()) return inputError("has no members", file.string(), "choose a file with a table in it");
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    return std::unique_ptr<RecordReader>(new JsonRecords(LineReader(std::move(reader), kMaxLine), std::move(names)));
}

} // namespace trainyard::formats
