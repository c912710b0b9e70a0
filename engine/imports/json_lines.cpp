// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_lines.h"

#include "engine/base/ids.h"
#include "engine/imports/json_values.h"
#include "engine/imports/text_lines.h"

#include <cmath>
#include <span>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostJsonLine = 16u << 20; // Ray writes a run's whole configuration into each line
constexpr std::string_view kConfig = "config/";

// A member of an object, with what its name means.
struct Member {
    std::string name;
    ColumnMeaning meaning{};
    JsonValue value{};
};

// The members of a line. Those of the next one mostly have the same names in the same order.
class JsonRow {
public:
    // False where the line is no object. The values refer to the line.
    bool read(std::string_view line) {
        m_size = 0;
        return readJsonObject(line, '/', [this](std::string_view path, const JsonValue& value) {
            if (m_size == m_members.size()) m_members.emplace_back();
            Member& member = m_members[m_size++];
            if (member.name != path) {
                member.name = path;
                member.meaning = meaningOf(path);
            }
            member.value = value;
        });
    }
    std::span<const Member> members() const { return std::span(m_members).first(m_size); }

    // The one of that role with the lowest place whose value will do; null: there is none.
    const Member* of(ColumnMeaning::Role role) const {
        const Member* found = nullptr;
        for (const Member& each : members())
            if (each.meaning.role == role && (found == nullptr || each.meaning.place < found->meaning.place))
                found = &each;
        return found;
    }

private:
    std::vector<Member> m_members{};
    std::size_t m_size = 0;
};

std::optional<std::int64_t> wholeOf(const Member* member) {
    if (member == nullptr || !member->value.isNumber()) return std::nullopt;
    const double value = member->value.number;
    if (!(std::abs(value) <= 9e15) || value != std::floor(value)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

double finiteOf(const Member* member) {
    return member != nullptr && member->value.isNumber() && std::isfinite(member->value.number) ? member->value.number
                                                                                                : 0;
}

class JsonTableReader {
public:
    explicit JsonTableReader(ImportedRun& run) : m_run(run) {}

    void line(std::string_view text, const TextLines& lines) {
        using Role = ColumnMeaning::Role;
        if (!m_row.read(text))
            return m_run.skip({lines.where(), "a line is no JSON object", "correct the line, or copy the file again"});
        const Member* step = m_row.of(Role::Step);
        const Member* epoch = m_row.of(Role::Epoch);
        const Member* time = m_row.of(Role::Time);
        const auto at = wholeOf(step != nullptr ? step : epoch);
        if (!at) return m_run.skip({lines.where(), "a line has no whole number as its step", "correct the line"});
        const Point point{.step = *at, .wallSeconds = finiteOf(time), .value = 0, .epoch = finiteOf(epoch)};
        const Member* name = m_row.of(Role::Name);
        const Member* value = m_row.of(Role::Value);
        if (name != nullptr && value != nullptr && name->value.kind == JsonValue::Kind::Text) {
            add(unescaped(name->value.text), *value, point, lines);
            return;
        }
        for (const Member& each : m_row.members())
            if (each.name.starts_with(kConfig)) config(each);
            else if (&each != step && &each != epoch && &each != time) add(each.name, each, point, lines);
        m_hasConfig = true;
    }

private:
    void add(std::string_view name, const Member& member, Point point, const TextLines& lines) {
        switch (member.value.kind) {
        case JsonValue::Kind::Number: point.value = member.value.number; return m_run.add(name, point);
        case JsonValue::Kind::TooLarge:
            return m_run.skip({lines.where(), printable(member.value.text, 40) + " does not fit into a double",
                               "correct the number"});
        case JsonValue::Kind::Null: return;
        default: ++m_run.otherValues;
        }
    }

    void config(const Member& member) {
        if (m_hasConfig) return;
        if (auto setting = settingOf(member.value))
            m_run.set(printable(std::string_view(member.name).substr(kConfig.size())), std::move(*setting));
    }

    ImportedRun& m_run;
    JsonRow m_row{};
    bool m_hasConfig = false;
};

// The first line that is not blank.
Result<bool> firstLine(TextLines& lines, std::string_view& line) {
    do {
        TY_ASSIGN(const bool more, lines.next(line));
        if (!more) return false;
    } while (withoutSpaces(line).empty());
    return true;
}

bool isMetrics(const JsonRow& row) {
    using Role = ColumnMeaning::Role;
    return wholeOf(row.of(Role::Step) != nullptr ? row.of(Role::Step) : row.of(Role::Epoch)).has_value() &&
           row.members().size() > 1;
}

// By the first byte: most files are not read further.
bool beginsAsJson(const std::filesystem::path& path) {
    auto file = FileReader::open(path);
    char first = 0;
    return file && file->readSome(&first, 1).valueOr(0) == 1 &&
           (first == '{' || first == '\xEF' || first == '\n' || first == '\r' || first == ' ');
}

} // namespace

std::optional<TableMapping> mappingOfJsonLines(const std::filesystem::path& path) {
    using Role = ColumnMeaning::Role;
    if (!beginsAsJson(path)) return std::nullopt;
    auto file = FileReader::open(path);
    if (!file) return std::nullopt;
    TextLines lines(std::move(*file), kMostJsonLine);
    JsonRow row;
    std::string_view line;
    if (!firstLine(lines, line).valueOr(false) || !row.read(line) || !isMetrics(row)) return std::nullopt;
    const auto nameOf = [&](Role role) { return row.of(role) == nullptr ? std::string() : row.of(role)->name; };
    TableMapping mapping{nameOf(Role::Step), nameOf(Role::Epoch), nameOf(Role::Time), {}, {}, {}};
    if (row.of(Role::Name) != nullptr && row.of(Role::Value) != nullptr &&
        row.of(Role::Name)->value.kind == JsonValue::Kind::Text) {
        mapping.name = nameOf(Role::Name);
        mapping.value = nameOf(Role::Value);
        return mapping;
    }
    for (const Member& each : row.members())
        if (each.value.isNumber() && !each.name.starts_with(kConfig) && each.name != mapping.step &&
            each.name != mapping.epoch && each.name != mapping.time)
            mapping.series.push_back(printable(each.name));
    return mapping;
}

Result<ImportedRun> readJsonLines(const std::filesystem::path& path) {
    TY_ASSIGN(auto file, FileReader::open(path));
    TextLines lines(std::move(file), kMostJsonLine);
    ImportedRun run;
    JsonTableReader reader(run);
    std::string_view line;
    TY_ASSIGN(bool more, firstLine(lines, line));
    JsonRow first;
    if (!more || !first.read(line) || !isMetrics(first))
        return inputError("is no table of metrics: its first line is no JSON object with a step or an epoch",
                          path.string(), "name a member step or epoch");
    while (more) {
        if (!withoutSpaces(line).empty()) reader.line(line, lines);
        TY_ASSIGN(more, lines.next(line));
    }
    run.dropEmptySeries();
    return run;
}

} // namespace trainyard::imports
