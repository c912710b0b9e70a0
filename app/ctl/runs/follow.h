// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// The row of a sweep as it is now, by id, beginning of an id, or name: of an array job of Slurm, which nobody
// supervises, the trials that are over are collected first where Slurm can be asked. Input: there is no such sweep.
Result<store::SweepRow> sweepNow(const OpenWorkspace& open, const std::string& name);

// What Ctrl+C does: stop and save, a second time stop now, a third time kill; or leave the run alone.
enum class OnInterrupt { Stop, Leave };

// Follows a run to its end with progress on stderr, then prints its result on stdout (JSON with --json). Returns the
// exit code of the terminal contract; 0 when it left the run alone.
int followRun(const Session& session, const store::Workspace& workspace, const std::string& run,
              OnInterrupt onInterrupt = OnInterrupt::Stop);

// The same for a sweep.
int followSweep(const Session& session, const store::Workspace& workspace, const std::string& sweep,
                OnInterrupt onInterrupt = OnInterrupt::Stop);

// Waits for the end of a sweep that was told to stop, then prints it like showSweep.
int awaitSweep(const Session& session, const store::Workspace& workspace, const std::string& sweep);

// Prints the present state of a sweep: its trials, best first, or JSON with --json. Returns the exit code.
int showSweep(const Session& session, store::RunQuery& query, const store::SweepRow& row);

// Prints the present result of a run.
Result<void> printResult(const Session& session, store::RunQuery& query, const store::RunRow& row);

// Draws the run's curves into its folder; returns the file.
Result<std::filesystem::path> writeCurves(store::RunQuery& query, const store::RunRow& row);

} // namespace trainyard::ctl
