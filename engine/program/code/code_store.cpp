// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_store.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/program/code/code_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 5;                        // of a project in which files are being written
constexpr std::int64_t kFreshNs = 2'000'000'000; // a change this young may be followed by one that the
                                                 // file's times do not tell from it
constexpr std::size_t kMostListBytes = 64u << 20;

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(fs::symlink_status(path, ignored));
}

std::optional<CodeList> readList(const fs::path& file) {
    const auto text = readFile(file, kMostListBytes);
    return text ? codeListOf(*text) : std::nullopt;
}

// The digests of the files that are as they were at the last look; nothing for the others.
std::vector<ListedCode> knownFrom(std::vector<CodeFile> files, const CodeList* before) {
    std::vector<ListedCode> known;
    known.reserve(files.size());
    auto old = before ? before->files.begin() : std::vector<ListedCode>::const_iterator{};
    for (auto& file : files) {
        ListedCode code{std::move(file), {}};
        if (before) {
            while (old != before->files.end() && old->file.path < code.file.path) ++old;
            const bool isSame = old != before->files.end() && old->file.path == code.file.path &&
                                old->file.link.empty() && code.file.link.empty() && old->file.size == code.file.size &&
                                old->file.modifiedNs == code.file.modifiedNs &&
                                old->file.changedNs == code.file.changedNs && old->file.inode == code.file.inode;
            if (isSame) code.digest = old->digest;
        }
        known.push_back(std::move(code));
    }
    return known;
}

// Whether the copy is as it was made.
bool isWhole(const fs::path& tree, const CodeFile& file) {
    struct stat status{};
    if (::lstat((tree / file.path).c_str(), &status) != 0) return false;
    if (!file.link.empty()) {
        std::error_code failure;
        return S_ISLNK(status.st_mode) && fs::read_symlink(tree / file.path, failure) == file.link;
    }
    return S_ISREG(status.st_mode) && status.st_size == file.size &&
           std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec == file.modifiedNs &&
           ((status.st_mode & S_IXUSR) != 0) == file.isProgram;
}

Result<bool> bring(const fs::path& project, const CodeFile& file, const fs::path& to) {
    if (file.link.empty()) return copyCode(project, file, to);
    if (::symlink(file.link.c_str(), to.c_str()) != 0) return systemError("cannot be made", to.string());
    return true;
}

Result<void> makeFolder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) return notMadeError("cannot be made", folder, failure);
    return {};
}

// What Python has compiled of files that are the same still serves; it replaces such a file and never writes to it.
void linkCompiled(const fs::path& from, const fs::path& to, const CodeList& list, const CodeList& before) {
    std::map<std::string_view, std::string_view> known;
    for (const auto& [file, digest] : before.files) known.emplace(file.path, digest);
    std::map<std::string, std::vector<std::string>> byFolder; // the names before ".py"
    for (const auto& [file, digest] : list.files) {
        const auto old = known.find(file.path);
        if (!file.path.ends_with(".py") || old == known.end() || old->second != digest) continue;
        const fs::path path = file.path;
        byFolder[path.parent_path().string()].push_back(path.stem().string());
    }
    for (const auto& [folder, stems] : byFolder) {
        std::error_code failure;
        const fs::path caches = to / folder / "__pycache__";
        for (fs::directory_iterator at(from / folder / "__pycache__", failure), end; !failure && at != end;
             at.increment(failure)) {
            const auto name = at->path().filename().string();
            const auto stem = name.substr(0, name.find('.'));
            if (!name.ends_with(".pyc") || !std::ranges::binary_search(stems, stem)) continue;
            std::error_code ignored;
            fs::create_directory(caches, ignored);
            fs::create_hard_link(at->path(), caches / name, ignored);
        }
    }
}

// A program may have something of its own there by now, which stays.
Result<void> linkRest(const fs::path& root, const CodeList& list, const CodeList* before) {
    const fs::path project = list.project;
    std::error_code failure;
    if (before && before->leftOut != list.leftOut)
        for (const auto& path : before->leftOut)
            if (!std::ranges::binary_search(list.leftOut, path) &&
                fs::read_symlink(root / path, failure) == project / path)
                fs::remove(root / path, failure); // it leads nowhere, or to what is code now
    for (const auto& path : list.leftOut) {
        const auto target = (project / path).string();
        if (::symlink(target.c_str(), (root / path).c_str()) == 0 || errno == EEXIST) continue;
        return systemError("cannot be made", (root / path).string(), roomRemedy(errno, root));
    }
    return {};
}

} // namespace

fs::path CodeStore::lastLook(const fs::path& project) const {
    return m_root / "looks" / (toHex(sha256Raw(project.string())).substr(0, 32) + ".list");
}

Result<CodeList> CodeStore::list(const std::string& digest) const {
    auto list = readList(listFile(digest));
    if (list && isFolder(tree(digest))) return std::move(*list);
    return inputError("the snapshot of the code is gone", tree(digest).string(),
                      "start the run anew: it then runs the code as it is now");
}

