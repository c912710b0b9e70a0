// SPDX-License-Identifier: GPL-3.0-or-later
// What the window and the terminal do to runs. All of it works from any process: the run belongs to its supervisor.
#pragma once

#include "engine/run/run_folder.h"
#include "engine/spec/run_spec.h"
#include "engine/spec/sweep_spec.h"
#include "engine/store/store.h"

namespace trainyard::run {

struct StartOptions {
    std::string sweep;         // the sweep this run is a trial of
    int trial = -1;
    spec::Params params;       // the trial's parameters
    std::string resumeFrom;    // checkpoint file of another run (fork); empty: from scratch
    std::string forkedFrom{};   // the id of that run, for the record
    std::optional<RankProgram> program{}; // what runs as each rank; nothing: trainyard-worker. The names of model, data
                                          // set and so on are then the program's own and not looked up
};

// The worker's catalog, from a cache keyed by the worker program's size and time; asks the worker (0.4 s) when it
// changed. Environment when there is no worker or it fails.
Result<spec::Catalog> loadCatalog(const std::filesystem::path& workerProgram);
// The same without the cache, which it renews.
Result<spec::Catalog> refreshCatalog(const std::filesystem::path& workerProgram);

// Creates the run (row, folder, run.json) and its detached supervisor `trainyardctl supervise`. Returns the run's id
// as soon as the supervisor is started, some ms.
Result<std::string> startRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options = {});
// The same for a sweep; returns its id.
Result<std::string> startSweep(const store::Workspace& workspace, const spec::SweepSpec& spec);
// A new supervisor for a run that was interrupted, stopped or failed, from its last good checkpoint. `moreEpochs`
// extends a run that ended (0: as planned).
Result<void> resumeRun(const store::Workspace& workspace, const std::string& run, std::int64_t moreEpochs = 0);
// The same for a sweep: runs what is missing.
Result<void> resumeSweep(const store::Workspace& workspace, const std::string& sweep);
// Asks the supervisor; returns when it has the request. With Kill, ends the processes itself when no answer comes.
Result<void> stopRun(const store::Workspace& workspace, const std::string& run, wire::StopMode mode);
// Has a run pause, go on, save a checkpoint or change its learning rate (`value`), and returns when every rank has done
// it, with the step after which. Input: the run is not active, the rate is none that its run file could have, a run
// that is not paused cannot go on. Run: the checkpoint could not be written. Environment: no answer in `seconds`.
Result<wire::CommandDone> commandRun(const store::Workspace& workspace, const std::string& run, wire::CommandKind kind,
                                     double value = 0, double seconds = 60);
Result<void> stopSweep(const store::Workspace& workspace, const std::string& sweep, wire::StopMode mode);

// A preset of the first run: Fashion-MNIST when it is installed, else the generated set, for two workers.
spec::RunSpec firstRun(const spec::Catalog& catalog, int cores);

} // namespace trainyard::run
