// SPDX-License-Identifier: GPL-3.0-or-later
// What trainyardctl does with other computers; without TRAINYARD_REMOTE every call says that this build cannot.
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/spec/run_spec.h"

#include <memory>

namespace trainyard::ctl {

// Asks what connecting to the run's hosts has to ask, while somebody is there to answer: the detached supervisor
// cannot. Does nothing for runs on this computer.
Result<void> signInToHostsOf(const spec::RunSpec& spec);

// The launcher of all hosts over SSH. Input errors of the list of hosts.
Result<std::unique_ptr<run::Launcher>> makeHostLauncher(std::filesystem::path workerProgram);

} // namespace trainyard::ctl
