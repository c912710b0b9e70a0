// SPDX-License-Identifier: GPL-3.0-or-later
// Starts runs. Everything here works from any process: the run belongs to its supervisor.
#pragma once

#include "engine/run/launch/spawn.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/kept_store.h"

#include <map>
#include <optional>
#include <string>

namespace trainyard::run {

// The entry of the queue (engine/queue) that a run is started for: it is taken in the same transaction.
struct QueuedStart {
    std::int64_t entry = 0;
    store::Taking taking = store::Taking::InTurn;
};

// What a run starts with beside its run file.
struct StartOptions {
    std::string sweep; // the sweep this run is a trial of
    int trial = -1;
    spec::Params params;                  // the trial's parameters
    std::string resumeFrom;               // checkpoint file of another run (fork); empty: from scratch
    std::string forkedFrom{};             // the id of that run, for the record
    std::optional<RankProgram> program{}; // what runs as each rank; nothing: trainyard-worker. The names of model, data
                                          // set and so on are then the program's own and not looked up
    // Kept open by a caller that starts many trials: the row goes through it, and the run's files are not synced
    store::KeptStore* store = nullptr;
    std::optional<QueuedStart> queued{}; // nothing: it does not come from the queue
    std::string id{};                    // chosen by who asked for it from another computer; empty: a new one
    // For a run from another computer: where this one has the files that the run file names (LaunchRecord::files).
    std::map<std::string, std::string> files{};
    std::map<std::string, std::vector<int>> devices{}; // as LaunchRecord::devices
    // The snapshot of its code that a program starts from; nothing: it is made, unless the run is a trial's.
    std::optional<RunCode> code{};
};

// Creates the run (row, folder, run.json) and its detached supervisor `trainyardctl supervise`. Returns the run's id
// as soon as the supervisor is started, some ms.
Result<std::string> startRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options = {});
// What a run is resumed with.
struct ResumeChanges {
    std::int64_t moreEpochs = 0;                     // extends a run that ended; 0: as planned
    std::optional<std::vector<std::string>> hosts{}; // where its ranks run from now on; nothing: where they did
    std::vector<std::string> settings{};             // "path=value", such as spec::mayResumeWith() allows
    // CheckpointRow::id of the one that a program goes on from; 0: its last good one. Later ones stay where they are,
    // and are superseded.
    std::int64_t fromCheckpoint = 0;
};
// A new supervisor for a run that was interrupted, stopped or failed, from its last good checkpoint. Input as for
// prepareResume().
Result<void> resumeRun(const store::Workspace& workspace, const std::string& run, const ResumeChanges& changes);
Result<void> resumeRun(const store::Workspace& workspace, const std::string& run, std::int64_t moreEpochs = 0);

// A run that exists but is not supervised yet. The lock keeps others from taking it for dead until then.
struct PreparedRun {
    std::string id;
    RunFolder folder;
    store::RunLock lock;
};

// A run that has its files, but no row yet: nobody else knows of it.
struct NewRun {
    PreparedRun run;
    store::RunRow row;
};

// Like prepareRun(), but leaves the row to a caller that writes several in one transaction. If the row cannot be
// written, discard() removes the run again.
Result<NewRun> makeRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options);
void discard(const PreparedRun& run);

// Checks the spec against the catalog (a fresh one if the cached one finds errors) and creates row, folder and
// files. Input names every wrong field.
Result<PreparedRun> prepareRun(const store::Workspace& workspace, spec::RunSpec spec, const StartOptions& options);

// Makes the run of the row ready for another supervisor. Files of a trial that were lost in a power failure are written
// again from the row. Input when it has a supervisor or nothing left to do, or when the changes would be refused for a
// new run.
Result<PreparedRun> prepareResume(const store::Workspace& workspace, const std::string& run,
                                  const ResumeChanges& changes);

// Starts its supervisor, and returns the supervisor's process id. If that fails, so does the run.
Result<pid_t> supervisePrepared(const store::Workspace& workspace, const PreparedRun& run, Detachment detachment);

// The spec with the catalog's defaults filled in, or what is wrong with it.
Result<spec::RunSpec> validated(spec::RunSpec spec, const std::string& file);

} // namespace trainyard::run
