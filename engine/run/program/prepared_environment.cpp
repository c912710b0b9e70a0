// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/prepared_environment.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/files/disk_room.h"
#include "engine/base/files/temporary_name.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <vector>

extern char** environ;

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPieces = 64;
constexpr std::size_t kMostTail = 8192, kMostEnvironment = 4u << 20, kShownLines = 5;
constexpr double kPrepareLook = 0.02;

// $1 and $2: where the environment is written before and after; $3: the text.
constexpr const char* kScript = R"(
/usr/bin/env -0 > "$1" || exit 125
trainyard_after=$2
. "$3"
trainyard_code=$?
[ "$trainyard_code" = 0 ] || exit "$trainyard_code"
/usr/bin/env -0 > "$trainyard_after"
)";

bool isName(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
           !std::isdigit(static_cast<unsigned char>(text.front()));
}

bool isShells(std::string_view name) {
    return name == "_" || name == "PWD" || name == "OLDPWD" || name == "SHLVL" || name.starts_with("BASH_FUNC_");
}

std::map<std::string_view, std::string_view> variablesOf(std::string_view text) {
    std::map<std::string_view, std::string_view> found;
    while (!text.empty()) {
        const auto end = std::min(text.find('\0'), text.size());
        const auto entry = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto equals = entry.find('=');
        if (equals == entry.npos || !isName(entry.substr(0, equals)) || isShells(entry.substr(0, equals))) continue;
        found.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return found;
}

std::string shellOf() {
    for (const char* shell : {"/bin/bash", "/usr/bin/bash", "/bin/sh"})
        if (::access(shell, X_OK) == 0) return shell;
    return {};
}

// The last lines of what it has printed, one after another.
std::string lastLines(const std::string& printed) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < printed.size();) {
        const auto end = std::min(printed.find('\n', at), printed.size());
        if (end > at) lines.push_back(printable(printed.substr(at, end - at), 300));
        at = end + 1;
    }
    std::string text;
    for (std::size_t i = lines.size() - std::min(lines.size(), kShownLines); i < lines.size(); ++i)
        text += (text.empty() ? "" : " | ") + lines[i];
    return text;
}

struct ShellEnd {
    int code = 0;
    bool isLate = false;
    std::string printed; // the last of it
};

void readTail(int fd, std::string& tail) {
    std::array<char, 4096> piece;
    for (int pieces = 0; pieces < kMostPieces; ++pieces) { // it may print faster than this reads
        const auto got = ::read(fd, piece.data(), piece.size());
        if (got <= 0) return;
        tail.append(piece.data(), static_cast<std::size_t>(got));
        if (tail.size() > 2 * kMostTail) tail.erase(0, tail.size() - kMostTail);
    }
}

// Runs the shell to its end, and ends what is left of it then.
Result<ShellEnd> runShell(const std::vector<std::string>& words, const fs::path& folder, double seconds) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return systemError("cannot run a shell", words.front());
    const UniqueFd output(ends[0]);
    UniqueFd outputEnd(ends[1]);
    ::fcntl(output.get(), F_SETFL, O_NONBLOCK); // this end alone: the shell waits when it is not read
    std::vector<char*> pointers;
    auto own = words;
    for (auto& word : own) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, outputEnd.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, outputEnd.get(), 2);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    pid_t pid = 0;
    const int problem = ::posix_spawn(&pid, words.front().c_str(), &actions, &attributes, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    outputEnd.reset();
    if (problem != 0) {
        errno = problem;
        return systemError("cannot run a shell in " + folder.string(), words.front());
    }
    ShellEnd end;
    const double until = monotonicSeconds() + seconds;
    int status = 0;
    for (pid_t got = 0; got == 0;) {
        pollfd entry{output.get(), POLLIN, 0};
        ::poll(&entry, 1, static_cast<int>(kPrepareLook * 1000));
        if (entry.revents & POLLIN) readTail(output.get(), end.printed);
        else if (entry.revents) ::poll(nullptr, 0, static_cast<int>(kPrepareLook * 1000)); // it has closed its streams
        got = ::waitpid(pid, &status, WNOHANG);
        if (got < 0 && errno == EINTR) got = 0;
        if (got == 0 && monotonicSeconds() > until) {
            end.isLate = true;
            ::kill(-pid, SIGKILL);
            while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
            break;
        }
    }
    ::kill(-pid, SIGKILL);
    readTail(output.get(), end.printed);
    end.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}

