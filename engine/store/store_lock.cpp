// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/unique_fd.h"
#include "engine/store/last_words.h"
#include "engine/store/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

namespace trainyard::store {
namespace {

namespace fs = std::filesystem;

fs::path lockFile(const fs::path& folder) { return folder / kLockFile; }

// Asking whether the lock is held takes it for a moment, so acquiring it retries for longer than that.
bool tryLock(int fd) {
    for (int attempt = 0; attempt < 50; ++attempt) {
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        ::usleep(5000);
    }
    errno = EWOULDBLOCK;
    return false;
}

// For people only: the lock itself is held by the kernel.
void writeHolder(int fd) {
    const std::string pid = std::to_string(::getpid());
    if (::ftruncate(fd, 0) == 0) (void)!::pwrite(fd, pid.data(), pid.size(), 0);
}

} // namespace

RunLock::RunLock(int fd) : m_fd(fd) {}
RunLock::RunLock(RunLock&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
RunLock& RunLock::operator=(RunLock&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
}
RunLock::~RunLock() {
    if (m_fd >= 0) ::close(m_fd);
}

Result<RunLock> RunLock::acquire(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    const std::string path = lockFile(folder).string();
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!fd) return notMadeError("cannot create the lock", path, {errno, std::generic_category()});
    if (!tryLock(fd.get())) {
        if (errno != EWOULDBLOCK) return systemError("cannot lock", path);
        std::array<char, 32> holder{};
        const ssize_t length = ::pread(fd.get(), holder.data(), holder.size() - 1, 0);
        std::string pid(holder.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
        pid.resize(std::min(pid.find('\n'), pid.size()));
        return environmentError("another process" + (pid.empty() ? "" : " (" + pid + ")") + " supervises this run",
                                path, "attach to it, or stop it first")
            .withCode(ErrorCode::AlreadyRunning);
    }
    writeHolder(fd.get());
    return RunLock(fd.release());
}

std::optional<RunLock> RunLock::adopt(int fd, const fs::path& folder) {
    struct stat given{}, wanted{};
    if (::fstat(fd, &given) != 0 || ::stat(lockFile(folder).c_str(), &wanted) != 0) return std::nullopt;
    if (given.st_dev != wanted.st_dev || given.st_ino != wanted.st_ino) return std::nullopt;
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return std::nullopt; // it has it already, unless it is another's
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    writeHolder(fd);
    return RunLock(fd);
}

bool RunLock::wasEverHeld(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(lockFile(folder), ignored);
}

bool RunLock::isHeld(const fs::path& folder) {
    const UniqueFd fd(::open(lockFile(folder).c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return false;
    return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool RunLock::waitUntilFree(const fs::path& folder, double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    while (isHeld(folder)) {
        if (monotonicSeconds() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

} // namespace trainyard::store
