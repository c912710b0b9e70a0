// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into real programs (LD_PRELOAD), so that a chosen system call on a chosen file fails, or the process dies
// in front of it, as it does on a bad disk. It is told what to do by the environment:
//
//   SHIM_PROGRAM   the programs that are meant, by the names of their files; every other one is left alone
//   SHIM_PATH      part of the path of the files that are meant
//                  "process" means no file, but the calls fork and pipe (pipe2, socketpair)
//   SHIM_CALLS     the calls that count: open reserve write sync truncate rename close unlink, fork pipe; else all
//   SHIM_NTH       the first call that fails, from 1
//   SHIM_TIMES     how many calls fail from there on; 0: all of them
//   SHIM_FAULT     ENOSPC EIO EROFS EACCES EAGAIN EMFILE; short: half is written, then success; kill: SIGKILL before
//                  the call; none: nothing fails
//   SHIM_LOG       a file in which each call that counts is noted before it is made, by all programs in one order:
// call,
//                  path, and what a renamed file was called before, or which checkpoints' files written bytes name
//   SHIM_TRACE     a file to which every change of a meant file is appended once it was made, by all programs in one
//                  order, with what was written (storage_trace.h)
//   SHIM_ARM       calls count only while this file exists (without it: always)
//   SHIM_HIT       a file that is made when a fault was given
#include "tests/faults/storage_trace.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <string>
#include <string_view>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

const char* setting(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
}

bool isMeant() {
    static const bool meant = [] {
        const char* program = setting("SHIM_PROGRAM");
        char own[4096] = {};
        if (!program || ::readlink("/proc/self/exe", own, sizeof own - 1) <= 0) return false;
        const char* name = std::strrchr(own, '/');
        const std::string_view words(program);
        for (std::size_t from = 0; name && from < words.size();) {
            const std::size_t end = std::min(words.find(' ', from), words.size());
            if (words.substr(from, end - from) == name + 1) return true;
            from = end + 1;
        }
        return false;
    }();
    return meant;
}

bool exists(const char* path) {
    struct stat info{};
    return ::stat(path, &info) == 0;
}

bool counts(const char* call, const char* path) {
    const char* part = setting("SHIM_PATH");
    if (!isMeant() || !part || !path || !std::strstr(path, part)) return false;
    const char* calls = setting("SHIM_CALLS");
    if (calls && !std::strstr(calls, call)) return false;
    const char* arm = setting("SHIM_ARM");
    return !arm || exists(arm);
}

enum class Fault { None, Error, Short };

// What is noted beside call and path.
struct More {
    const char* text = "";
    const void* bytes = nullptr; // the checkpoints' files that these name
    std::size_t size = 0;
};

// The names of files that end in .safetensors, each with a blank before it.
std::string namesIn(std::string_view bytes) {
    static constexpr std::string_view kEnd = ".safetensors";
    const auto inName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
    std::string names;
    for (std::size_t at = bytes.find(kEnd); at != bytes.npos; at = bytes.find(kEnd, at + 1)) {
        std::size_t begin = at;
        while (begin > 0 && inName(bytes[begin - 1])) --begin;
        names += ' ';
        names += bytes.substr(begin, at + kEnd.size() - begin);
    }
    return names;
}

void note(const char* call, const char* path, const More& more) {
    const char* log = setting("SHIM_LOG");
    if (!log) return;
    std::string line = std::string(call) + '\t' + path + '\t' + more.text;
    if (more.bytes) line += namesIn({static_cast<const char*>(more.bytes), more.size});
    line += '\n';
    const int fd = real<int(const char*, int, ...)>("open")(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) return;
    if (real<ssize_t(int, const void*, size_t)>("write")(fd, line.data(), line.size()) < 0) ::_exit(99);
    real<int(int)>("close")(fd);
}

// Counts one call and says what is to become of it; errno is set for an error.
Fault judge(const char* call, const char* path, const More& more = {}) {
    static std::atomic<long> seen{0};
    const int before = errno;
    if (!counts(call, path)) {
        errno = before;
        return Fault::None;
    }
    note(call, path, more);
    const char* nth = setting("SHIM_NTH");
    const char* times = setting("SHIM_TIMES");
    const long first = nth ? std::atol(nth) : 1, count = times ? std::atol(times) : 1, now = ++seen;
    errno = before;
    if (now < first || (count > 0 && now >= first + count)) return Fault::None;
    if (const char* hit = setting("SHIM_HIT"))
        if (const int fd = real<int(const char*, int, ...)>("open")(hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0644); fd >= 0)
            real<int(int)>("close")(fd);
    const char* fault = setting("SHIM_FAULT");
    if (fault && std::strcmp(fault, "none") == 0) {
        errno = before;
        return Fault::None;
    }
    if (fault && std::strcmp(fault, "kill") == 0) ::kill(::getpid(), SIGKILL);
    if (fault && std::strcmp(fault, "short") == 0) {
        errno = before;
        return Fault::Short;
    }
    errno = !fault                              ? EIO
            : std::strcmp(fault, "ENOSPC") == 0 ? ENOSPC
            : std::strcmp(fault, "EROFS") == 0  ? EROFS
            : std::strcmp(fault, "EAGAIN") == 0 ? EAGAIN
            : std::strcmp(fault, "EMFILE") == 0 ? EMFILE
            : std::strcmp(fault, "EACCES") == 0 ? EACCES
                                                : EIO;
    return Fault::Error;
}

