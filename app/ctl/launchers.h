// SPDX-License-Identifier: GPL-3.0-or-later
// The launchers of this program. A row of TRAINYARD_LAUNCHERS and the function it names are all that a new one takes.
#pragma once

#include "engine/run/supervise/supervisor.h"
#include "engine/spec/run/run_spec.h"

#include <memory>
#include <utility>
#include <vector>

// In this order: the first that serves a host launches there.
// clang-format off
#define TRAINYARD_LAUNCHERS(ROW) \
    ROW(localLauncher)           \
    ROW(slurmLauncher)           \
    ROW(sshLauncher)
// clang-format on

namespace trainyard::ctl {

// One kind of hosts and how workers come to run there.
struct LauncherKind {
    bool (*serves)(const std::string& host); // as a run file names it; empty: this computer
    Result<std::unique_ptr<run::Launcher>> (*make)(std::filesystem::path workerProgram);
    bool keepsWorkers = false; // a worker can stay for the next run
    // Asks what connecting to the hosts has to ask, such as a passphrase. Null: nothing.
    Result<void> (*signIn)(const std::vector<std::string>& hosts) = nullptr;
    // The hosts of a run with single ones in the place of a name that stands for several. Null: there is no such name.
    Result<std::vector<std::string>> (*expand)(const std::vector<std::string>& hosts) = nullptr;
    // Ends a process on the host at once (SIGKILL), as a crash would. Null: it cannot.
    Result<void> (*end)(const std::string& host, std::int64_t pid) = nullptr;
};

#define TRAINYARD_DECLARE(kind) LauncherKind kind();
TRAINYARD_LAUNCHERS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

// Names single hosts where the run file names several by one word. Input where that means nothing here.
Result<void> expandHostsOf(spec::RunSpec& spec);

// Signs in to the hosts of a run while a user is there to answer: the detached supervisor cannot ask. Does nothing for
// runs on this computer.
Result<void> signInToHostsOf(const spec::RunSpec& spec);

// Ends a process of a rank on the host, as a crash would. Input where its launcher cannot.
Result<void> endOnHost(const std::string& host, std::int64_t pid);

// One launcher of each kind.
class Launchers {
public:
    // One that cannot be made, as the list of hosts cannot be read, refuses with the reason what it is asked for.
    // `keeping`: workers on this computer can stay for the next run.
    static std::unique_ptr<Launchers> make(const std::filesystem::path& workerProgram, bool keeping = false);
    // The launcher of the first kind that serves a host; they live as long as any copy of the function.
    run::LauncherFor launcherFor() const;

private:
    using All = std::vector<std::unique_ptr<run::Launcher>>; // in the order of the kinds
    std::shared_ptr<All> m_launchers = std::make_shared<All>();
};

} // namespace trainyard::ctl
