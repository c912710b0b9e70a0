// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_prune.h"

#include "engine/base/files/temporary_name.h"
#include "engine/program/code/code_names.h"

#include <cerrno>
#include <chrono>
#include <csignal>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kUnneededFor{10};

// Anything besides the files of the list, the links to what is left out of it, and caches.
bool holdsMore(const fs::path& tree, const CodeList& list) {
    std::set<std::string> own(list.leftOut.begin(), list.leftOut.end());
    for (const auto& code : list.files) own.insert(code.file.path);
    std::error_code failure;
    fs::recursive_directory_iterator at(tree, failure), end;
    for (; !failure && at != end; at.increment(failure)) {
        std::error_code ignored;
        if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
            if (isCacheFolder(at->path().filename().string())) at.disable_recursion_pending();
        } else if (!own.contains(at->path().lexically_relative(tree).string())) {
            return true;
        }
    }
    return static_cast<bool>(failure);
}

bool isYoung(const fs::path& file) {
    std::error_code failure;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file, failure);
    return failure || age < kUnneededFor;
}

// What processes have left that were killed while they made a snapshot.
void removeHalfMade(const fs::path& root) {
    std::error_code failure, ignored;
    std::vector<fs::path> gone;
    for (fs::directory_iterator at(root, failure), end; !failure && at != end; at.increment(failure))
        if (const auto owner = ownerOfTemporary(at->path().filename().string());
            owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH && isYoung(at->path()) == false)
            gone.push_back(at->path());
    for (const auto& folder : gone) fs::remove_all(folder, ignored);
}

} // namespace

PrunedCode pruneCode(const CodeStore& store, const std::set<std::string>& needed) {
    PrunedCode pruned;
    removeHalfMade(store.root());
    std::error_code failure, ignored;
    std::vector<std::string> digests;
    for (fs::directory_iterator at(store.root(), failure), end; !failure && at != end; at.increment(failure))
        if (at->path().extension() == ".list") digests.push_back(at->path().stem().string());
    for (const auto& digest : digests) {
        if (needed.contains(digest) || isYoung(store.listFile(digest))) continue;
        const auto list = store.list(digest);
        if (list && holdsMore(store.tree(digest), *list)) {
            ++pruned.kept;
            continue;
        }
        // Nobody takes it for whole from here on.
        const fs::path aside = store.root() / temporaryName();
        fs::remove(store.listFile(digest), failure);
        if (failure) continue;
        fs::rename(store.tree(digest), aside, ignored);
        fs::remove_all(aside, ignored);
        ++pruned.deleted;
        if (list)
            for (const auto& code : list->files) pruned.bytes += code.file.size;
    }
    return pruned;
}

} // namespace trainyard::program
