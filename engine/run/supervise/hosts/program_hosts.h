// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"
#include "engine/run/program/host_python.h"
#include "engine/run/supervise/hosts/run_task.h"

#include <map>
#include <optional>

namespace trainyard::run {

// What the ranks of a program need on each computer of their run.
struct ProgramNeeds {
    RunId run;
    std::optional<OwnFolder> code; // its snapshot here; nothing: it runs where it is
    std::string interpreter, folder, prepare;
    bool isPython = false;

    // Input: its snapshot is gone.
    static Result<ProgramNeeds> of(const RunTask& task);
};

// What a host has of it.
struct ProgramThere {
    std::string code; // the snapshot, there; empty: none
    std::optional<HostPython> python;
};

// Brings the code there and asks the host's Python. Errors name the host.
Result<ProgramThere> prepareProgram(Launcher& launcher, const HostName& host, const ProgramNeeds& needs);

} // namespace trainyard::run