Fault judge(const char* call, int fd, const More& more = {}) {
    if (!isMeant()) return Fault::None;
    const int before = errno;
    char link[64], path[4096] = {};
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const bool known = ::readlink(link, path, sizeof path - 1) > 0;
    errno = before;
    return known ? judge(call, path, more) : Fault::None;
}

// ---- the trace of all changes -----------------------------------------------------------------------------------

using trainyard::test::TraceRecord;

bool isTraced(const char* path) {
    const char* part = setting("SHIM_PATH");
    return setting("SHIM_TRACE") && isMeant() && part && path && std::strstr(path, part) && !std::strstr(path, "-shm");
}

void trace(char kind, const char* path, std::uint64_t file, std::int64_t offset, const char* second, const void* bytes,
           std::size_t size) {
    const int before = errno;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const double at = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    TraceRecord record{kind, at, file, offset, std::strlen(path), std::strlen(second), size};
    std::string text(reinterpret_cast<const char*>(&record), sizeof record);
    text += path;
    text += second;
    text.append(static_cast<const char*>(bytes), size);
    const int fd = real<int(const char*, int, ...)>("open")(setting("SHIM_TRACE"),
                                                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0 || real<ssize_t(int, const void*, size_t)>("write")(fd, text.data(), text.size()) !=
                      static_cast<ssize_t>(text.size()))
        ::_exit(99);
    real<int(int)>("close")(fd);
    errno = before;
}

void tracePath(char kind, const char* path, const char* second = "") {
    if (isTraced(path)) trace(kind, path, 0, 0, second, "", 0);
}

// `at` of a write: -1 where it went to the descriptor's own place, which is behind it now.
void traceFile(char kind, int fd, std::int64_t at, const void* bytes = "", std::size_t size = 0) {
    if (!setting("SHIM_TRACE") || !isMeant()) return;
    const int before = errno;
    char link[64], path[4096] = {};
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    struct stat info{};
    const bool known = ::readlink(link, path, sizeof path - 1) > 0 && ::fstat(fd, &info) == 0 &&
                       (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
    if (known && isTraced(path)) {
        if (kind == TraceRecord::kWrite && at < 0) at = ::lseek(fd, 0, SEEK_CUR) - static_cast<std::int64_t>(size);
        trace(S_ISDIR(info.st_mode) ? TraceRecord::kSyncFolder : kind, path, info.st_ino, at, "", bytes, size);
    }
    errno = before;
}

int traceOpened(int fd, const char* path, int flags, bool wasThere) {
    if (fd < 0 || !isTraced(path)) return fd;
    if ((flags & O_CREAT) != 0 && !wasThere) traceFile(TraceRecord::kCreate, fd, 0);
    else if ((flags & O_TRUNC) != 0) traceFile(TraceRecord::kTruncate, fd, 0);
    return fd;
}

mode_t modeOf(int flags, va_list values) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(values, int)) : 0;
}

} // namespace

