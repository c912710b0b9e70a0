// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/program/fork/forked_rank.h"

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// What is started: words[0] is a file, or a program of PATH.
struct RankCommand {
    std::vector<std::string> words;
    std::map<std::string, std::string> environment; // added to this process's own
    std::set<std::string> unset{};                  // taken from it
    std::filesystem::path folder;                   // where it runs
    std::filesystem::path printed;                  // stdout and stderr are appended to this file
};

// This process's environment as the command changes it, as "NAME=value".
std::vector<std::string> environmentOf(const RankCommand& command);

// From here on this process is told of every descendant whose parent has ended, also of those that have left their
// session and their process group, so that none is lost.
void adoptOrphans();
// The living descendants of a process; 0: of this one.
std::vector<pid_t> descendants(pid_t of = 0);
// Kills them all, again and again until none is left, at most these seconds. Returns how many there were, those of
// `counted` not among them.
int endDescendants(double seconds, pid_t counted = 0, pid_t of = 0);

// The user's process of one rank: the leader of its own process group, killed by the kernel when this process ends. Its
// output is a file and no pipe: a slow or dead reader neither stops it nor loses a line. A child of this process, or
// forked by a fork server.
class RankProcess {
public:
    // As a program. Environment: it cannot be started; Input: there is no such program or folder.
    static Result<RankProcess> start(const RankCommand& command);
    explicit RankProcess(std::unique_ptr<ForkedRank> forked) : m_pid(forked->pid()), m_forked(std::move(forked)) {}

    pid_t pid() const { return m_pid; }
    const ForkedRank* forked() const { return m_forked.get(); } // nullptr: it was started as a program
    int fd() const { return m_forked ? m_forked->fd() : -1; }   // readable when it has ended; else SIGCHLD tells
    // It and all that it has started.
    std::vector<pid_t> family() const { return descendants(m_forked ? m_forked->holder() : 0); }
    // As endDescendants() of all of them.
    int endFamily(double seconds);
    // How it ended; nothing while it runs. Never blocks.
    std::optional<ExitStatus> exitStatus();
    const ExitStatus& ended() const { return *m_exit; } // once exitStatus() has told
    // To the process, or to its whole group: data workers that are told to end break the last step of their parent.
    void signal(int number, bool group);

private:
    explicit RankProcess(pid_t pid) : m_pid(pid) {}

    pid_t m_pid;
    std::unique_ptr<ForkedRank> m_forked{};
    std::optional<ExitStatus> m_exit{};
};

} // namespace trainyard::run
