// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

namespace trainyard::run {

// The task of a supervisor, read from the run's folder.
struct RunTask {
    RunFolder folder;
    LaunchRecord launch;
    store::Workspace workspace;
    spec::RunSpec spec;
    std::string runJson; // the same, as ranks are told it

    // Input or Environment when a file of it cannot be read.
    static Result<RunTask> read(const RunFolder& folder);
};

} // namespace trainyard::run
