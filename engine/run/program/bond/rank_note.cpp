// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/rank_note.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace trainyard::run {
namespace {

constexpr int kMostRanks = 65'536;
constexpr std::int64_t kLargestPid = 1 << 22;
constexpr std::array kModes{wire::StopMode::SaveAndStop, wire::StopMode::StopNow, wire::StopMode::Kill,
                            wire::StopMode::AtCheckpoint};

// Reads whole numbers of an object; remembers when one is missing or out of range.
struct NoteReader {
    const nlohmann::json& json;
    bool isRight = true;

    std::int64_t number(const char* name, std::int64_t least, std::int64_t most) {
        const auto found = json.find(name);
        const bool is = found != json.end() && found->is_number_integer() && found->template get<double>() >= -9e15 &&
                        found->template get<double>() <= 9e15;
        const auto value = is ? found->template get<std::int64_t>() : 0;
        isRight = isRight && is && value >= least && value <= most;
        return value;
    }
    int small(const char* name, int least, int most) { return static_cast<int>(number(name, least, most)); }
    std::string text(const char* name) {
        const auto found = json.find(name);
        isRight = isRight && found != json.end() && found->is_string();
        return isRight ? found->template get<std::string>() : std::string();
    }
    bool has(const char* name) const { return json.contains(name) && json.at(name).is_object(); }
};

// The notes' files, and no others: rank0.error.json is a program's own.
bool isNoteFile(const std::string& name) {
    constexpr std::string_view kBegin = "rank", kEnd = ".json";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size()) return false;
    const auto digits = std::string_view(name).substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    return digits.find_first_not_of("0123456789") == digits.npos;
}

} // namespace

std::string RankNote::toJson() const {
    Json json{{"generation", generation},
              {"rank", rank},
              {"worldSize", worldSize},
              {"localRank", localRank},
              {"localWorldSize", localWorldSize},
              {"keeper", keeper},
              {"program", program},
              {"socket", socket},
              {"givenUp", isGivenUp}};
    if (stop) json["stop"] = {{"mode", wire::toString(stop->mode)}, {"step", stop->step}, {"wallMs", stop->wallMs}};
    if (ended) json["ended"] = {{"signalled", ended->signalled ? 1 : 0}, {"code", ended->code}};
    return jsonFile(json);
}

Result<RankNote> RankNote::parse(std::string_view text, const std::string& place) {
    const auto wrong = [&] {
        return inputError("is no note of a keeper", place, "delete it; the run then starts again from its checkpoint");
    };
    const auto json = parseSortedJson(text);
    if (!json.is_object()) return wrong();
    constexpr std::int64_t kMost = std::int64_t{1} << 52;
    NoteReader reader{json};
    RankNote note;
    note.generation = reader.small("generation", 0, std::numeric_limits<int>::max());
    note.worldSize = reader.small("worldSize", 1, kMostRanks);
    note.rank = reader.small("rank", 0, note.worldSize - 1);
    note.localWorldSize = reader.small("localWorldSize", 1, note.worldSize);
    note.localRank = reader.small("localRank", 0, note.localWorldSize - 1);
    note.keeper = reader.small("keeper", 1, kLargestPid);
    note.program = reader.small("program", 0, kLargestPid);
    note.socket = reader.text("socket");
    note.isGivenUp = json.value("givenUp", nlohmann::json(false)) == nlohmann::json(true);
    if (reader.has("stop")) {
        NoteReader stop{json.at("stop")};
        const auto word = stop.text("mode");
        const auto mode = std::ranges::find_if(kModes, [&](wire::StopMode each) { return word == toString(each); });
        if (mode == kModes.end()) return wrong();
        note.stop = NotedStop{*mode, stop.number("step", 0, kMost), stop.number("wallMs", 0, kMost)};
        reader.isRight = reader.isRight && stop.isRight;
    }
    if (reader.has("ended")) {
        NoteReader ended{json.at("ended")};
        note.ended = ExitStatus{ended.small("signalled", 0, 1) == 1, ended.small("code", 0, 255)};
        reader.isRight = reader.isRight && ended.isRight;
    }
    if (!reader.isRight) return wrong();
    return note;
}

std::filesystem::path rankNoteFile(const std::filesystem::path& runFolder, int rank) {
    return runFolder / "program" / ("rank" + std::to_string(rank) + ".json");
}

Result<void> writeRankNote(const std::filesystem::path& runFolder, const RankNote& note) {
    return writeFileAtomic(rankNoteFile(runFolder, note.rank), note.toJson(), Outlives::Process);
}

std::vector<RankNote> readRankNotes(const std::filesystem::path& runFolder) {
    std::vector<RankNote> notes;
    std::error_code failure;
    for (std::filesystem::directory_iterator file(runFolder / "program", failure), end; !failure && file != end;
         file.increment(failure)) {
        if (!isNoteFile(file->path().filename().string())) continue;
        const auto text = readFile(file->path(), kLargestNote);
        auto note = text ? RankNote::parse(*text, file->path().string()) : Result<RankNote>(text.error());
        if (note && rankNoteFile(runFolder, note->rank) == file->path()) notes.push_back(std::move(*note));
    }
    std::ranges::sort(notes, {}, &RankNote::rank);
    return notes;
}

void removeRankNotes(const std::filesystem::path& runFolder) {
    std::error_code ignored;
    for (const auto& note : readRankNotes(runFolder))
        std::filesystem::remove(rankNoteFile(runFolder, note.rank), ignored);
}

Adoption judgeAdoption(const std::vector<RankNote>& notes, const std::vector<bool>& lives) {
    bool any = false, all = !notes.empty(), ending = false;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const bool isOne = lives[i];
        any = any || isOne;
        ending = ending || (isOne && notes[i].isGivenUp);
        all = all && isOne && notes[i].generation == notes.front().generation &&
              notes[i].worldSize == static_cast<int>(notes.size());
    }
    if (!any) return Adoption::Nothing;
    if (ending) return Adoption::Await;
    return all ? Adoption::All : Adoption::EndRest;
}

} // namespace trainyard::run
