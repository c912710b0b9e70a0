// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/files/folder_digests.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

using Look = DigestCache::Look;
using Known = DigestCache::Known;
using Manifest = std::map<std::string, Known>; // by path relative to the folder

constexpr std::string_view kTitle = "trainyard digests 1\n";
constexpr std::size_t kMaxManifest = 1u << 30;
constexpr std::size_t kDigestLetters = 64;
// A file that was written so lately may be written again within the resolution of its time.
constexpr std::int64_t kYoungNs = 2'000'000'000;

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

Result<Look> lookAt(const fs::path& file) {
    struct stat info{};
    if (::stat(file.c_str(), &info) != 0) return systemError("the file cannot be read", file.string());
    return Look{info.st_size, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim), info.st_ino};
}

// Empty: there is none that only this user can enter.
fs::path manifestFolder() {
    const fs::path cache = cacheFolder();
    if (cache.empty()) return {};
    const fs::path folder = cache / "digests";
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    ::mkdir(folder.c_str(), 0700);
    struct stat info{};
    const bool isPrivate = ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
                           (info.st_mode & 077) == 0;
    return isPrivate ? folder : fs::path();
}

// Takes a number with a space behind it from the front.
template <class Number>
bool take(std::string_view& text, Number& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end == text.data() + text.size() || *end != ' ') return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

// "DIGEST BYTES MODIFIED CHANGED PLACE PATH\0" of each file. Nothing is known by a file that is not like that.
Manifest readManifest(const fs::path& file) {
    const auto content = readFile(file, kMaxManifest);
    if (!content || !content->starts_with(kTitle)) return {};
    std::string_view text(*content);
    text.remove_prefix(kTitle.size());
    Manifest manifest;
    while (!text.empty()) {
        const auto end = text.find('\0');
        std::string_view line = text.substr(0, end);
        if (end == std::string_view::npos || line.size() <= kDigestLetters || line[kDigestLetters] != ' ') return {};
        Known known{{}, std::string(line.substr(0, kDigestLetters))};
        line.remove_prefix(kDigestLetters + 1);
        if (!take(line, known.look.bytes) || !take(line, known.look.modifiedNs) || !take(line, known.look.changedNs) ||
            !take(line, known.look.place))
            return {};
        manifest.emplace(line, std::move(known));
        text.remove_prefix(end + 1);
    }
    return manifest;
}

// A cache: without it the next run hashes once more.
void writeManifest(const fs::path& file, const Manifest& manifest) {
    std::string text(kTitle);
    for (const auto& [path, known] : manifest) {
        text += known.digest;
        for (const auto number : {known.look.bytes, known.look.modifiedNs, known.look.changedNs})
            text += " " + std::to_string(number);
        text += " " + std::to_string(known.look.place) + " " + path + '\0';
    }
    (void)writeFileAtomic(file, text, Outlives::Process);
}

Result<std::vector<std::string>> pathsBelow(const fs::path& folder) {
    std::vector<std::string> paths;
    std::error_code failure;
    for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
        std::error_code ignored;
        if (it->is_regular_file(ignored)) paths.push_back(it->path().string().substr(folder.string().size() + 1));
    }
    if (failure) return environmentError("the folder cannot be read: " + failure.message(), folder.string());
    std::ranges::sort(paths);
    return paths;
}

} // namespace

std::string FolderContent::digest() const {
    Sha256 all;
    for (const auto& file : files) {
        const std::string line = file.digest + "  ./" + file.path + '\0';
        all.add(line.data(), line.size());
    }
    return all.hex();
}

Result<std::string> DigestCache::of(const fs::path& file) {
    const MutexLock lock(m_mutex);
    TY_ASSIGN(const Look look, lookAt(file));
    Known& known = m_known[file];
    if (known.digest.empty() || known.look != look) {
        TY_ASSIGN(std::string digest, sha256HexOf(file));
        known = {look, std::move(digest)};
    }
    return known.digest;
}

Result<FolderContent> DigestCache::ofFolder(const fs::path& folder) {
    const MutexLock lock(m_mutex);
    TY_ASSIGN(const auto paths, pathsBelow(folder));
    const fs::path notes = manifestFolder();
    const fs::path file = notes.empty() ? fs::path() : notes / toHex(sha256Raw(folder.string()));
    const Manifest before = file.empty() ? Manifest{} : readManifest(file);
    const std::int64_t young = wallClockMs() * 1'000'000 - kYoungNs;
    Manifest now;
    FolderContent content{folder, {}};
    bool same = true;
    for (const auto& path : paths) {
        TY_ASSIGN(const Look look, lookAt(folder / path));
        const auto found = before.find(path);
        Known known = found != before.end() && found->second.look == look ? found->second : Known{look, {}};
        if (known.digest.empty()) {
            TY_ASSIGN(known.digest, sha256HexOf(folder / path));
            same = false;
        }
        content.files.push_back({path, known.digest, look.bytes});
        if (look.modifiedNs < young) now.emplace(path, std::move(known));
    }
    if (!file.empty() && (!same || now.size() != before.size())) writeManifest(file, now);
    return content;
}

} // namespace trainyard::remote
