// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/attach/attach_client.h"
#include "engine/run/start/run_start.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/trials/trial_watch.h"

namespace trainyard::sweep {

// A trial's progress as its sweep's supervisor sees it.
enum class Stage {
    Open,       // it may need something here
    NeverBegan, // its supervisor ended without a word in the store; another one would fare no better
    Done,       // it needs nothing more here; a later supervisor may resume it
    Complete,   // finished or failed: it is not resumed
};

// Everything that a sweep's supervisor knows of a trial. The judge decides about its future (Judge::Trial).
struct TrialEntry {
    int number = -1;

    // Its run in the store. There may be 10^5 entries, so rarely needed fields stay in the store.
    std::string id, folder; // empty: it has none yet
    wire::RunStatus status = wire::RunStatus::Queued;
    std::int64_t step = 0, finishedMs = 0;
    double epoch = 0, trainSeconds = 0;
    ErrorKind errorKind = ErrorKind::Run;
    ErrorCode errorCode = ErrorCode::General;

    Stage stage = Stage::Open;
    bool begunHere = false;            // in a slot of this process
    bool toldToStop = false;           // by this process
    bool pruned = false;               // its checkpoints are gone (keep_best.h)
    int slotsLost = 0;                 // that died with it
    std::optional<TrialScore> score{}; // of one that is over: its series are read once

    std::unique_ptr<run::PreparedRun> held{};   // its run, with the lock, while it waits for a slot
    std::unique_ptr<TrialWatch> watch{};        // while its reports are wanted
    std::unique_ptr<Error> unmeasured{};        // why it is being stopped: it lacks what trials are scored by
    std::unique_ptr<run::AttachClient> donor{}; // that was asked for a checkpoint to adopt

    bool hasRun() const { return !id.empty(); }
    bool isDone() const { return stage != Stage::Open; }
    // Whether all reports of a finished trial have been read; also if none were wanted.
    bool isReadToEnd() const { return !watch || watch->ended(); }
    // Takes over its row. If it has gone on since, its score is read again.
    void learn(const store::RunRow& row);
    // However its run ended, it shall go on, with another state.
    void forgetEnd();
};

} // namespace trainyard::sweep
