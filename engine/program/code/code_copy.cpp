// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/code/code_copy.h"

#include "engine/base/files/disk_room.h"
#include "engine/base/math/sha256.h"
#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1u << 16;

std::int64_t inNanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

timespec timeOf(std::int64_t nanoseconds) {
    timespec time{};
    time.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
    time.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
    if (time.tv_nsec < 0) { // before 1970
        time.tv_nsec += 1'000'000'000;
        time.tv_sec -= 1;
    }
    return time;
}

// Nothing: it is gone, or something else now. Never waits, as for a FIFO in its place.
Result<std::optional<UniqueFd>> openFound(const fs::path& file) {
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (fd) return std::optional(std::move(fd));
    if (errno == ENOENT || errno == ELOOP || errno == ENOTDIR) return std::optional<UniqueFd>();
    return systemError("cannot be read", file.string(),
                       "check its permissions, or name it in the project's .trainyardignore");
}

Error notCopied(const fs::path& to) {
    const int code = errno;
    return systemError("cannot be written", to.string(), roomRemedy(code, to.parent_path()));
}

Result<void> writeAll(int fd, const char* bytes, std::size_t size, const fs::path& to) {
    while (size > 0) {
        const auto written = ::write(fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return notCopied(to);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
    return {};
}

// Calls `take` with each piece of the file.
template <class Take>
Result<void> readPieces(int fd, const fs::path& file, Take take) {
    std::array<char, kPiece> piece;
    for (;;) {
        const auto got = ::read(fd, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot be read", file.string());
        if (got == 0) return {};
        TY_TRY(take(piece.data(), static_cast<std::size_t>(got)));
    }
}

} // namespace

bool isUnchanged(int fd, const CodeFile& found) {
    struct stat status{};
    return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == found.size &&
           inNanoseconds(status.st_mtim) == found.modifiedNs && inNanoseconds(status.st_ctim) == found.changedNs &&
           status.st_ino == found.inode;
}

Result<std::optional<std::string>> contentOf(const fs::path& project, const CodeFile& found) {
    const fs::path file = project / found.path;
    TY_ASSIGN(const auto fd, openFound(file));
    if (!fd || !isUnchanged(fd->get(), found)) return std::optional<std::string>();
    Sha256 sum;
    TY_TRY(readPieces(fd->get(), file, [&](const char* bytes, std::size_t size) -> Result<void> {
        sum.add(bytes, size);
        return {};
    }));
    if (!isUnchanged(fd->get(), found)) return std::optional<std::string>();
    return std::optional(sum.hex());
}

Result<bool> copyCode(const fs::path& project, const CodeFile& found, const fs::path& to) {
    const fs::path file = project / found.path;
    TY_ASSIGN(const auto from, openFound(file));
    struct stat status{};
    if (!from || ::fstat(from->get(), &status) != 0) return false;
    const UniqueFd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (status.st_mode & 0777) | S_IRUSR));
    if (!out) return notCopied(to);
    if (::ioctl(out.get(), FICLONE, from->get()) != 0)
        TY_TRY(readPieces(from->get(), file,
                          [&](const char* bytes, std::size_t size) { return writeAll(out.get(), bytes, size, to); }));
    const std::array<timespec, 2> times{timeOf(found.modifiedNs), timeOf(found.modifiedNs)};
    if (::futimens(out.get(), times.data()) != 0) return notCopied(to);
    return isUnchanged(from->get(), found);
}

} // namespace trainyard::program
