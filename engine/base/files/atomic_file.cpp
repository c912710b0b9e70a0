// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/atomic_file.h"

#include "engine/base/files/disk_room.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::string megabytes(double bytes) {
    std::array<char, 48> text{};
    if (bytes < 1e6) std::snprintf(text.data(), text.size(), "%.1f kB", bytes / 1e3);
    else std::snprintf(text.data(), text.size(), "%.1f MB", bytes / 1e6);
    return text.data();
}

bool isFull(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

Error tooLargeError(const fs::path& path, std::size_t bytes) {
    const std::string needed = bytes > 0 ? megabytes(static_cast<double>(bytes)) + " are needed" : std::string();
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return environmentError("a file may not be larger than " + megabytes(static_cast<double>(limit.rlim_cur)) +
                                    " here" + (needed.empty() ? "" : ": " + needed),
                                path.string(), "raise the limit (ulimit -f)")
            .withCode(ErrorCode::DiskFull);
    return environmentError("the file is larger than this file system allows" + (needed.empty() ? "" : ": " + needed),
                            path.string(), "choose a folder on another disk")
        .withCode(ErrorCode::DiskFull);
}

// The error of a failed call on the way to `path`; a full disk says what is needed and what is there.
Error writeError(const std::string& what, const fs::path& path, std::size_t bytes) {
    const int code = errno;
    if (!isFull(code)) return systemError(what, path.string());
    if (code == EFBIG) return tooLargeError(path, bytes);
    struct statvfs disk{};
    const bool known = ::statvfs(path.parent_path().c_str(), &disk) == 0;
    if (code == ENOSPC && isOutOfInodes(path.parent_path()))
        return environmentError("the disk has no room for another file: all its inodes are used", path.string(),
                                "delete files that are not needed, or choose a folder on another disk")
            .withCode(ErrorCode::DiskFull);
    std::string message = "the disk is full";
    if (bytes > 0) message += ": " + megabytes(static_cast<double>(bytes)) + " are needed";
    if (known)
        message += (bytes > 0 ? ", " : ": ") +
                   megabytes(static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize)) + " are free";
    return environmentError(message, path.string(), "free some space or choose another folder")
        .withCode(ErrorCode::DiskFull);
}

// The temporary file beside the target: removed unless it took the target's place.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) {
        m_path = target.parent_path() / temporaryName();
        m_fd.reset(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!m_fd) m_path.clear();
    }
    ~TemporaryFile() {
        if (!m_path.empty()) ::unlink(m_path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int fd() const { return m_fd.get(); }
    const fs::path& path() const { return m_path; }
    void kept() { m_path.clear(); }
    int close() { return ::close(m_fd.release()); }

private:
    fs::path m_path;
    UniqueFd m_fd;
};

Result<void> writeAll(int fd, std::span<const std::byte> bytes, const fs::path& path, std::size_t expected) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return writeError("cannot write", path, expected);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

// Blocks of a size that every disk takes, from memory that begins at a page; whatever is no whole block, and everything
// where the file system refuses (EINVAL), goes through the page cache.
class LargeFileWriter final : public LargeFile {
public:
    LargeFileWriter(int fd, const fs::path& path, std::size_t expected)
        : m_fd(fd), m_path(path), m_expected(expected),
          m_buffer(static_cast<std::byte*>(std::aligned_alloc(kBlock, kBuffer))) {
        if (!m_buffer) throw std::bad_alloc();
        if (expected >= kLargeFile) bypassCache(true);
    }

    Result<void> append(std::span<const std::byte> bytes) override {
        while (!bytes.empty()) {
            const std::size_t count = std::min(bytes.size(), kBuffer - m_filled);
            std::memcpy(m_buffer.get() + m_filled, bytes.data(), count);
            bytes = bytes.subspan(count);
            m_filled += count;
            if (m_filled == kBuffer) TY_TRY(flush());
        }
        return {};
    }

    Result<void> overwrite(std::uint64_t offset, std::span<const std::byte> bytes) override {
        TY_TRY(flush());
        bypassCache(false);
        while (!bytes.empty()) {
            const ssize_t written = ::pwrite(m_fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return writeError("cannot write", m_path, m_expected);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            offset += static_cast<std::uint64_t>(written);
        }
        return {};
    }

    Result<void> flush() {
        std::span<const std::byte> bytes(m_buffer.get(), std::exchange(m_filled, 0));
        while (m_bypasses && bytes.size() >= kBlock) {
            const ssize_t written = ::write(m_fd, bytes.data(), bytes.size() / kBlock * kBlock);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0 && errno != EINVAL) return writeError("cannot write", m_path, m_expected);
            if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
            if (written <= 0 || static_cast<std::size_t>(written) % kBlock != 0) bypassCache(false);
        }
        if (bytes.empty()) return {};
        bypassCache(false); // from here on the file does not end with a block
        return writeAll(m_fd, bytes, m_path, m_expected);
    }

private:
    static constexpr std::size_t kBlock = 4096, kBuffer = 1 << 20;

    void bypassCache(bool on) {
        if (m_bypasses == on) return;
        const int flags = ::fcntl(m_fd, F_GETFL);
        m_bypasses = ::fcntl(m_fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 && on;
    }

    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    const int m_fd;
    const fs::path& m_path;
    const std::size_t m_expected;
    const std::unique_ptr<std::byte, Free> m_buffer;
    std::size_t m_filled = 0;
    bool m_bypasses = false;
};

// The file to replace: a link's target, so that the link survives.
fs::path realTarget(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) {
        fs::path target = fs::canonical(path, ignored);
        if (!ignored) return target;
    }
    return path.has_parent_path() ? path : fs::path(".") / path;
}

// `fill` writes the temporary file that takes the place of `path` in the end.
Result<void> replaceFile(const fs::path& path, std::size_t expectedBytes, Outlives outlives,
                         const std::function<Result<void>(int fd, const fs::path& target)>& fill) {
    const bool waits = outlives == Outlives::PowerLoss;
    const fs::path target = realTarget(path);
    TemporaryFile temporary(target);
    if (temporary.path().empty()) return writeError("cannot create a file in the folder", target, expectedBytes);
    // Only reserves; a file system that cannot (EOPNOTSUPP) finds a full disk while writing instead.
    if (expectedBytes > 0 &&
        ::fallocate(temporary.fd(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(expectedBytes)) != 0 && isFull(errno))
        return writeError("cannot reserve space", target, expectedBytes);
    TY_TRY(fill(temporary.fd(), target));
    // After a failed fsync the kernel has dropped the pages: this file is lost and must not be tried again.
    if (waits && ::fsync(temporary.fd()) != 0) return writeError("cannot sync", target, expectedBytes);
    if (temporary.close() != 0) return writeError("cannot close", target, expectedBytes);
    if (::rename(temporary.path().c_str(), target.c_str()) != 0)
        return writeError("cannot put the new file in place", target, expectedBytes);
    temporary.kept();
    return waits ? syncFolder(target.parent_path()) : Result<void>();
}

} // namespace

void removeTemporaryFiles(const fs::path& folder, std::int64_t pid) {
    std::error_code failure;
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator(folder, failure))
        if (ownerOfTemporary(entry.path().filename().string()) == pid) left.push_back(entry.path());
    for (const auto& file : left) fs::remove(file, failure);
}