Error failed(const std::string& how, const std::string& printed) {
    const auto last = lastLines(printed);
    const bool needsConda =
        printed.find("conda init") != printed.npos || printed.find("conda: command not found") != printed.npos;
    return inputError(how + (last.empty() ? ", and printed nothing" : "; the last it printed: " + last),
                      "program.prepare",
                      needsConda ? "name the environment as program.interpreter \"conda:NAME\" instead; or begin with "
                                   ". CONDA/etc/profile.d/conda.sh, as a login shell does not read .bashrc"
                                 : "try it with: bash -lc 'TEXT'");
}

// The files of one text's run; removed at the end.
struct PrepareFiles {
    explicit PrepareFiles(const fs::path& folder) : begin(folder / temporaryName()) {}
    ~PrepareFiles() {
        std::error_code ignored;
        for (const auto& file : {before(), after(), text()}) fs::remove(file, ignored);
    }
    fs::path before() const { return begin.string() + ".before"; }
    fs::path after() const { return begin.string() + ".after"; }
    fs::path text() const { return begin.string() + ".sh"; }
    fs::path begin;
};

Result<PreparedEnvironment> runPrepare(const std::string& text, const fs::path& folder, const PrepareTerms& terms) {
    const auto shell = shellOf();
    if (shell.empty()) return environmentError("there is no shell on this host", "program.prepare", "install bash");
    const PrepareFiles files(terms.cache);
    TY_TRY(writeFileAtomic(files.text(), text + "\n", Outlives::Process));
    TY_ASSIGN(auto end, runShell({shell, "-l", "-c", kScript, "trainyard", files.before(), files.after(), files.text()},
                                 folder, terms.seconds));
    const auto name = files.text().string(); // as the shell calls it
    for (auto at = end.printed.find(name); at != end.printed.npos; at = end.printed.find(name, at))
        end.printed.replace(at, name.size(), "prepare");
    if (end.isLate) return failed("took longer than " + std::to_string(std::lround(terms.seconds)) + " s", end.printed);
    if (end.code != 0) return failed("ended with " + std::to_string(end.code), end.printed);
    const auto before = readFile(files.before(), kMostEnvironment), after = readFile(files.after(), kMostEnvironment);
    if (!before || !after) return failed("ended its shell, so nothing is known of what it has set", end.printed);
    return differenceOf(*before, *after);
}

std::string hostName() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

} // namespace

PreparedEnvironment differenceOf(std::string_view before, std::string_view after) {
    PreparedEnvironment difference;
    const auto old = variablesOf(before), now = variablesOf(after);
    for (const auto& [name, value] : now)
        if (const auto was = old.find(name); was == old.end() || was->second != value)
            difference.set.emplace(name, value);
    for (const auto& [name, value] : old)
        if (!now.contains(name)) difference.unset.emplace(name);
    return difference;
}

std::string textOf(const PreparedEnvironment& environment) {
    return jsonFile(Json{{"version", 1}, {"set", environment.set}, {"unset", environment.unset}});
}

bool readPrepared(std::string_view text, PreparedEnvironment& environment) {
    const auto json = parseSortedJson(text);
    try {
        if (json.at("version") != 1) return false;
        json.at("set").get_to(environment.set);
        json.at("unset").get_to(environment.unset);
    } catch (const nlohmann::json::exception&) { return false; }
    return true;
}

Result<PreparedEnvironment> preparedEnvironment(const std::string& text, const fs::path& users,
                                                const PrepareTerms& terms) {
    std::error_code failure;
    const fs::path folder = fs::is_directory(users, failure) ? users : fs::path("/");
    fs::create_directories(terms.cache, failure);
    if (failure) return notMadeError("cannot be made", terms.cache, failure);
    fs::permissions(terms.cache, fs::perms::owner_all, failure); // what a text sets may be private
    const auto key = toHex(sha256Raw(hostName() + '\0' + folder.string() + '\0' + text)).substr(0, 32);
    const fs::path kept = terms.cache / (key + ".json");
    PreparedEnvironment environment;
    const auto known = [&] {
        const auto written = readFile(kept, kMostEnvironment);
        return written && readPrepared(*written, environment);
    };
    if (known()) return environment;
    const fs::path lockFile = terms.cache / (key + ".lock");
    const UniqueFd lock(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock) return systemError("cannot be made", lockFile.string());
    const double until = monotonicSeconds() + terms.seconds + 5;
    while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        if (monotonicSeconds() > until)
            return environmentError("another rank runs the text, and does not end", "program.prepare",
                                    "end the process that holds " + lockFile.string());
        ::poll(nullptr, 0, 20);
    }
    if (known()) return environment; // another rank has run it
    TY_ASSIGN(environment, runPrepare(text, folder, terms));
    TY_TRY(writeFileAtomic(kept, textOf(environment), Outlives::Process));
    fs::permissions(kept, fs::perms::owner_read | fs::perms::owner_write, failure);
    return environment;
}

} // namespace trainyard::run
