// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/evaluation_file.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/record/run_recorder.h"
#include "engine/run/record/series_book.h"
#include "engine/run/record/tensorboard_log.h"
#include "engine/run/record/unsaved_checkpoints.h"
#include "engine/run/supervise/attach_server.h"
#include "engine/run/supervise/rendezvous_store.h"
#include "engine/run/supervise/worker_link.h"

namespace trainyard::run {

// The launcher of a host (empty: this computer); what it refers to outlives the supervisor.
using LauncherFor = std::function<Launcher&(const std::string& host)>;

// Owns one run from launch to end: `trainyardctl supervise FOLDER`. Returns the exit code of the terminal contract.
// Blocks for the whole run. Takes SIGTERM and SIGINT as "stop and save" for the rest of the process's life.
int supervise(const std::filesystem::path& folder, const LauncherFor& launcherFor);

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
    };
    explicit Supervisor(Setup setup);
    int run();

private:
    enum class End { Finished, Stopped, Failed };
    struct Cause { // why a generation cannot go on
        int rank = -1;
        std::string name; // "rank 1 on this computer"
        std::int64_t step = 0;
        std::string what; // "was killed by SIGKILL", "failed: ...": for the notice
        Error error;
        bool processDied = false;
        bool retry = true;
    };
    struct HostPlace {
        Launcher::Place place;
        int ranks = 0;
        std::map<std::string, std::string> paths; // "model.path" -> where that file of the run file is there
    };

    // supervisor.cpp: the sequence
    Result<void> begin();
    Result<void> loadHistory();
    void openTensorBoard();
    bool recover(std::string& notice); // after a failed generation; false when the run is over
    void rewindTo(std::int64_t step);
    std::string chooseCheckpoint(std::string& notice);
    int conclude(End end);
    void flushAtTheEnd();

    // supervisor_generation.cpp: one set of workers
    Result<void> prepareHosts();
    Result<std::map<std::string, std::string>> stageFiles(const std::string& host);
    Result<void> launchGeneration(const std::string& resumeFrom);
    Result<void> launchRank(int rank);
    Result<std::unique_ptr<WorkerLink>> startLink(const WorkerLink::Place& place);
    void describeProgram(LaunchRequest& request, const WorkerLink::Place& place) const;
    void startHere();
    void sendStart(WorkerLink& link);
    End watchGeneration();
    void settle();
    void endGeneration(double graceSeconds);
    bool applyStop(double now); // true when the workers were ended
    void judgeSilence(double now);
    void judgeExits();
    bool diedForMemory(const WorkerLink& link);
    void lookForMemory(double now);
    void checkDigests();
    int countProcesses();
    std::string hostOf(int rank, int ranks) const;

    // supervisor_regroup.cpp: ranks replaced while the others keep their state
    bool regroup(); // false: the generation has to end
    std::vector<int> endLost();
    Result<void> replaceWhenPossible(std::vector<int> lost, double seconds);
    Result<void> replaceLost(std::vector<int>& lost);
    void leaveOut(const std::vector<int>& lost);
    void endRank(WorkerLink& link);
    void beginGroup(); // what belongs to the group before is over
    void announceGroup();
    bool mayShrink(std::size_t left) const;
    void judgeLostPeers(double now);
    void noteRegrouped();
    double backoff(const Cause& cause) const;

    // supervisor_resize.cpp: more or fewer ranks than there were
    void requestResize(const wire::Command& command);
    std::string whyNotResized(double wanted) const; // empty: it may be
    void resizeWhenPossible(double now);
    Result<void> grow(int wanted);
    void shrink(int wanted);
    void placeRanks(); // numbers them anew, in their order, on each host
    void tryLaterToGrow();
    void answerResize();

    // supervisor_watchdog.cpp: ranks that hold the others up
    void noteBeat(WorkerLink& link, const wire::Heartbeat& beat, double now);
    void judgeStall(double now);
    bool noteAbsentee(double limit); // true: there is one
    void noteBrokenLink(const WorkerLink& first, const std::string& what);
    void judgeStragglers(double now);

    // supervisor_events.cpp: what arrives
    void pump(double deadline);
    void readWorkers();
    void takeSignals();
    void take(WorkerLink& link, const wire::Message& message);
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
    void on(WorkerLink& link, const wire::Notice& notice);
    void on(WorkerLink& link, const wire::RolledBack& rolledBack);
    void on(WorkerLink& link, const wire::Failed& failed);
    void on(WorkerLink& link, const wire::PeerLost& lost);
    void on(WorkerLink& link, const wire::Finished& finished);
    void deliver(const std::vector<RendezvousStore::Reply>& replies);

    // supervisor_commands.cpp: what a user asks of a run while it trains
    void requestCommand(const wire::Command& command);
    void on(WorkerLink& link, const wire::CommandDone& done);
    void repeatCommands(WorkerLink& link, std::int64_t fromStep); // to the rank 0 of a new generation
    void saveFailed(const WorkerLink& link, std::int64_t step, Error cause);
    void settleSaves(std::int64_t step, const std::string& error); // a checkpoint was saved, or could not be
    End judgeSaves(End end); // how a run ends that ends so, by whether its last state is saved
    void answer(const wire::CommandDone& done);
    void noteCause(WorkerLink& link, Cause cause);
    void enterTraining();
    void updateRate(double now);
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
    RendezvousStore m_rendezvous;
    std::unique_ptr<AttachServer> m_server;
    std::unique_ptr<TensorBoardLog> m_board; // when the run file asks for it
    wire::RunState m_state;

    std::map<std::string, HostPlace> m_hosts;
    std::vector<std::unique_ptr<WorkerLink>> m_links;
    std::vector<std::int64_t> m_groups;          // process groups of every generation on this computer
    std::map<std::string, std::string> m_staged; // host -> the checkpoint to begin from, there
    std::vector<Cause> m_causes;                 // of this generation, in the order of arrival
    std::optional<Cause> m_firstCause;           // of the run
    int m_generation = -1, m_restartsUsed = 0;
    std::int64_t m_generationFirstStep = -1, m_lastPointStep = 0;
    double m_secondsBefore = 0;
    std::optional<std::int64_t> m_lowestRewind;
    int m_failedJoins = 0;                 // replacements in a row that were lost before they trained
    double m_regroupBegan = -1;            // monotonic seconds: the ranks are about to train on as another group
    std::optional<wire::Command> m_resize; // asked for, and not yet done
    int m_wanted = 0;                      // ranks that the group should have
    double m_growAt = -1, m_growPause = 0; // when what was left out is tried again, and how long after the last time
    // endedForMemory() at the last look and at the one before: a process may be long in dying of it.
    std::int64_t m_endedForMemory = 0, m_endedForMemoryBefore = 0;
    double m_lookedForMemory = 0; // when
    bool m_watching = false;      // failures count only while a generation is meant to run

    std::optional<wire::StopMode> m_stop;
    std::optional<wire::StopMode> m_stopApplied;
    std::vector<wire::Command> m_openCommands;    // asked for and not yet done
    std::vector<wire::CommandDone> m_unsavedDone; // checkpoints that the ranks have taken and that are being written
    UnsavedCheckpoints m_unsaved;
    std::optional<wire::CommandDone> m_rateSet; // the newest learning rate, and from which step
    bool m_paused = false;
    int m_stopEscalation = 0;
    double m_stopDeadline = 0, m_stopLimit = 0;

    bool m_dirty = false; // the state changed since it was last pushed
    double m_lastPush = 0, m_lastRow = 0;
    std::int64_t m_startedWallMs = 0;
    double m_phaseEntered = 0;
    std::deque<std::pair<double, std::int64_t>> m_rate; // monotonic seconds, step
    std::string m_libtorch, m_computedBy;
};

} // namespace trainyard::run
