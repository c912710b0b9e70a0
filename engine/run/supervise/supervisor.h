// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/pool/slot_line.h"
#include "engine/run/program/bond/supervisor_guard.h"
#include "engine/run/record/kept_in_row.h"
#include "engine/run/supervise/failures/failure_detector.h"
#include "engine/run/supervise/failures/recovery_policy.h"
#include "engine/run/supervise/failures/stop_sequence.h"
#include "engine/run/supervise/group_size.h"
#include "engine/run/supervise/hosts/host_links.h"
#include "engine/run/supervise/hosts/run_hosts.h"
#include "engine/run/supervise/pending_commands.h"
#include "engine/run/supervise/workers.h"

#include <limits>
#include <set>

namespace trainyard::run {

// Whether ranks may have trained another run before, and stay for the next one. What fails in such a rank is tried once
// in fresh ones, which counts as no restart.
enum class Reuse { No, Yes };

// Owns one run from launch to end: `trainyardctl supervise FOLDER`. Returns the exit code of the terminal contract.
// Blocks for the whole run. Takes SIGTERM and SIGINT as "stop and save" for the rest of the process's life.
int supervise(const std::filesystem::path& folder, const LauncherFor& launcherFor);
// The same where this process has the lock of the run's folder already. Releases it on return.
// `kept`: of the runs that it supervises one after another; made by the first.
int supervise(const std::filesystem::path& folder, store::RunLock lock, const LauncherFor& launcherFor,
              const SlotTerms& terms, std::shared_ptr<store::KeptStore>& kept);

// The state machine behind supervise(): the ranks of a run, and what follows from what they say. One thread; every wait
// has a deadline. A generation is one set of worker processes and one process group of theirs; it is never repaired,
// only ended and replaced.
class Supervisor {
public:
    struct Setup {
        RunTask task;
        LauncherFor launcherFor;
        UniqueFd signals; // signalfd of SIGTERM, SIGINT and SIGCHLD
        Reuse reuse = Reuse::No;
        SlotTerms terms{}; // of a run in a slot
    };
    // `row` as the store has it; `shared` as in RunJournal.
    Supervisor(Setup setup, store::RunRow row, std::shared_ptr<store::KeptStore> shared);
    int run();

private:
    enum class End { Finished, Stopped, Failed };

    // supervisor.cpp: the sequence
    Result<void> begin();
    Result<void> loadHistory();
    void waitForRanksOfBefore();
    bool recover(std::string& notice);   // after a failed generation; false when the run is over
    bool takeFresh(std::string& notice); // the same for ranks that have trained before; false when none has
    std::string chooseCheckpoint(std::string& notice);
    void voidRepeated();
    int conclude(End end);
    std::optional<Error> flushAtTheEnd();

    // supervisor_adopt.cpp: ranks of a program that have outlived the supervisor before
    bool adoptRanks(std::string& notice); // true: they go on
    Result<void> takeOver(const std::vector<RankNote>& notes);
    void endKeepers(const std::vector<RankNote>& notes, bool atOnce);
    void goOnStopping(const std::vector<RankNote>& notes);
    void beginGuard();

    // supervisor_generation.cpp: one set of workers
    Result<void> launchGeneration(const std::string& resumeFrom);
    Result<void> launchRanks(int ranks);
    void noteNotLaunched(const Error& error);
    Cause notLaunched(const Error& error) const;
    CudaDevices devicesOn(const HostName& host) const;
    LaunchRequest requestFor(const WorkerLink::Placement& placement) const;
    HostCalls::Answer<std::unique_ptr<WorkerProcess>> askToLaunch(const WorkerLink::Placement& placement);
    // Waits until it is launched, or gives it up at `until`.
    Result<std::unique_ptr<WorkerProcess>> launched(const WorkerLink::Placement& placement,
                                                    const HostCalls::Answer<std::unique_ptr<WorkerProcess>>& answer,
                                                    double until = std::numeric_limits<double>::infinity());
    Result<std::unique_ptr<WorkerLink>> startLink(const WorkerLink::Placement& placement,
                                                  double until = std::numeric_limits<double>::infinity());
    Result<std::unique_ptr<WorkerLink>> linkTo(const WorkerLink::Placement& placement,
                                               Result<std::unique_ptr<WorkerProcess>> process);
    void describeStart(wire::Start& start, const WorkerLink::Placement& placement) const;
    void describeProgram(LaunchRequest& request, const WorkerLink::Placement& placement) const;
    void startHere();
    void sendStart(WorkerLink& link);
    End watchGeneration();
    void settle();
    void tellStacks();
    void endGeneration(double graceSeconds);
    void putBackFree();
    bool applyStop(double now); // true when the workers were ended
    void checkExits();
    void awaitExit(WorkerLink& link);
    void findFailures(double now);
    void heedValues(); // of a program
    void endDiverged();
    void findBlockedWay();
    void watchLinks(double now);
    FailureDetector::Pace pace() const;
    void checkDigests();
    bool isKilled() const { return m_stop && m_stop.mode() == wire::StopMode::Kill; }
    void countProcesses();
    void waitForCopies();

