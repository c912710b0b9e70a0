// SPDX-License-Identifier: GPL-3.0-or-later
// The side of the program that starts a run of itself: one start for each fit() and each CreatorTrainer.
#pragma once

#include "engine/base/result.h"
#include "engine/run/attach/run_follower.h"
#include "engine/run/attach/terminal_progress.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"
#include "trainyard/trainer.h"

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace trainyard::train {

// A call of fit() or of CreatorTrainer's constructor, counted over the process. Ranks come to the same calls.
struct CallPosition {
    enum class Role { Driver, Rank, Earlier } role = Role::Driver;
    int number = 0;         // from 1
    std::string earlierRun; // of Role::Earlier: the run that the driver made of this call
};
CallPosition nextCall();
// What the driver made of the call: a run, or a sweep. Ranks of later calls are told.
void recordCall(const CallPosition& call, const std::string& id);

// This very program as the ranks of a run, and the run file of it: it stands for the model, with its configuration as
// parameters. `environment` is added to what its ranks are told. Environment: the program cannot be told.
struct ProgramRun {
    spec::RunSpec spec;
    run::RankProgram program;
};
trainyard::Result<ProgramRun> programRun(const CallPosition& call, const TrainerOptions& options,
                                         const store::Workspace& workspace,
                                         std::map<std::string, std::string> environment = {});

// A started run. It stops when the thread that started it ends.
class RunDriver {
public:
    // `environment` is added to what its ranks are told. Input: an option cannot be, naming it. Environment:
    // trainyardctl is not found or cannot start, the folder cannot be made.
    static trainyard::Result<std::unique_ptr<RunDriver>> start(const CallPosition& call, const TrainerOptions& options,
                                                               std::map<std::string, std::string> environment = {});
    ~RunDriver();

    const std::string& runId() const { return m_run; }
    const std::string& folder() const { return m_folder; }
    // Waits for what happens to the run, at most so long; true once it is over.
    bool isOver(int milliseconds);
    Result waitForEnd();

private:
    RunDriver() = default;
    bool isOver(int milliseconds, run::TerminalProgress* progress);
    void showToTheEnd();

    store::Workspace m_workspace;
    std::string m_run, m_folder;
    std::unique_ptr<run::RunFollower> m_follower;
    pid_t m_supervisor = -1;
    bool m_over = false, m_verbose = true;
};

// Why a run did not end well; nothing while it is active.
std::optional<RunError> recordedError(const store::RunRow& row);
// What the workspace has recorded of a run.
trainyard::Result<Result> recordedResult(const store::Workspace& workspace, const std::string& run);
// The result of a run that never was.
Result failedResult(const trainyard::Error& error);

} // namespace trainyard::train
