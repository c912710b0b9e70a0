// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/follow/source_record.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::run {
namespace {

std::int64_t wholeIn(const Json& json, const char* key, std::int64_t fallback) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : fallback;
}

std::vector<std::string> namesIn(const Json& json) {
    std::vector<std::string> names;
    const auto found = json.find("series");
    if (found == json.end() || !found->is_array()) return names;
    for (const auto& name : *found)
        if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
}

void takeSource(const Json& json, SourceRecord& record) {
    if (!json.is_object()) return;
    const auto word = json.find("source");
    const auto kind =
        word != json.end() && word->is_string() ? program::sourceKindOf(word->get<std::string>()) : std::nullopt;
    if (!kind) return;
    const auto last = wholeIn(json, "lastStep", -1);
    const auto points = wholeIn(json, "points", 0);
    record.memory.sources.push_back({*kind, wholeIn(json, "firstStep", 0), last, points});
    const auto feeds = json.find("feeds");
    const bool isFeeding = feeds != json.end() && feeds->is_boolean() && feeds->get<bool>();
    if (isFeeding) record.memory.feeds = kind;
    record.sources.push_back(
        {*kind, points, wholeIn(json, "repeated", 0), wholeIn(json, "late", 0), last, isFeeding, namesIn(json)});
}

Json settingJson(const imports::Setting& setting) {
    return std::visit([](const auto& value) { return Json(value); }, setting);
}

std::optional<imports::Setting> settingIn(const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    return std::nullopt;
}

} // namespace

SourceRecord readSourceRecord(const std::filesystem::path& file) {
    SourceRecord record;
    const auto text = readFile(file);
    const Json json = text ? parseJson(*text) : Json();
    if (!json.is_object()) return record;
    if (const auto sources = json.find("sources"); sources != json.end() && sources->is_array())
        for (const auto& each : *sources) takeSource(each, record);
    if (const auto known = json.find("checkpoints"); known != json.end() && known->is_object())
        for (const auto& [path, step] : known->items())
            if (step.is_number_integer()) record.checkpoints[path] = step.get<std::int64_t>();
    if (const auto summary = json.find("summary"); summary != json.end() && summary->is_object())
        for (const auto& [name, value] : summary->items())
            if (auto setting = settingIn(value)) record.summary[name] = std::move(*setting);
    return record;
}

Result<void> writeSourceRecord(const std::filesystem::path& file, const SourceRecord& record) {
    Json json{{"sources", Json::array()}, {"checkpoints", Json::object()}, {"summary", Json::object()}};
    for (const auto& each : record.sources) {
        const auto known = std::find_if(record.memory.sources.begin(), record.memory.sources.end(),
                                        [&](const auto& memory) { return memory.kind == each.kind; });
        const auto names = std::min(each.series.size(), SourceRecord::kMostNames);
        json["sources"].push_back(
            {{"source", program::wordOf(each.kind)},
             {"feeds", each.feeds},
             {"points", each.points},
             {"repeated", each.repeated},
             {"late", each.late},
             {"firstStep", known == record.memory.sources.end() ? 0 : known->firstStep},
             {"lastStep", each.lastStep},
             {"series", std::vector<std::string>(each.series.begin(),
                                                 each.series.begin() + static_cast<std::ptrdiff_t>(names))}});
    }
    for (const auto& [path, step] : record.checkpoints) json["checkpoints"][path] = step;
    for (const auto& [name, value] : record.summary) json["summary"][name] = settingJson(value);
    return writeFileAtomic(file, jsonFile(json), Outlives::Process);
}

} // namespace trainyard::run
