// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/capture.h"

#include "engine/base/clock.h"
#include "engine/run/launch/child_environment.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxOutput = 16 << 20;

// Returns false at the end of the stream.
bool readSome(int fd, std::string& text) {
    std::array<char, 64 << 10> buffer;
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (text.size() < kMaxOutput) text.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
}

} // namespace

bool readToEnds(UniqueFd& output, UniqueFd& errors, Captured& captured, double deadline) {
    while (output || errors) {
        std::array<pollfd, 2> entries{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
        const double left = deadline - monotonicSeconds();
        if (left <= 0) return false;
        const int ready = ::poll(entries.data(), entries.size(), static_cast<int>(left * 1000) + 1);
        if (ready < 0 && errno != EINTR) return false;
        if (entries[0].revents && !readSome(output.get(), captured.output)) output.reset();
        if (entries[1].revents && !readSome(errors.get(), captured.errors)) errors.reset();
    }
    return true;
}

Error tookTooLong(const std::filesystem::path& program, double seconds) {
    return environmentError("took longer than " + std::to_string(static_cast<int>(seconds)) + " s", program.string());
}

Result<Captured> capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         double seconds, const std::map<std::string, std::string>& variables) {
    int outFds[2], errFds[2];
    const auto cannotRun = [&] { return systemError("cannot run the program", program.string(), limitRemedy(errno)); };
    if (::pipe2(outFds, O_CLOEXEC) != 0) return cannotRun();
    UniqueFd output(outFds[0]), outputEnd(outFds[1]);
    if (::pipe2(errFds, O_CLOEXEC) != 0) return cannotRun();
    UniqueFd errors(errFds[0]), errorsEnd(errFds[1]);

    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const auto pointersTo = [](std::vector<std::string>& texts) {
        std::vector<char*> pointers;
        for (auto& text : texts) pointers.push_back(text.data());
        pointers.push_back(nullptr);
        return pointers;
    };
    auto environment = environmentWith(variables);
    const auto argumentsOf = pointersTo(words), environmentOf = pointersTo(environment);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, outputEnd.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, errorsEnd.get(), 2);
    pid_t pid = 0;
    const int code =
        ::posix_spawn(&pid, words.front().c_str(), &actions, nullptr, argumentsOf.data(), environmentOf.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        errno = code;
        return cannotRun();
    }
    outputEnd.reset();
    errorsEnd.reset();
    Captured captured;
    const bool ended = readToEnds(output, errors, captured, monotonicSeconds() + seconds);
    if (!ended) ::kill(pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (!ended) return tookTooLong(program, seconds);
    captured.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return captured;
}

} // namespace trainyard::run
