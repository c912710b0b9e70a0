// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/script_note.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/preload.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNotes = 1000, kMostNoteBytes = 64 << 10;
constexpr std::array kStates = {"new", "fine", "doubted", "store-doubted", "never"}; // in the order of the enumeration

void removeOldNotes(const fs::path& folder) {
    std::error_code failure;
    std::vector<std::pair<fs::file_time_type, fs::path>> notes;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        std::error_code gone;
        const auto time = at->last_write_time(gone);
        if (!gone) notes.emplace_back(time, at->path());
    }
    if (notes.size() <= kMostNotes) return;
    std::sort(notes.begin(), notes.end());
    for (std::size_t i = 0; i + kMostNotes < notes.size(); ++i) fs::remove(notes[i].second, failure);
}

} // namespace

std::string noteText(const ScriptNote& note) {
    return jsonFile(Json{{"state", kStates[static_cast<std::size_t>(note.state)]},
                         {"modules", note.modules},
                         {"reason", note.reason},
                         {"store", note.store}});
}

ScriptNote noteFrom(std::string_view text) {
    const Json json = parseJson(text);
    if (!json.is_object()) return {};
    const auto state = json.value("state", Json()), modules = json.value("modules", Json()),
               reason = json.value("reason", Json()), store = json.value("store", Json(true));
    if (!state.is_string() || !modules.is_array() || !reason.is_string() || !store.is_boolean()) return {};
    const auto found = std::find(kStates.begin(), kStates.end(), state.get<std::string>());
    if (found == kStates.end()) return {};
    ScriptNote note{.state = static_cast<ScriptNote::State>(found - kStates.begin()),
                    .reason = printable(reason.get<std::string>(), 500),
                    .store = store.get<bool>()};
    for (const auto& module : modules) {
        if (!module.is_string() || !spec::isModuleName(module.get<std::string>())) return {};
        if (note.modules.size() < spec::kMostPreloaded) note.modules.push_back(module.get<std::string>());
    }
    return note;
}

fs::path noteFile(const fs::path& cache, const std::string& script, const std::string& interpreter) {
    return cache / "preload" / (toHex(sha256Raw(interpreter + '\0' + script)).substr(0, 32) + ".json");
}

ScriptNote readNote(const fs::path& file) {
    const auto text = readFile(file, kMostNoteBytes);
    return text ? noteFrom(*text) : ScriptNote();
}

void writeNote(const fs::path& file, const ScriptNote& note) {
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    (void)writeFileAtomic(file, noteText(note), Outlives::Process);
    removeOldNotes(file.parent_path());
}

} // namespace trainyard::run
