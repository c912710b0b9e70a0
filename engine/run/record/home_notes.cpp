// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/home_notes.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/store/run_query.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const store::Workspace& workspace) { return mirrorWorkspace(workspace).root; }

fs::path noteOf(const store::Workspace& workspace, const std::string& id) {
    return folderOf(workspace) / (id + ".json");
}

std::optional<HomeNote> readNote(const fs::path& file) {
    const auto text = readFile(file, 64u << 10);
    const auto json = text ? parseSortedJson(*text) : nlohmann::json();
    if (!json.is_object()) return {};
    const auto field = [&json](const char* key) {
        const auto found = json.find(key);
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    HomeNote run{field("id"), field("name"), field("host"), field("kind") == "sweep"};
    if (const auto started = json.find("started_ms"); started != json.end() && started->is_number_integer())
        run.startedMs = started->get<std::int64_t>();
    if (run.host.empty() || run.id != file.stem()) return {};
    return run;
}

} // namespace

store::Workspace mirrorWorkspace(const store::Workspace& workspace) { return {workspace.root / "away"}; }

Result<void> noteHome(const store::Workspace& workspace, const HomeNote& run) {
    std::error_code failure;
    fs::create_directories(folderOf(workspace), failure);
    if (failure) return environmentError("cannot be made: " + failure.message(), folderOf(workspace).string());
    const Json json{{"version", 1},     {"id", run.id},
                    {"name", run.name}, {"kind", run.isSweep ? "sweep" : "run"},
                    {"host", run.host}, {"started_ms", run.startedMs}};
    return writeFileAtomic(noteOf(workspace, run.id), jsonFile(json));
}

Result<void> forgetHome(const store::Workspace& workspace, const std::string& id) {
    std::error_code failure;
    fs::remove(noteOf(workspace, id), failure);
    if (failure) return environmentError("cannot be removed: " + failure.message(), noteOf(workspace, id).string());
    return {};
}

bool livesElsewhere(const store::Workspace& workspace, const std::string& id) {
    std::error_code none;
    return fs::exists(noteOf(workspace, id), none);
}

namespace {

constexpr const char* kFetched = "fetched";

// By which it is seen that a run was trained since.
Json marksOf(const store::RunRow& row) { return {row.startedMs, row.finishedMs, row.step, row.totalSteps}; }

} // namespace

std::optional<FetchedFrom> fetchedFrom(const store::RunRow& row) {
    if (row.environmentJson.find(kFetched) == std::string::npos) return {}; // of thousands, nearly all
    const auto json = parseJson(row.environmentJson);
    const auto found = json.is_object() ? json.find(kFetched) : json.end();
    if (!json.is_object() || found == json.end() || !found->is_object()) return {};
    const auto host = found->find("host");
    const auto marks = found->find("marks");
    if (host == found->end() || !host->is_string()) return {};
    return FetchedFrom{host->get<std::string>(), marks != found->end() && *marks == marksOf(row)};
}

void setFetchedFrom(store::RunRow& row, const std::string& host) {
    auto json = parseJson(row.environmentJson);
    if (!json.is_object()) json = Json::object();
    json[kFetched] = {{"host", host}, {"marks", marksOf(row)}};
    row.environmentJson = jsonText(json);
}

std::vector<HomeNote> homeNotes(const store::Workspace& workspace) {
    std::vector<HomeNote> runs;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folderOf(workspace), none))
        if (each.path().extension() == ".json")
            if (auto run = readNote(each.path())) runs.push_back(std::move(*run));
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
        return a.startedMs != b.startedMs ? a.startedMs > b.startedMs : a.id > b.id;
    });
    return runs;
}

std::optional<HomeNote> homeNote(const store::Workspace& workspace, const std::string& id) {
    if (auto note = readNote(noteOf(workspace, id))) return note;
    std::error_code none;
    if (!fs::exists(mirrorWorkspace(workspace).database(), none)) return {};
    const auto query = store::RunQuery::open(mirrorWorkspace(workspace));
    const auto row = query ? (*query)->run(id) : Result<store::RunRow>(query.error());
    if (!row || row->id != id || row->sweep.empty()) return {};
    auto note = readNote(noteOf(workspace, row->sweep));
    if (note) *note = {row->id, row->name, note->host, false, note->startedMs};
    return note;
}

std::optional<HomeNote> findNote(const std::vector<HomeNote>& newestFirst, std::string_view idOrName) {
    if (idOrName.empty()) return {};
    const HomeNote* begins = nullptr;
    const HomeNote* named = nullptr;
    int beginning = 0;
    for (const auto& run : newestFirst) {
        if (run.id == idOrName) return run;
        if (run.id.starts_with(idOrName)) begins = &run, ++beginning;
        if (!named && run.name == idOrName) named = &run;
    }
    if (beginning == 1) return *begins;
    return named ? std::optional(*named) : std::nullopt;
}

} // namespace trainyard::run
