// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/kept_file.h"

#include "engine/base/files/folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace trainyard {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPartEnding = ".part";
constexpr std::chrono::milliseconds kLookAgain{10};

// The lock of the one that makes it; none while another has it. What cannot be locked says so.
Result<UniqueFd> lockPart(const fs::path& part) {
    UniqueFd fd(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd) return systemError("cannot be written", part.string());
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return UniqueFd();
    struct stat locked{}, named{};
    const bool isIt = ::fstat(fd.get(), &locked) == 0 && ::lstat(part.c_str(), &named) == 0 &&
                      locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
    return isIt ? std::move(fd) : UniqueFd(); // it was finished, or removed, in between
}

struct KeptFound {
    fs::path file;
    std::int64_t bytes, usedAt;
};

std::vector<KeptFound> keptIn(const fs::path& folder, std::string_view ending) {
    std::vector<KeptFound> found;
    std::error_code problem;
    const std::string part = std::string(ending) + kPartEnding;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        struct stat info{};
        const std::string name = entry.path().filename().string();
        const bool isKept = name.ends_with(ending) || name.ends_with(part);
        if (!isKept || ::lstat(entry.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
        found.push_back({entry.path(), static_cast<std::int64_t>(info.st_blocks) * 512,
                         info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec});
    }
    std::sort(found.begin(), found.end(), [](const KeptFound& a, const KeptFound& b) { return a.usedAt < b.usedAt; });
    return found;
}

void removeBeside(const fs::path& file) {
    const std::string name = file.filename().string(), stem = name.substr(0, name.find('.')) + ".";
    std::error_code problem;
    std::vector<fs::path> beside;
    for (const auto& entry : fs::directory_iterator(file.parent_path(), problem))
        if (entry.path().filename().string().starts_with(stem)) beside.push_back(entry.path());
    for (const fs::path& each : beside) fs::remove(each, problem);
}

} // namespace

KeptStore usualStore(const std::string& name) {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return {};
    fs::path there = folder;
    std::error_code problem;
    while (!fs::exists(there, problem) && there.has_parent_path() && there != there.parent_path())
        there = there.parent_path();
    const auto space = fs::space(there, problem);
    return {folder / name, problem ? 0 : static_cast<std::int64_t>(space.capacity / 4)};
}

std::string stampOfFile(const fs::path& file) {
    struct stat info{};
    if (::stat(file.c_str(), &info) != 0) return {};
    return fs::absolute(file).string() + '\0' + std::to_string(info.st_size) + " " +
           std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

fs::path partOfKept(const fs::path& file) { return file.string() + kPartEnding; }

Result<UniqueFd> turnToMake(const fs::path& file, const std::function<bool()>& isThere) {
    std::error_code problem;
    const fs::path folder = file.parent_path(), part = partOfKept(file);
    fs::create_directories(folder, problem);
    if (problem) return environmentError("cannot be made: " + problem.message(), folder.string());
    fs::permissions(folder, fs::perms::owner_all, problem);
    for (;; std::this_thread::sleep_for(kLookAgain)) {
        if (isThere()) return UniqueFd();
        TY_ASSIGN(UniqueFd lock, lockPart(part));
        if (!lock) continue;
        if (!isThere()) return lock;
        fs::remove(part); // it came between the two looks
        return UniqueFd();
    }
}

Result<void> endTurnToMake(const fs::path& file, const UniqueFd& lock, Result<void> made) {
    std::error_code problem;
    if (!made) {
        fs::remove(partOfKept(file), problem);
        return made;
    }
    fs::rename(partOfKept(file), file, problem);
    if (problem) return environmentError("cannot be written: " + problem.message(), file.string());
    ::flock(lock.get(), LOCK_SH);
    return {};
}

UniqueFd openKept(const fs::path& file) {
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0) return {};
    return fd;
}

void pruneKept(const fs::path& folder, std::string_view ending, std::int64_t most) {
    const auto found = keptIn(folder, ending);
    std::int64_t all = 0;
    for (const KeptFound& each : found) all += each.bytes;
    std::error_code problem;
    for (const KeptFound& each : found) {
        if (all <= most) return;
        const UniqueFd fd(::open(each.file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue; // somebody has it
        if (!fs::remove(each.file, problem)) continue;
        all -= each.bytes;
        if (each.file.filename().string().ends_with(ending)) removeBeside(each.file);
    }
}

} // namespace trainyard
