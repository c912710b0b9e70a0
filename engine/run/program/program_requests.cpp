// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/program_requests.h"

#include "engine/run/program/fork/stacks_signal.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

namespace trainyard::run {
namespace {

constexpr int kMostRounds = 20; // of a program that starts processes while it is paused

// Parents first, as they start no more then; again until no new one has come.
void pauseFamily(const RankProcess& process) {
    std::set<pid_t> stopped;
    for (int round = 0; round < kMostRounds; ++round) {
        bool isNew = false;
        for (const pid_t pid : process.family())
            if (stopped.insert(pid).second) isNew = ::kill(pid, SIGSTOP) == 0 || isNew;
        if (!isNew) return;
    }
}

// The program itself, else what it has started: a shell around it has no handler.
Result<void> printStacks(const RankProcess& process) {
    const int number = stacksSignal();
    if (handlesSignal(process.pid(), number)) {
        ::kill(process.pid(), number);
        return {};
    }
    int told = 0;
    for (const pid_t pid : process.family())
        if (handlesSignal(pid, number) && ::kill(pid, number) == 0) ++told;
    if (told > 0) return {};
    return inputError("the program does not print its stacks on demand", {},
                      "import trainyard in the script; failure.heartbeatSeconds finds where one hangs without it");
}

} // namespace

Result<void> ProgramRequests::carryOut(wire::CommandKind kind, const RankProcess& process) {
    switch (kind) {
    case wire::CommandKind::Stacks: return printStacks(process);
    case wire::CommandKind::Pause:
        pauseFamily(process);
        m_isPaused = true;
        return {};
    case wire::CommandKind::Unpause: goOn(process); return {};
    case wire::CommandKind::Checkpoint:
        return inputError("a program cannot be asked to save", {},
                          "it saves when its own code does; to stop right after that: trainyardctl stop RUN "
                          "--at-checkpoint");
    case wire::CommandKind::SetLearningRate:
    case wire::CommandKind::Resize: break;
    }
    return inputError("a program cannot be asked for that while it runs", {},
                      "stop it, and start it again with other arguments");
}

void ProgramRequests::goOn(const RankProcess& process) {
    if (!m_isPaused) return;
    m_isPaused = false;
    for (const pid_t pid : process.family()) ::kill(pid, SIGCONT);
}

bool handlesSignal(pid_t pid, int number) {
    constexpr std::string_view kCaught = "SigCgt:";
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(kCaught)) continue;
        const auto mask = std::strtoull(line.c_str() + kCaught.size(), nullptr, 16);
        return (mask >> (number - 1) & 1) != 0;
    }
    return false;
}

} // namespace trainyard::run
