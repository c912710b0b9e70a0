// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/checkpoint_finder.h"

#include <algorithm>
#include <array>
#include <map>

namespace trainyard::program {
namespace {

std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The root that the path is below, with a slash at its end; empty: none.
std::string_view rootOf(const std::string& path, const FinderRules& rules) {
    for (const std::string& root : rules.roots)
        if (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/')
            return std::string_view(path).substr(0, root.size() + 1);
    return {};
}

std::optional<CheckpointName> folderName(const std::string& path, const FinderRules& rules) {
    if (auto own = namedByPattern(path, rules.patterns)) return own;
    return checkpointFolderName(lastPart(path));
}

std::optional<CheckpointName> fileName(const std::string& path, const FinderRules& rules) {
    if (auto own = namedByPattern(path, rules.patterns)) return own;
    return checkpointFileName(lastPart(path));
}

// Files that hold weights, whatever their folder is called.
bool isOfModel(const std::string& path) {
    constexpr std::array<std::string_view, 13> kEndings{".pt",    ".pth",   ".ckpt",    ".safetensors", ".bin",
                                                        ".keras", ".npz",   ".h5",      ".distcp",      ".msgpack",
                                                        ".pkl",   ".index", "_METADATA"};
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool isOfRun(const ListedFile& file, const FinderRules& rules) {
    if (file.changedNs / 1'000'000 < rules.startedMs) return false;
    const auto other = rules.otherNs.find(file.path);
    return other == rules.otherNs.end() || other->second != file.changedNs;
}

// A folder that is a checkpoint, and what its name says.
struct Around {
    std::string folder{}; // empty: there is none
    CheckpointName name{};
};

// The outermost one between the root and the files of the folder.
Around folderAround(const std::string& folder, const FinderRules& rules) {
    const std::string path = folder + "/";
    const std::size_t root = rootOf(path, rules).size();
    for (std::size_t slash = path.find('/', root); slash != path.npos; slash = path.find('/', slash + 1)) {
        std::string above = path.substr(0, slash);
        if (const auto name = folderName(above, rules)) return {std::move(above), *name};
    }
    return {};
}

} // namespace

std::uint64_t FoundCheckpoint::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& file : files) sum += file.bytes;
    return sum;
}

std::int64_t FoundCheckpoint::changedNs() const {
    std::int64_t newest = 0;
    for (const auto& file : files) newest = std::max(newest, file.changedNs);
    return newest;
}

bool isCheckpointFolder(const std::string& path, const FinderRules& rules) {
    return folderName(path, rules).has_value();
}

bool isCheckpointFile(const std::string& path, const FinderRules& rules) { return fileName(path, rules).has_value(); }

std::vector<FoundCheckpoint> findCheckpoints(const std::vector<ListedFile>& files, const FinderRules& rules) {
    std::map<std::string, FoundCheckpoint> found;
    std::map<std::string, Around> folders; // of files
    for (const ListedFile& file : files) {
        if (rootOf(file.path, rules).empty()) continue;
        const std::string above = file.path.substr(0, file.path.rfind('/'));
        auto around = folders.find(above);
        if (around == folders.end()) around = folders.emplace(above, folderAround(above, rules)).first;
        if (!around->second.folder.empty()) {
            auto& checkpoint = found[around->second.folder];
            checkpoint.isFolder = true;
            checkpoint.name = around->second.name;
            checkpoint.files.push_back(file);
        } else if (const auto name = fileName(file.path, rules)) {
            found[file.path] = {.path = {}, .isFolder = false, .name = *name, .files = {file}};
        }
    }
    std::vector<FoundCheckpoint> all;
    for (auto& [path, checkpoint] : found) {
        const bool isOne = !checkpoint.isFolder || std::ranges::any_of(checkpoint.files, [](const ListedFile& file) {
            return isOfModel(file.path);
        });
        const auto isNew = [&](const ListedFile& file) { return isOfRun(file, rules); };
        if (!isOne || std::ranges::none_of(checkpoint.files, isNew)) continue;
        checkpoint.path = path;
        std::ranges::sort(checkpoint.files, {}, &ListedFile::path);
        all.push_back(std::move(checkpoint));
    }
    return all;
}

} // namespace trainyard::program
