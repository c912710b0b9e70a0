// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/slot_line.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/evaluation_file.h"
#include "engine/run/record/event_book.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/record/run_recorder.h"
#include "engine/run/record/series_book.h"
#include "engine/run/record/tensorboard_log.h"
#include "engine/run/record/unsaved_checkpoints.h"
#include "engine/run/supervise/attach_server.h"
#include "engine/run/supervise/copy_queue.h"
#include "engine/run/supervise/failure_detector.h"
#include "engine/run/supervise/group_size.h"
#include "engine/run/supervise/host_calls.h"
#include "engine/run/supervise/pending_commands.h"
#include "engine/run/supervise/published_state.h"
#include "engine/run/supervise/recovery_policy.h"
#include "engine/run/supervise/rendezvous_store.h"
#include "engine/run/supervise/stop_sequence.h"
#include "engine/run/supervise/system_book.h"
#include "engine/run/supervise/worker_link.h"

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

// The state machine behind supervise(). One thread; every wait has a deadline. A generation is one set of worker
// processes and one process group of theirs; it is never repaired, only ended and replaced.
class Supervisor {
public:
    struct Setup {
        RunFolder folder;
        LaunchRecord launch;
        store::Workspace workspace;
        spec::RunSpec spec;
        store::RunRow row;
        LauncherFor launcherFor;
        UniqueFd signals; // signalfd of SIGTERM, SIGINT and SIGCHLD
        Reuse reuse = Reuse::No;
        std::shared_ptr<store::KeptStore> store; // of one of many runs; none: the run has its own
        SlotTerms terms{};                       // of a run in a slot
    };
    explicit Supervisor(Setup setup);
    int run();

private:
    enum class End { Finished, Stopped, Failed };
    struct HostEntry {
        Launcher::HostInfo info;
        int ranks = 0;
        std::map<std::string, std::string> paths; // "model.path" -> where that file of the run file is there
    };

    // supervisor.cpp: the sequence
    Result<void> begin();
    void openTensorBoard();
    bool recover(std::string& notice);   // after a failed generation; false when the run is over
    bool takeFresh(std::string& notice); // the same for ranks that have trained before; false when none has
    void rewindTo(std::int64_t step);
    std::string chooseCheckpoint(std::string& notice);
    int conclude(End end);
    std::string endText() const; // of the log's last line
    void flushAtTheEnd();

    // supervisor_history.cpp: what earlier supervisors of this run have left
    Result<void> loadHistory();
    void waitForRanksOfBefore();
    std::set<std::string> hostsOfBefore() const;
    bool takeFromLastRanks(); // false when a host of theirs stays away
    Result<void> takeFromHosts(std::set<std::string> hosts);
    Result<void> takeFromHost(const std::string& host, const std::string& path);
    std::map<std::string, Result<int>> endRanksLeftOn(const std::set<std::string>& hosts);
    std::int64_t newestStepHere() const;
    void adoptCheckpoints();

    // supervisor_hosts.cpp: what launchers do for the run on its hosts
    Result<void> prepareHosts();
    Result<void> stageCheckpoint(const std::string& path);
    void fetchCheckpoint(const std::string& host, const wire::CheckpointSaved& saved);
    void copyNext();
    void recordCheckpoint(const wire::CheckpointSaved& saved, const std::filesystem::path& path);
    void waitForCopies();
    int endLeftOnHosts();

    // supervisor_generation.cpp: one set of workers
    Result<void> launchGeneration(const std::string& resumeFrom);
    Result<void> launchRanks(int ranks);
    Cause notLaunched(const Error& error) const;
    LaunchRequest requestFor(const WorkerLink::Placement& placement) const;
    HostCalls::Answer<std::unique_ptr<WorkerProcess>> askToLaunch(const WorkerLink::Placement& placement);
    Result<std::unique_ptr<WorkerLink>> startLink(const WorkerLink::Placement& placement);
    Result<std::unique_ptr<WorkerLink>> linkTo(const WorkerLink::Placement& placement,
                                               Result<std::unique_ptr<WorkerProcess>> process);
    void describeProgram(LaunchRequest& request, const WorkerLink::Placement& placement) const;
    void startHere();
    void sendStart(WorkerLink& link);
    End watchGeneration();
    void settle();
    void endGeneration(double graceSeconds);
    void putBackFree();
    bool anyHasTrained() const;
    bool applyStop(double now); // true when the workers were ended
    void checkExits();
    void awaitExit(WorkerLink& link);
    void findFailures(double now);
    Ranks ranks() const;
    void checkDigests();
    int countProcesses();
    std::string hostOf(int rank, int ranks) const;