Result<void> syncFolder(const fs::path& folder) {
    const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return systemError("cannot open the folder", folder.string());
    // Some network file systems have nothing to sync for a folder and say so.
    if (::fsync(fd.get()) != 0 && errno != EINVAL) return systemError("cannot sync the folder", folder.string());
    return {};
}

Result<void> writeFileAtomic(const fs::path& path, std::size_t expectedBytes,
                             const std::function<Result<void>(const ByteSink&)>& produce) {
    return replaceFile(path, expectedBytes, Outlives::PowerLoss, [&](int fd, const fs::path& target) {
        return produce([&](std::span<const std::byte> piece) { return writeAll(fd, piece, target, expectedBytes); });
    });
}

Result<void> writeLargeFileAtomic(const fs::path& path, std::size_t expectedBytes,
                                  const std::function<Result<void>(LargeFile&)>& produce, Outlives outlives) {
    return replaceFile(path, expectedBytes, outlives, [&](int fd, const fs::path& target) -> Result<void> {
        LargeFileWriter file(fd, target, expectedBytes);
        TY_TRY(produce(file));
        return file.flush();
    });
}

Result<void> writeFileAtomic(const fs::path& path, std::span<const std::byte> bytes) {
    return writeFileAtomic(path, bytes.size(), [&](const ByteSink& sink) { return sink(bytes); });
}

Result<void> writeFileAtomic(const fs::path& path, std::string_view text, Outlives outlives) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return replaceFile(path, bytes.size(), outlives,
                       [&](int fd, const fs::path& target) { return writeAll(fd, bytes, target, bytes.size()); });
}

Result<std::string> readFile(const fs::path& path, std::size_t maxBytes) {
    // Non-blocking, so that a FIFO without a writer is refused instead of waited for.
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) {
        if (errno == ENOENT || errno == ENOTDIR)
            return inputError("there is no such file", path.string(), "check the path")
                .withCode(ErrorCode::FileMissing);
        if (errno == ELOOP) return inputError("is a link that leads in a circle", path.string(), "remove the link");
        const std::string limit = limitRemedy(errno);
        return systemError("cannot open", path.string(), limit.empty() ? "check its permissions" : limit);
    }
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0) return systemError("cannot read", path.string());
    if (S_ISDIR(info.st_mode)) return inputError("this is a folder, not a file", path.string(), "name a file");
    if (!S_ISREG(info.st_mode)) return inputError("this is not a regular file", path.string(), "name a file");
    const Error tooLarge =
        inputError("the file is larger than the limit of " + megabytes(static_cast<double>(maxBytes)), path.string(),
                   "name another file");
    if (static_cast<std::uint64_t>(info.st_size) > maxBytes) return tooLarge;
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t filled = 0;
    for (;;) { // until end of file: the file may grow, and files of /proc claim size 0
        if (filled == text.size()) text.resize(filled + 4096);
        const ssize_t got = ::read(fd.get(), text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError("cannot read", path.string());
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > maxBytes) return tooLarge;
    }
    text.resize(filled);
    return text;
}

} // namespace trainyard
