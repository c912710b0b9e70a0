// SPDX-License-Identifier: GPL-3.0-or-later
// What trainyardctl does with other computers; without TRAINYARD_REMOTE every call says that this build cannot.
#pragma once

#include "engine/run/supervise/supervisor.h"
#include "engine/spec/run_spec.h"

#include <memory>

namespace trainyard::ctl {

// Asks what connecting to the run's hosts has to ask, while somebody is there to answer: the detached supervisor
// cannot. Does nothing for runs on this computer.
Result<void> signInToHostsOf(const spec::RunSpec& spec);

// The launchers of this program: this computer, and hosts over SSH.
class Launchers {
public:
    static Result<std::unique_ptr<Launchers>> make(std::filesystem::path workerProgram);
    run::LauncherFor launcherFor();

private:
    std::unique_ptr<run::Launcher> m_local, m_remote;
};

} // namespace trainyard::ctl
