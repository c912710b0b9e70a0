// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/dataset_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace trainyard::data {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{512} << 20;
constexpr std::int64_t kMostGenerated = std::int64_t{24} << 20; // a rank that has grown by more is replaced
constexpr std::size_t kMostFiles = 64;
constexpr const char* kGenerated = "generated"; // Dataset::source

struct Cached {
    spec::Choice choice;
    std::int64_t seed = 0;
    train::TaskKind task = train::TaskKind::Classification;
    spec::DataRules rules;
    std::string stamps;
    Dataset dataset;
};

std::optional<Cached>& cached() {
    static std::optional<Cached> one;
    return one;
}

bool worthCaching(const std::string& name) {
    const auto entry = datasetEntry(name);
    return entry && entry->worthCaching;
}

// Name, size and time of each file of the folder that a set was loaded from; empty when it cannot be told.
std::string stampsOf(const std::string& folder) {
    if (folder == kGenerated) return {};
    std::vector<std::string> stamps;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
        struct stat info{};
        if (::stat(entry.path().c_str(), &info) != 0 || stamps.size() >= kMostFiles) return {};
        stamps.push_back(entry.path().filename().string() + " " + std::to_string(info.st_ino) + " " +
                         std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
                         std::to_string(info.st_mtim.tv_nsec) + "\n");
    }
    std::sort(stamps.begin(), stamps.end());
    std::string all;
    if (!failure)
        for (const auto& stamp : stamps) all += stamp;
    return all;
}

bool isCached(const spec::Choice& choice, std::int64_t seed, train::TaskKind task, const spec::DataRules& rules) {
    const auto& one = cached();
    return one && one->choice == choice && one->seed == seed && one->task == task && one->rules == rules &&
           stampsOf(one->dataset.source) == one->stamps;
}

std::int64_t bytesOf(const Dataset& dataset) {
    std::int64_t bytes = 0;
    for (const auto* split : {&dataset.train, &dataset.validation, &dataset.test}) bytes += split->bytes();
    return bytes;
}

} // namespace

void cacheDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task, const spec::DataRules& rules) {
    if (!worthCaching(choice.name) || isCached(choice, seed, task, rules)) return;
    cached().reset();
    auto loaded = loadDataset(choice, seed, task, rules);
    if (!loaded || bytesOf(*loaded) > kMostBytes) return;
    auto stamps = stampsOf(loaded->source);
    if (stamps.empty()) return;
    cached() = Cached{choice, seed, task, rules, std::move(stamps), std::move(*loaded)};
}

const Dataset* cachedDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                             const spec::DataRules& rules) {
    return isCached(choice, seed, task, rules) ? &cached()->dataset : nullptr;
}

Result<Dataset> loadCached(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                           const spec::DataRules& rules) {
    if (const auto* here = cachedDataset(choice, seed, task, rules)) return *here;
    return loadDataset(choice, seed, task, rules);
}

// What is kept goes first, so that there are never two.
Result<Dataset> loadOrKeep(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                           const spec::DataRules& rules) {
    if (const auto* here = cachedDataset(choice, seed, task, rules)) return *here;
    if (cached() && cached()->dataset.source == kGenerated) cached().reset();
    auto loaded = loadDataset(choice, seed, task, rules);
    if (loaded && loaded->source == kGenerated && bytesOf(*loaded) <= kMostGenerated)
        cached() = Cached{choice, seed, task, rules, {}, *loaded};
    return loaded;
}

} // namespace trainyard::data
