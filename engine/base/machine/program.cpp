// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/program.h"

#include "engine/base/unique_fd.h"

#include <climits>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace trainyard {
namespace {

const char* s_program = "trainyard";

// Opened the wrong way round, so that using one still fails, as it does without.
void occupyStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        if (::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY) != stream) return;
    }
}

// Supervisors and servers leave this folder, and hand on the environment.
void anchorProgramFolder() {
    const char* given = std::getenv("TRAINYARD_BIN");
    if (!given || *given == '\0' || *given == '/') return;
    std::array<char, PATH_MAX> folder{};
    if (::realpath(given, folder.data())) ::setenv("TRAINYARD_BIN", folder.data(), 1);
}

struct MemoryLeft {
    double megabytes = -1;  // -1: not known
    bool isLimited = false; // by the process's own limit
};

// Without an allocation, since there is nothing to allocate.
double numberBehind(const char* text, const char* word) {
    const char* found = std::strstr(text, word);
    return found ? std::strtod(found + std::strlen(word), nullptr) : -1;
}

std::array<char, 4096> textOf(const char* file) {
    std::array<char, 4096> text{};
    const UniqueFd fd(::open(file, O_RDONLY | O_CLOEXEC));
    if (fd && ::read(fd.get(), text.data(), text.size() - 1) < 0) text[0] = '\0';
    return text;
}

MemoryLeft memoryLeft() {
    const double available = numberBehind(textOf("/proc/meminfo").data(), "MemAvailable:"); // kB
    const double used = numberBehind(textOf("/proc/self/status").data(), "VmSize:");
    rlimit limit{};
    if (used >= 0 && ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const double left = static_cast<double>(limit.rlim_cur) / 1e6 - used * 1.024e-3;
        if (available < 0 || left < available * 1.024e-3) return {left > 0 ? left : 0, true};
    }
    return {available < 0 ? -1 : available * 1.024e-3, false};
}

std::array<char, 160> outOfMemoryMessage(const MemoryLeft& left) {
    std::array<char, 160> text{};
    const char* of = left.isLimited ? "the limit of this process leaves it" : "this computer has";
    if (left.megabytes < 0) std::snprintf(text.data(), text.size(), "out of memory");
    else std::snprintf(text.data(), text.size(), "out of memory: %s %.0f MB", of, left.megabytes);
    return text;
}

const char* outOfMemoryRemedy(const MemoryLeft& left) {
    return left.isLimited ? "raise the limit (ulimit -v) and start it again"
                          : "close other programs and start it again";
}

[[noreturn]] void endWithoutCatch() {
    if (const auto thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            const auto left = memoryLeft();
            std::fprintf(stderr, "%s: %s (%s)\n", s_program, outOfMemoryMessage(left).data(), outOfMemoryRemedy(left));
            ::_exit(exitCode(ErrorKind::Environment));
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: %s\n", s_program, error.what());
        } catch (...) { std::fprintf(stderr, "%s: ended by an exception of unknown type\n", s_program); }
    }
    std::abort();
}

bool readerIsGone(int fd) {
    pollfd entry{fd, POLLOUT, 0};
    return ::poll(&entry, 1, 0) > 0 && (entry.revents & POLLERR) != 0;
}

} // namespace

void beginProgram(const char* name) {
    s_program = name;
    std::signal(SIGXFSZ, SIG_IGN);
    occupyStandardStreams();
    anchorProgramFolder();
    std::set_terminate(endWithoutCatch);
}

int endProgram(int code) {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    const int reason = errno;
    if ((flushed && !std::ferror(stdout)) || reason == EPIPE || readerIsGone(STDOUT_FILENO)) return code;
    const char* remedy = reason == EBADF ? "leave standard output open, or send it to /dev/null"
                                         : "free some space where it goes, or send it elsewhere";
    std::fprintf(stderr, "%s: standard output: not all of it could be written%s%s (%s)\n", s_program,
                 reason ? ": " : "", reason ? std::strerror(reason) : "", remedy);
    return code == 0 ? exitCode(ErrorKind::Environment) : code;
}

Error outOfMemoryError() {
    const auto left = memoryLeft();
    return environmentError(outOfMemoryMessage(left).data(), {}, outOfMemoryRemedy(left))
        .withCode(ErrorCode::OutOfMemory);
}

} // namespace trainyard
