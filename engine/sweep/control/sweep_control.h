// SPDX-License-Identifier: GPL-3.0-or-later
// Starts, resumes and stops sweeps, from any process: a sweep belongs to its supervisor.
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/store.h"
#include "engine/sweep/trials/run_of_trial.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::sweep {

// The inputs of a sweep besides its file.
struct SweepStart {
    std::optional<run::QueuedStart> queued{};  // the entry of the queue that it is started for
    std::optional<run::RankProgram> program{}; // as StartOptions::program, of every trial
    std::string id{};                          // as StartOptions::id
    std::optional<run::RunCode> code{};        // as StartOptions::code, of every trial; nothing: it is made
};

// Validates the sweep, creates it (row, folder, sweep.json) and its detached supervisor; returns the sweep's id. Input
// names the trial and its wrong field. Takes an entry from the queue in the same transaction; Input with code
// NotQueued if it no longer waits.
Result<std::string> startSweep(const store::Workspace& workspace, const spec::SweepSpec& spec,
                               const SweepStart& start = {});
// Starts a new supervisor for the missing trials. Input: the sweep has finished or has a supervisor.
Result<void> resumeSweep(const store::Workspace& workspace, const std::string& sweep);
// Starts no more trials and stops the running ones. Input: the sweep is not active. An array job of Slurm is
// cancelled: training trials save first, whatever the mode.
Result<void> stopSweep(const store::Workspace& workspace, const std::string& sweep, wire::StopMode mode);
// Input with code NotRunning for an array job of Slurm, which cannot be resumed or steered.
Result<void> mustBeSupervisedHere(const store::Workspace& workspace, const store::SweepRow& sweep);

// Instructions for a sweep's supervisor, read from the sweep's folder.
struct SweepLaunch {
    std::string sweep, workspace;
    std::optional<run::RankProgram> program{}; // that runs as each rank of each trial; nothing: trainyard-worker
    std::optional<run::RunCode> code{};        // that each trial starts from
};
Result<void> writeSweepLaunch(const std::filesystem::path& folder, const SweepLaunch& launch);
Result<SweepLaunch> readSweepLaunch(const std::filesystem::path& folder); // Input when it is not a sweep's folder

} // namespace trainyard::sweep