    // supervisor_regroup.cpp: ranks replaced while the others keep their state
    bool regroup(); // false: the generation has to end
    RecoveryPolicy::Survivors survivors(const Cause& cause) const;
    std::vector<int> endLost();
    void markRegroup(const Cause& cause, const std::vector<int>& lost, const std::vector<HostName>& hostsBefore);
    bool replaceOrLeaveOut(std::vector<int>& lost);
    Result<void> replaceWhenPossible(std::vector<int>& lost, double seconds);
    std::set<HostName> givenUpSoon(const std::vector<int>& lost) const;
    std::string waitText(const std::vector<int>& lost) const;
    bool othersKeepState(const std::vector<int>& lost);
    Result<void> replaceLost(std::vector<int>& lost, const std::set<HostName>& givenUpSoon);
    bool moveToSpare(const HostName& host, const Error& error, std::vector<int>& lost, std::vector<int>& left);
    void leaveOut(const std::vector<int>& lost);
    void endRank(WorkerLink& link);
    void beginGroup(); // what belongs to the group before is over
    void announceGroup();
    void dropRanks(const std::vector<int>& lost); // from the list; the others are numbered anew
    bool saveBySurvivors();                       // false: none can, or is to
    End endAfterSurvivors();                      // once they have
    void noteRegrouped();

    // supervisor_resize.cpp: more or fewer ranks than there were
    void requestResize(const wire::Command& command);
    void resizeWhenPossible(double now);
    bool growNow();
    Result<void> grow(int wanted);
    void shrink(int wanted);
    void placeRanks(); // numbers them anew, in their order, on each host
    void answerResize();

    // supervisor_events.cpp: what arrives
    void pump(double deadline);
    void sayAlive(double now);
    void readWorkers();
    void handleSignals();
    void handle(WorkerLink& link, const wire::Message& message);
    void on(WorkerLink& link, const wire::Hello& hello);
    void on(WorkerLink& link, const wire::Ready& ready);
    void on(WorkerLink& link, const wire::PhaseChange& change);
    void on(WorkerLink& link, const wire::Metrics& metrics);
    void on(WorkerLink& link, const wire::Heartbeat& beat);
    void on(WorkerLink& link, const wire::CheckpointSaved& saved);
    void on(WorkerLink& link, const wire::CheckpointSkipped& skipped);
    void on(WorkerLink& link, const wire::Evaluation& evaluation);
    void on(WorkerLink& link, const wire::Tested& tested);
    void on(WorkerLink& link, const wire::DataRead& read);
    void on(WorkerLink& link, const wire::KernelChoice& wish);
    void on(WorkerLink& link, const wire::Notice& notice);
    void on(WorkerLink& link, const wire::RolledBack& rolledBack);
    void on(WorkerLink& link, const wire::Failed& failed);
    void on(WorkerLink& link, const wire::PeerLost& lost);
    void on(WorkerLink& link, const wire::Finished& finished);
    void on(WorkerLink& link, const wire::Free& free);
    void on(WorkerLink& link, const wire::SystemSample& sample);
    void recordFailure(Cause cause);
    void enterTraining();
    wire::RunStatus statusOfTraining() const;
    void requestStop(wire::StopMode mode);
    void stopAtCheckpoint();
    void tellAwaited(std::int64_t step);
    void noteEnvironment();

    // supervisor_commands.cpp: what a user asks of a run while it trains
    void requestCommand(const wire::Command& command);
    void on(WorkerLink& link, const wire::CommandDone& done);
    void notePause(const wire::CommandDone& done);
    void tellAway(double now);
    void repeatCommands(WorkerLink& link, std::int64_t fromStep);   // to the rank 0 of a new generation
    void settleSaves(std::int64_t step, const Result<void>& saved); // a checkpoint was saved, or could not be
    void answerSaves(const std::vector<wire::CommandDone>& answers);
    End endAfterSaves(End end); // how a run ends that ends so, by whether its last state is saved
    void answer(const wire::CommandDone& done);
    void markLearningRate(const wire::CommandDone& done);

    Setup m_setup;
    RunJournal m_journal;
    HostCalls m_calls;
    SavedCheckpoints m_checkpoints;
    RunHosts m_hosts;

    Workers m_workers;
    SupervisorGuard m_guard; // of a program's run
    RunEnvironment m_environment;
    struct Alive {
        double due = 0;         // the next one
        std::int64_t told = -1; // the step that the last one told
    } m_alive;
    struct From {
        double seconds = 0;                    // of training, before
        bool isFork = false;                   // it begins a fork, with a checkpoint of another run
        std::optional<std::int64_t> repeats{}; // the step after which it will repeat what is there; -1: all
    } m_from;                                  // where this generation begins
    bool m_fresh = false;                      // ranks that have trained before are not to be had any more

    FailureDetector m_failures;
    HostLinks m_hostLinks;
    RecoveryPolicy m_recovery;
    GroupSize m_size;
    std::optional<Cause> m_savedAfter; // the loss for which the survivors save and end
    StopSequence m_stop;
    PendingCommands m_commands;
    double m_rateWhenAsked = store::RunEventRow::kNone; // the learning rate when another one was last asked for
};

} // namespace trainyard::run