Result<void> CodeStore::check(const std::string& digest) const {
    TY_ASSIGN(const auto wanted, list(digest));
    for (const auto& code : wanted.files)
        if (!isWhole(tree(digest), code.file))
            return inputError("this file of the run's code was changed or deleted since the run has started",
                              printable((tree(digest) / code.file.path).string(), 400),
                              "start the run anew: it then runs the code as it is now");
    return {};
}

Result<CodeList> CodeStore::take(const CodePlace& place) const {
    TY_TRY(makeFolder(m_root / "looks"));
    for (int tries = 0; tries < kTries; ++tries) {
        TY_ASSIGN(auto taken, takeOnce(place));
        if (taken) return std::move(*taken);
    }
    return environmentError("files of the project are being written all the time", place.project.string(),
                            "name those that are no code in its .trainyardignore, or set program.code to \"inPlace\"");
}

Result<std::optional<CodeList>> CodeStore::takeOnce(const CodePlace& place) const {
    const std::int64_t begun = wallClockMs() * 1'000'000;
    TY_ASSIGN(auto found, findCode(place));
    const auto before = readList(lastLook(place.project));
    CodeList list{place.project.string(), {}, knownFrom(std::move(found.files), before ? &*before : nullptr), {}};
    list.leftOut = std::move(found.leftOut);
    for (auto& [file, digest] : list.files) {
        if (!digest.empty() || !file.link.empty()) continue;
        TY_ASSIGN(auto content, contentOf(place.project, file));
        if (!content) return std::optional<CodeList>();
        digest = std::move(*content);
    }
    list.digest = digestOf(list);
    if (const auto there = this->list(list.digest)) {
        TY_ASSIGN(const bool isRight, putRight(*there, list));
        if (!isRight) return std::optional<CodeList>();
        TY_TRY(linkRest(tree(list.digest), list, &*there));
        if (there->leftOut != list.leftOut) {
            auto changed = *there;
            changed.leftOut = list.leftOut;
            TY_TRY(writeFileAtomic(listFile(list.digest), textOf(changed), Outlives::Process));
        }
        ::utimensat(AT_FDCWD, listFile(list.digest).c_str(), nullptr, 0); // it is needed now, see prune()
    } else {
        TY_ASSIGN(const bool isBuilt, build(list, before ? &*before : nullptr));
        if (!isBuilt) return std::optional<CodeList>();
    }
    auto look = list;
    for (auto& code : look.files)
        if (std::max(code.file.changedNs, code.file.modifiedNs) > begun - kFreshNs) code.file.changedNs = 0;
    if (auto text = textOf(look); !before || text != textOf(*before))
        TY_TRY(writeFileAtomic(lastLook(place.project), text, Outlives::Process));
    return std::optional(std::move(list));
}

// Nobody sees it before it is whole.
Result<bool> CodeStore::build(const CodeList& list, const CodeList* before) const {
    const fs::path made = m_root / temporaryName();
    const auto built = [&]() -> Result<bool> {
        TY_TRY(makeFolder(made));
        std::set<std::string> folders;
        for (const auto& code : list.files) {
            const auto folder = fs::path(code.file.path).parent_path();
            if (folders.insert(folder.string()).second) TY_TRY(makeFolder(made / folder));
            TY_ASSIGN(const bool isSame, bring(list.project, code.file, made / code.file.path));
            if (!isSame) return false;
        }
        if (before && isFolder(tree(before->digest))) linkCompiled(tree(before->digest), made, list, *before);
        TY_TRY(linkRest(made, list, nullptr));
        TY_TRY(writeFileAtomic(listFile(list.digest), textOf(list), Outlives::Process));
        return true;
    }();
    std::error_code failure, ignored;
    if (built && *built) fs::rename(made, tree(list.digest), failure);
    const bool isTaken = failure == std::errc::directory_not_empty || failure == std::errc::file_exists;
    if (!built || !*built || failure) fs::remove_all(made, ignored);
    if (failure && !isTaken) return notMadeError("cannot be made", tree(list.digest), failure);
    return built;
}

// Of the files of `list`, which are the same: what a program has changed is copied once more.
Result<bool> CodeStore::putRight(const CodeList& there, const CodeList& list) const {
    const auto root = tree(list.digest);
    for (std::size_t i = 0; i < there.files.size() && i < list.files.size(); ++i) {
        if (isWhole(root, there.files[i].file)) continue;
        const fs::path to = root / list.files[i].file.path, made = to.parent_path() / temporaryName();
        TY_TRY(makeFolder(to.parent_path()));
        TY_ASSIGN(const bool isSame, bring(list.project, list.files[i].file, made));
        const timespec time{there.files[i].file.modifiedNs / 1'000'000'000,
                            there.files[i].file.modifiedNs % 1'000'000'000};
        const std::array<timespec, 2> times{time, time}; // as its list says
        ::utimensat(AT_FDCWD, made.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
        std::error_code failure;
        if (isSame && isFolder(to)) fs::rename(to, to.parent_path() / temporaryName(), failure);
        if (isSame && !failure) fs::rename(made, to, failure);
        if (!isSame || failure) {
            std::error_code ignored;
            fs::remove(made, ignored);
        }
        if (failure) return notMadeError("cannot be put right", to, failure);
        if (!isSame) return false;
    }
    return true;
}

} // namespace trainyard::program
