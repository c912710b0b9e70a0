// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run_control.h"
#include "engine/run/run_folder.h"

namespace trainyard::run {

// A run that exists but is not supervised yet. The lock keeps others from taking it for dead until then.
struct PreparedRun {
    std::string id;
    RunFolder folder;
    store::RunLock lock;
};

// Checks the spec against the catalog (asked anew when the remembered one finds fault) and makes row, folder and
// files. Input names every wrong field.
Result<PreparedRun> prepareRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options);

// Makes the run of the row ready for another supervisor; Input when it is being supervised or has nothing left to do.
Result<PreparedRun> prepareResume(const store::Workspace& workspace, const std::string& run, std::int64_t moreEpochs);

// The worker program beside this one.
std::filesystem::path workerProgram();

// The spec with the catalog's defaults filled in, or what is wrong with it.
Result<spec::RunSpec> validated(spec::RunSpec spec, const std::string& file);

} // namespace trainyard::run
