// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run_control.h"

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

// A model that is read from a file (a parameter "path" beside "sha256"): makes the path absolute and writes down which
// file it is, so that every rank and every later start uses that one. A file that is not on this computer is left to
// the hosts that have it. Input: the file is there and cannot be read.
Result<void> pinModelFile(spec::RunSpec& spec);

// The worker program beside this one.
std::filesystem::path workerProgram();

// The program that the run of the folder starts as each rank: the worker program, unless its launch record names one.
std::filesystem::path rankProgram(const RunFolder& folder);

// The spec with the catalog's defaults filled in, or what is wrong with it.
Result<spec::RunSpec> validated(spec::RunSpec spec, const std::string& file);

} // namespace trainyard::run