    // supervisor_regroup.cpp: ranks replaced while the others keep their state
    bool regroup(); // false: the generation has to end
    RecoveryPolicy::Survivors survivors() const;
    std::vector<int> endLost();
    void markRegroup(const Cause& cause, const std::vector<int>& lost, std::size_t ranksBefore);
    bool replaceOrLeaveOut(const std::vector<int>& lost);
    Result<void> replaceWhenPossible(std::vector<int> lost, double seconds);
    Result<void> replaceLost(std::vector<int>& lost);
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
    void writeEvaluation();
    Outlives filesOutlive() const;
    void on(WorkerLink& link, const wire::Notice& notice);
    void on(WorkerLink& link, const wire::RolledBack& rolledBack);
    void on(WorkerLink& link, const wire::Failed& failed);
    void on(WorkerLink& link, const wire::PeerLost& lost);
    void on(WorkerLink& link, const wire::Finished& finished);
    void on(WorkerLink& link, const wire::Free& free);
    void deliver(const std::vector<RendezvousStore::Reply>& replies);

    // supervisor_system.cpp: what ranks and computers are busy with
    void on(WorkerLink& link, const wire::SystemSample& sample);
    void recordSystem(double now);

    // supervisor_commands.cpp: what a user asks of a run while it trains
    void requestCommand(const wire::Command& command);
    void on(WorkerLink& link, const wire::CommandDone& done);
    void notePause(const wire::CommandDone& done);
    void repeatCommands(WorkerLink& link, std::int64_t fromStep); // to the rank 0 of a new generation
    void saveFailed(std::int64_t step, Error cause);
    void settleSaves(std::int64_t step, const Result<void>& saved); // a checkpoint was saved, or could not be
    void answerSaves(const std::vector<wire::CommandDone>& answers);
    End endAfterSaves(End end); // how a run ends that ends so, by whether its last state is saved
    void answer(const wire::CommandDone& done);
    RunMoment moment() const;
    void mark(const std::vector<store::RunEventRow>& events); // in the charts
    void markWorkers(std::string reason);
    double lastLearningRate() const; // of the newest point; not a number without one
    void markLearningRate(const wire::CommandDone& done);
    void recordFailure(Cause cause);
    void enterTraining();
    void logLine(int rank, const char* level, std::string text);
    void requestStop(wire::StopMode mode);
    void setStatus(wire::RunStatus status);
    void publish(); // the state, now
    void syncRow();
    std::vector<wire::Message> greeting() const;
    std::string environmentJson() const;

    Setup m_setup;
    RunRecorder m_recorder;
    EvaluationFile m_evaluation;
    CheckpointBook m_checkpoints;
    SeriesBook m_series;
    SystemBook m_system;
    EventBook m_events;
    // The learning rate when another one was last asked for.
    double m_rateWhenAsked = store::RunEventRow::kNone;
    RendezvousStore m_rendezvous;
    struct { // the next Alive, and what it says
        double due = 0;
        std::int64_t storedStep = 0;
    } m_alive;
    std::unique_ptr<AttachServer> m_server;
    std::unique_ptr<TensorBoardLog> m_board; // when the run file asks for it
    PublishedState m_state;

    HostCalls m_calls;
    CopyQueue m_copies;
    std::map<std::string, HostEntry> m_hosts;
    std::vector<std::unique_ptr<WorkerLink>> m_links;
    std::vector<std::int64_t> m_groups;          // process groups of every generation on this computer
    std::map<std::string, std::string> m_staged; // host -> the checkpoint to begin from, there
    std::optional<Cause> m_savedAfter;           // the loss for which the survivors save and end
    FailureDetector m_failures;
    RecoveryPolicy m_recovery;
    GroupSize m_size;
    int m_generation = -1;
    double m_secondsBefore = 0;
    bool m_fresh = false; // ranks that have trained before are not to be had any more
    std::optional<std::int64_t> m_lowestRewind;

    StopSequence m_stop;
    PendingCommands m_commands;
    UnsavedCheckpoints m_unsaved;

    std::int64_t m_startedWallMs = 0;
    std::string m_workerVersion; // of the ranks, which exchange their state: of one version
    std::string m_libtorch, m_computedBy;
};

} // namespace trainyard::run