// Only opening to write counts: a disk that fails is still read.
#define SHIM_OPEN(name)                                                                                                \
    EXPORT int name(const char* path, int flags, ...) {                                                                \
        va_list values;                                                                                                \
        va_start(values, flags);                                                                                       \
        const mode_t mode = modeOf(flags, values);                                                                     \
        va_end(values);                                                                                                \
        if ((flags & O_ACCMODE) != O_RDONLY && judge("open", path) == Fault::Error) return -1;                         \
        const bool wasThere = (flags & O_CREAT) != 0 && exists(path);                                                  \
        return traceOpened(real<int(const char*, int, ...)>(#name)(path, flags, mode), path, flags, wasThere);         \
    }
SHIM_OPEN(open)
SHIM_OPEN(open64)

#define SHIM_WRITE(name, Offset)                                                                                       \
    EXPORT ssize_t name(int fd, const void* bytes, size_t size, Offset offset) {                                       \
        const Fault fault = judge("write", fd, {"", bytes, size});                                                     \
        if (fault == Fault::Error) return -1;                                                                          \
        const size_t put = fault == Fault::Short && size > 1 ? size / 2 : size;                                        \
        const ssize_t done = real<ssize_t(int, const void*, size_t, Offset)>(#name)(fd, bytes, put, offset);           \
        if (done > 0) traceFile(TraceRecord::kWrite, fd, offset, bytes, static_cast<size_t>(done));                    \
        return done;                                                                                                   \
    }
SHIM_WRITE(pwrite, off_t)
SHIM_WRITE(pwrite64, off64_t)

EXPORT ssize_t write(int fd, const void* bytes, size_t size) {
    const Fault fault = judge("write", fd, {"", bytes, size});
    if (fault == Fault::Error) return -1;
    const size_t put = fault == Fault::Short && size > 1 ? size / 2 : size;
    const ssize_t done = real<ssize_t(int, const void*, size_t)>("write")(fd, bytes, put);
    if (done > 0) traceFile(TraceRecord::kWrite, fd, -1, bytes, static_cast<size_t>(done));
    return done;
}

EXPORT ssize_t writev(int fd, const iovec* pieces, int count) { // what std::ofstream calls
    const ssize_t done = real<ssize_t(int, const iovec*, int)>("writev")(fd, pieces, count);
    if (done <= 0 || !setting("SHIM_TRACE")) return done;
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
    traceFile(TraceRecord::kWrite, fd, -1, bytes.data(), static_cast<size_t>(done));
    return done;
}

#define SHIM_FD(name, call, parameters, arguments, traced)                                                             \
    EXPORT int name parameters {                                                                                       \
        if (judge(call, fd) == Fault::Error) return -1;                                                                \
        const int done = real<int parameters>(#name) arguments;                                                        \
        if (done == 0) traced;                                                                                         \
        return done;                                                                                                   \
    }
SHIM_FD(fsync, "sync", (int fd), (fd), traceFile(TraceRecord::kSync, fd, 0))
SHIM_FD(fdatasync, "sync", (int fd), (fd), traceFile(TraceRecord::kSync, fd, 0))
SHIM_FD(ftruncate, "truncate", (int fd, off_t size), (fd, size), traceFile(TraceRecord::kTruncate, fd, size))
SHIM_FD(ftruncate64, "truncate", (int fd, off64_t size), (fd, size), traceFile(TraceRecord::kTruncate, fd, size))
SHIM_FD(fallocate, "reserve", (int fd, int mode, off_t from, off_t size), (fd, mode, from, size), (void)0)
SHIM_FD(fallocate64, "reserve", (int fd, int mode, off64_t from, off64_t size), (fd, mode, from, size), (void)0)

EXPORT int close(int fd) {
    const Fault fault = judge("close", fd);
    const int closed = real<int(int)>("close")(fd); // it is closed also when it fails
    if (fault != Fault::Error) return closed;
    errno = EIO;
    return -1;
}

EXPORT int rename(const char* from, const char* to) {
    if (judge("rename", to, {from}) == Fault::Error) return -1;
    const int done = real<int(const char*, const char*)>("rename")(from, to);
    if (done == 0) tracePath(TraceRecord::kRename, from, to);
    return done;
}

EXPORT int link(const char* from, const char* to) {
    const int done = real<int(const char*, const char*)>("link")(from, to);
    if (done == 0) tracePath(TraceRecord::kLink, from, to);
    return done;
}

EXPORT int mkdir(const char* path, mode_t mode) {
    const int done = real<int(const char*, mode_t)>("mkdir")(path, mode);
    if (done == 0) tracePath(TraceRecord::kMakeFolder, path);
    return done;
}

EXPORT int unlink(const char* path) {
    if (judge("unlink", path) == Fault::Error) return -1;
    const int done = real<int(const char*)>("unlink")(path);
    if (done == 0) tracePath(TraceRecord::kUnlink, path);
    return done;
}

EXPORT int remove(const char* path) { // what std::filesystem::remove() calls
    if (judge("unlink", path) == Fault::Error) return -1;
    const int done = real<int(const char*)>("remove")(path);
    if (done == 0) tracePath(TraceRecord::kUnlink, path);
    return done;
}

EXPORT pid_t fork() {
    if (judge("fork", "process") == Fault::Error) return -1;
    return real<pid_t()>("fork")();
}

EXPORT int pipe2(int fds[2], int flags) {
    if (judge("pipe", "process") == Fault::Error) return -1;
    return real<int(int*, int)>("pipe2")(fds, flags);
}

EXPORT int socketpair(int domain, int type, int protocol, int fds[2]) {
    if (judge("pipe", "process") == Fault::Error) return -1;
    return real<int(int, int, int, int*)>("socketpair")(domain, type, protocol, fds);
}
