// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/import_names.h"

#include "engine/base/text/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

using Parts = std::vector<std::string>;

template <std::size_t Count>
bool isOneOf(const std::string& word, const std::array<std::string_view, Count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Folders that hold the runs of a program, or the logs of a run.
bool isHolder(const std::string& folder) {
    static constexpr std::array<std::string_view, 14> kHolders{
        "/",     "lightning_logs", "tb_logs", "csv_logs", "tensorboard", "logs",    "log",
        "wandb", "files",          "mlruns",  "vis_data", "runs",        "results", "outputs"};
    return isOneOf(folder, kHolders);
}

// A name that many runs' files have: the folder tells them apart.
bool isCommonFile(const std::string& stem) {
    static constexpr std::array<std::string_view, 15> kCommon{
        "metrics", "log",    "logs",         "progress", "result",        "results",       "history",      "train",
        "scalars", "metric", "training_log", "training", "trainer_state", "wandb-summary", "wandb-history"};
    return isOneOf(stem, kCommon) || stem.starts_with("events.out.tfevents.");
}

// "version_0", "20251009_101500", "run-3": a number that only counts.
bool isCount(const std::string& name) {
    std::size_t at = 0;
    for (const std::string_view word : {"version", "run", "checkpoint"})
        if (name.starts_with(word)) at = word.size();
    return name.size() > at && name.find_first_not_of("0123456789_-", at) == name.npos;
}

// "metrics.csv" as metrics, "20251009_101500.log.json" as its time; "a.b" of a folder stays.
std::string stemOf(const fs::path& file) {
    static constexpr std::array<std::string_view, 9> kEndings{".csv", ".tsv", ".txt",    ".json", ".jsonl",
                                                              ".log", ".gz",  ".ndjson", ".wandb"};
    fs::path name = file.filename();
    while (isOneOf(name.extension().string(), kEndings) && !name.stem().empty()) name = name.stem();
    return name.string();
}

// How a run may be called, from the root of the file system on.
struct Place {
    Parts parts{};
    bool hasFile = false; // the last one is that of its file
    std::string fullFile{};
};

bool isOneFile(const FoundImport& from) {
    return from.kind != ImportKind::MlflowFolder && from.files.front() == from.path;
}

Place placeOf(const FoundImport& from, const std::map<fs::path, int>& inFolder) {
    Place place;
    const fs::path folder = isOneFile(from) ? from.path.parent_path() : from.path;
    for (const fs::path& each : folder) place.parts.push_back(each.string());
    if (!isOneFile(from) || from.kind == ImportKind::Wandb) return place;
    const std::string stem = stemOf(from.path);
    if (isCommonFile(stem) && inFolder.at(folder) == 1) return place;
    place.hasFile = true;
    place.fullFile = from.path.filename().string();
    place.parts.push_back(stem);
    return place;
}

std::string joined(const Parts& parts) {
    std::string name;
    for (const std::string& part : parts) name += (name.empty() ? "" : "-") + part;
    return name;
}

// How many parts all places begin with. No part that names a file is one of them.
std::size_t commonHead(const std::vector<Place>& places) {
    std::size_t head = places.front().parts.size() - (places.front().hasFile ? 1 : 0);
    for (const Place& each : places) {
        const auto& first = places.front().parts;
        const auto end = std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(head),
                                       each.parts.begin(), each.parts.end());
        head = static_cast<std::size_t>(end.first - first.begin());
    }
    return head;
}

// The parts behind the head, without those that are the same in all.
std::vector<Parts> differingParts(const std::vector<Place>& places, std::size_t head) {
    std::vector<Parts> rest;
    for (const Place& each : places)
        rest.emplace_back(each.parts.begin() + static_cast<std::ptrdiff_t>(head), each.parts.end());
    const bool aligned =
        std::all_of(rest.begin(), rest.end(), [&](const Parts& each) { return each.size() == rest.front().size(); });
    for (std::size_t at = aligned ? rest.front().size() : 0; at-- > 0;) {
        const std::string first = rest.front()[at];
        if (rest.size() > 1 &&
            std::all_of(rest.begin(), rest.end(), [&](const Parts& each) { return each[at] == first; }))
            for (Parts& each : rest) each.erase(each.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return rest;
}

// The nearest folder at the end of `above` that says something, taken from it; empty: there is none.
std::string takeNearest(Parts& above) {
    while (!above.empty()) {
        std::string last = std::move(above.back());
        above.pop_back();
        if (!isHolder(last)) return last;
    }
    return {};
}

// Without the folders that say nothing, and with one above where only a number is left.
std::string briefName(Parts parts, Parts above, bool hasFile) {
    const auto folders = parts.end() - (hasFile && !parts.empty() ? 1 : 0);
    parts.erase(std::remove_if(parts.begin(), folders, isHolder), folders);
    while (parts.empty() || std::all_of(parts.begin(), parts.end(), isCount)) {
        std::string nearest = takeNearest(above);
        if (nearest.empty()) break;
        parts.insert(parts.begin(), std::move(nearest));
    }
    std::string name = joined(parts);
    while (parts.size() > 1 && !nameProblem(name).empty()) { // too long: what comes last tells most
        parts.erase(parts.begin());
        name = joined(parts);
    }
    return name;
}

} // namespace

void nameApart(std::span<FoundImport> found) {
    std::map<fs::path, int> inFolder;
    std::vector<FoundImport*> runs;
    for (FoundImport& each : found) {
        if (!each.part.empty()) continue;
        runs.push_back(&each);
        if (isOneFile(each)) ++inFolder[each.path.parent_path()];
    }
    if (runs.empty()) return;
    std::vector<Place> places;
    for (const FoundImport* each : runs) places.push_back(placeOf(*each, inFolder));
    const std::size_t head = commonHead(places);
    const auto rest = differingParts(places, head);
    const Parts above(places.front().parts.begin(), places.front().parts.begin() + static_cast<std::ptrdiff_t>(head));
    std::map<std::string, int> count;
    for (std::size_t i = 0; i < runs.size(); ++i) ++count[runs[i]->name = briefName(rest[i], above, places[i].hasFile)];
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::string& name = runs[i]->name;
        if (count[name] > 1) { // files of one stem, or folders that say nothing
            Parts parts(places[i].parts.begin() + static_cast<std::ptrdiff_t>(head), places[i].parts.end());
            if (places[i].hasFile) parts.back() = places[i].fullFile;
            name = joined(parts);
        }
        if (!nameProblem(name).empty()) name = "imported";
    }
}

} // namespace trainyard::run
