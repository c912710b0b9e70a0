// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/memory_states.h"

#include "engine/base/atomic_file.h"
#include "engine/base/host_load.h"
#include "engine/base/unique_fd.h"
#include "engine/run/record/run_folder.h"
#include "engine/store/run_query.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr double kPatience = 1; // seconds, when a sweep ends, for each run that has not quite

fs::path memoryRoot() { return "/dev/shm/trainyard-" + std::to_string(::geteuid()); }

// The folder is in memory, and nobody else can put anything there.
bool isSafe(const fs::path& root) {
    struct statfs system{};
    struct stat info{};
    if (::statfs(root.parent_path().c_str(), &system) != 0 || system.f_type != TMPFS_MAGIC) return false;
    if (::mkdir(root.c_str(), 0700) != 0 && errno != EEXIST) return false;
    return ::lstat(root.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
           (info.st_mode & 077) == 0;
}

// Of all files in the folders of a sweep's runs. An adopted state has a name with each run, and is there once.
std::int64_t bytesIn(const fs::path& sweep) {
    std::error_code failure;
    double bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(sweep, failure)) {
        struct stat info{};
        if (::lstat(entry.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
        bytes += static_cast<double>(info.st_size) / static_cast<double>(std::max<nlink_t>(info.st_nlink, 1));
    }
    return static_cast<std::int64_t>(bytes);
}

// Not for long: whoever has the lock may be held up.
bool isLocked(int folder) {
    constexpr auto kStep = std::chrono::milliseconds(2);
    for (int tries = 0; tries < 500; ++tries) {
        if (::flock(folder, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        std::this_thread::sleep_for(kStep);
    }
    return false;
}

// Whatever the sweep allows: programs are not to lack it, this one's ranks among them.
bool hasRoom(std::int64_t bytes) {
    constexpr std::int64_t kShareOfFree = 4;
    const HostLoad load = HostMeter().sample();
    return bytes <= (load.memoryTotal - load.memoryUsed) / kShareOfFree;
}

Result<void> copyTo(const fs::path& target, const fs::path& file, Outlives outlives) {
    const UniqueFd from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info{};
    if (!from || ::fstat(from.get(), &info) != 0) return systemError("cannot read the checkpoint", file.string());
    std::error_code ignored;
    fs::create_directories(target.parent_path(), ignored); // when that fails, writing says why
    const auto copy = [&](LargeFile& out) -> Result<void> {
        std::vector<std::byte> piece(1u << 20);
        for (;;) {
            const ssize_t count = ::read(from.get(), piece.data(), piece.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return systemError("cannot read the checkpoint", file.string());
            if (count == 0) return {};
            TY_TRY(out.append(std::span(piece).first(static_cast<std::size_t>(count))));
        }
    };
    return writeLargeFileAtomic(target, static_cast<std::size_t>(info.st_size), copy, outlives);
}

// Waits so many seconds for a run that is about to end.
Result<void> moveRunToDisk(store::KeptStore& kept, const fs::path& folder, double patience) {
    const std::string run = folder.filename().string();
    TY_ASSIGN(store::RunQuery * query, kept.reader());
    const auto row = query->run(run);
    std::error_code ignored;
    if (!row && row.error().kind == ErrorKind::Input) return fs::remove_all(folder, ignored), Result<void>(); // deleted
    if (!row) return row.error();
    if (patience > 0) (void)store::RunLock::waitUntilFree(row->folder, patience);
    const auto lock = store::RunLock::acquire(row->folder);
    if (!lock) return {};
    TY_ASSIGN(auto rows, query->checkpoints(run));
    const auto lost = [](const auto& each) { return isInMemory(each.path) && ::access(each.path.c_str(), R_OK) != 0; };
    const auto outlives = row->trainSeconds < kBriefTraining ? Outlives::Process : Outlives::PowerLoss;
    const auto onDisk = [&](const auto& each) {
        return RunFolder{row->folder}.checkpoints() / fs::path(each.path).filename();
    };
    bool changed = false;
    for (auto& each : rows) { // moved before, and not recorded then
        if (!lost(each) || !fs::exists(onDisk(each), ignored)) continue;
        each.path = onDisk(each).string();
        changed = true;
    }
    changed = std::erase_if(rows, lost) > 0 || changed;
    for (auto& each : rows) {
        if (!isInMemory(each.path)) continue;
        const fs::path target = onDisk(each);
        TY_TRY(copyTo(target, each.path, outlives));
        if (each.pinned) fs::remove(each.path, ignored); // else its row would stay beside the new one
        each.path = target.string();
        changed = true;
    }
    if (changed) {
        TY_ASSIGN(store::Store * store, kept.writer());
        const auto write = [&]() -> Result<void> {
            TY_TRY(store->setCheckpoints(run, rows));
            return {};
        };
        TY_TRY(store->together(write, outlives));
    }
    fs::remove_all(folder, ignored);
    return {};
}

} // namespace

fs::path memoryOfSweep(const std::string& sweep) {
    const fs::path root = memoryRoot();
    return !sweep.empty() && isSafe(root) ? root / sweep : fs::path();
}

StateMemory memoryOf(const std::string& sweep, const std::string& run, std::int64_t megabytes) {
    const fs::path folder = megabytes > 0 ? memoryOfSweep(sweep) : fs::path();
    if (folder.empty()) return {};
    return {folder / run, megabytes * 1'000'000};
}

bool isInMemory(const fs::path& file) { return file.string().starts_with(memoryRoot().string() + '/'); }

bool writeInMemory(const StateMemory& memory, const std::string& name, std::int64_t bytes,
                   const std::function<Result<void>(const fs::path& file)>& write) {
    if (memory.folder.empty() || bytes > memory.bytes || !hasRoom(bytes)) return false;
    std::error_code failure;
    fs::create_directories(memory.folder, failure);
    const fs::path sweep = memory.folder.parent_path();
    const UniqueFd lock(::open(sweep.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock || !isLocked(lock.get())) return false;
    return bytesIn(sweep) + bytes <= memory.bytes && write(memory.folder / name).ok();
}

void removeFromMemory(const fs::path& folder, const std::vector<store::CheckpointRow>& listed) {
    std::error_code failure;
    std::vector<fs::path> gone;
    for (const auto& entry : fs::directory_iterator(folder, failure))
        if (std::ranges::none_of(listed, [&](const auto& row) { return fs::path(row.path) == entry.path(); }))
            gone.push_back(entry.path());
    for (const auto& file : gone) fs::remove(file, failure);
}

Result<void> moveToDisk(store::KeptStore& store, const std::string& sweep, const std::string& run) {
    const fs::path folder = memoryOfSweep(sweep) / run;
    std::error_code failure;
    return !run.empty() && fs::is_directory(folder, failure) ? moveRunToDisk(store, folder, 0) : Result<void>();
}

Result<void> moveToDisk(store::KeptStore& store, const std::string& sweep) {
    const fs::path folder = memoryOfSweep(sweep);
    if (folder.empty()) return {};
    std::error_code failure;
    std::vector<std::string> runs;
    for (const auto& entry : fs::directory_iterator(folder, failure)) runs.push_back(entry.path().filename().string());
    for (const auto& run : runs) TY_TRY(moveRunToDisk(store, folder / run, kPatience));
    fs::remove(folder, failure); // unless a run still has something there
    return {};
}

void forgetMemory(const std::string& sweep, const std::string& run) {
    const fs::path folder = memoryOfSweep(sweep);
    if (folder.empty() || run.empty()) return;
    std::error_code failure;
    fs::remove_all(folder / run, failure);
    fs::remove(folder, failure); // unless another run has something there
}

} // namespace trainyard::run
