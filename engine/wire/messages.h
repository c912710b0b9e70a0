// SPDX-License-Identifier: GPL-3.0-or-later
// The messages in frames: between a worker and its supervisor, and between the supervisor and its watchers.
#pragma once

#include "engine/wire/frame.h"

#include <map>
#include <string>
#include <variant>

namespace trainyard::wire {

inline constexpr int kProtocolVersion = 3;

// ---- worker -> supervisor ------------------------------------------------------------------------------------
struct Hello { // the first frame of every worker
    int protocol = kProtocolVersion;
    std::int64_t pid = 0;
    std::string host, version, libtorchVersion;
};
struct Ready { // after Start was read: the device the rank uses
    std::string device;
    int threads = 1;
    std::string note;     // "matrix products run at 2.5 GF/s: install OpenBLAS"; empty when all is well
    bool rejoins = false; // it will take a Regroup when a peer is lost
};
// What a run is doing, in order.
enum class Phase { Start, Rendezvous, LoadData, FirstStep, Train, Validate, Checkpoint, Done };
const char* toString(Phase phase);
struct PhaseChange { // pushed when a rank enters a phase; the first four are the start checklist
    Phase phase = Phase::Start;
    double seconds = 0; // since the worker's process started
    std::string detail; // "60,000 images"
};
// One value of a series.
struct Point {
    std::int64_t step = 0;
    double epoch = 0;   // fractional
    double seconds = 0; // training time since the run's first step, over restarts
    double value = 0;
};
// New points of one series. firstIndex counts from the run's start, so a watcher sees any gap; a rank does not number.
struct SeriesPoints {
    std::string series; // "train/loss"
    std::int64_t firstIndex = 0;
    std::vector<Point> points;
};
struct Metrics { // from rank 0, batched, at most every 8 ms; numbered, to the watchers
    std::vector<SeriesPoints> series;
};
// Rule: whether a rank works, waits in a collective or for a new group.
// Independent of the text of its heartbeat.
enum class Activity { Work, Collective, Rendezvous };
const char* toString(Activity activity);
struct Heartbeat { // from every rank, at least once a second, also while it waits in a collective
    std::int64_t step = 0, totalSteps = 0;
    double epoch = 0;
    std::int64_t totalEpochs = 0;
    double samplesPerSecond = 0;                           // of this rank
    double dataShare = 0, computeShare = 0, commShare = 0; // of the step time, 0..1
    std::int64_t residentBytes = 0;
    std::string doing; // "all-reduce of bucket 2", "validate": what a hang report names
    double forwardShare = 0, backwardShare = 0, optimizerShare = 0; // of the step time; parts of computeShare
    Activity activity = Activity::Work;
};
// What a rank and its computer were busy with, about once a second from every rank that trains.
struct SystemSample {
    double seconds = 0;             // that it covers: since the sample before
    double cpuCores = 0;            // that the rank kept busy, with all its threads
    std::int64_t residentBytes = 0; // of the rank
    // What the seconds went to, 0..1. Together less than 1 where the rank did something else, such as a validation.
    double dataShare = 0, computeShare = 0, commShare = 0; // comm: in collectives, the waiting for others among it
    double waitShare = 0;                                  // for a new group
    bool hasHost = false;                                  // the next five are known: from one rank of each computer
    double hostCpuShare = 0;                               // of all its cores, 0..1
    std::int64_t hostMemoryUsed = 0, hostMemoryTotal = 0;  // bytes
    double hostReceived = 0, hostSent = 0;                 // bytes a second, without the loopback
    bool hasGpu = false;                                   // the next three are known: of the GPU that the rank uses
    double gpuShare = 0;                                   // of the time in which a kernel ran, 0..1
    std::int64_t gpuMemoryUsed = 0, gpuMemoryTotal = 0;    // bytes, of all processes
};
struct CheckpointSaved { // from rank 0, after the file is durable
    std::string path;    // on the worker's host
    std::int64_t step = 0;
    double epoch = 0;
    std::int64_t bytes = 0;
    std::map<std::string, double> metrics; // last values, the score among them
};
struct CheckpointSkipped { // saving failed (disk full), training continues: the one clear notice
    std::int64_t step = 0;
    Error error;
};
struct Evaluation { // from rank 0, after a validation: all its metrics, EVALUATION.md in engine/torch
    std::int64_t step = 0;
    double epoch = 0;
    std::string json;
};
struct Tested {            // from rank 0, at the end of the training: the metrics of a checkpoint on the test samples
    std::string which;     // "last", "best"
    std::int64_t step = 0; // of the checkpoint
    double epoch = 0;
    std::string json; // as of an Evaluation
};
struct DataRead {     // from rank 0, once its data is loaded: what there is, and what was read otherwise than it stands
    std::string json; // `modelInfo` of CHECKPOINT.md in engine/torch
    std::vector<std::string> notes;        // for people, a sentence each
    std::vector<std::string> file, reason; // of files that were left out, each with its reason
};
struct Notice { // from rank 0: a notice for the user; training continues
    std::int64_t step = 0;
    std::string message;
};
struct RolledBack { // from rank 0: steps after this one are void, and training continues from there
    std::int64_t toStep = 0;
    std::string message;
};
struct Failed { // the last frame of a rank that fails
    Error error;
    std::int64_t step = 0;
};
struct Finished { // the last frame of a rank that ends well or was stopped
    std::int64_t step = 0;
    double epoch = 0, trainSeconds = 0;
    bool stopped = false;
    std::string parameterDigest; // of the trained parameters: equal on every rank
};
struct Free { // from a rank whose run is over and left nothing behind: it can be handed another one (kept_workers.h)
    std::int64_t residentBytes = 0;
};
struct PeerLost {       // from a rank whose group has lost another one; it waits for a Regroup
    int generation = 0; // of the group
    std::int64_t step = 0;
    std::string message;
};
// The rendezvous store of c10d, served by the supervisor over the rank's own channel: nothing has to listen.
struct StoreSet {
    std::string key;
    std::string value;
};
// Adds to a counter of the rendezvous store.
struct StoreAdd {
    std::int64_t request = 0;
    std::string key;
    std::int64_t amount = 0;
};
// Asks the rendezvous store for a value, and waits for it.
struct StoreGet {
    std::int64_t request = 0;
    std::string key;
}; // answered when the key exists
// Asks whether the rendezvous store has all of these keys.
struct StoreCheck {
    std::int64_t request = 0;
    std::vector<std::string> keys;
};
// How steps of a kind (`key`) are computed in all runs of the workspace: what is kept is asked for, and where nothing
// is, `choice` is kept, unless it is empty. Answered by StoreReply with what is kept; number 0: nothing.
struct KernelChoice {
    std::int64_t request = 0;
    std::string key, choice;
};
// What a user can ask of a run that trains.
enum class CommandKind { Pause, Unpause, Checkpoint, SetLearningRate, Resize, Stacks };
const char* toString(CommandKind kind);
// From rank 0, once every rank has done it at the same step; passed on to the watchers. Resize: from the supervisor.
struct CommandDone {
    std::string id; // of the Command
    CommandKind kind = CommandKind::Pause;
    double value = 0;
    std::int64_t step = 0; // the last one before it
    Error error;           // why it was not done; without a message: it was

    bool isDone() const { return error.message.empty(); }
};

// ---- supervisor -> worker ------------------------------------------------------------------------------------
struct Start {
    std::string runJson;                      // the validated run file
    std::map<std::string, std::string> paths; // "model.path" -> where that file of the run file is on the worker's host
    int rank = 0, worldSize = 1, localRank = 0, localWorldSize = 1;
    int generation = 0;           // of the process group; grows with every restart
    std::string interfaceAddress; // where Gloo listens: "127.0.0.1" or this host's cluster address
    std::string checkpointFolder; // on the worker's host
    std::string resumeFrom;       // a checkpoint file on the worker's host; empty: from scratch
    double secondsBefore = 0;     // training time of earlier generations
    bool mayRejoin = false;       // when a peer is lost: report PeerLost, wait for a Regroup, go on
    bool joining = false;         // the others train already; the state comes from them
    bool mayStay = false;         // at the end, say Free and wait for another run instead of exiting
    int sharing = 1;              // runs that share the cores of the worker's host, and this one
    bool isFork = false;          // resumeFrom is a checkpoint of another run
    // Of a program; on the worker's host.
    std::string codeFolder;                         // its snapshot; empty: it runs where the run file says
    std::map<std::string, std::string> environment; // captured by program.prepare
    std::map<std::string, std::string> secrets;     // never written; empty: it inherits them
    std::string trial;                              // of a sweep
};
struct Regroup { // to those that are left: a new group of the same run, with others in the place of the lost
    int generation = 0;
    int rank = 0, worldSize = 1, localRank = 0, localWorldSize = 1;
};
struct Alive {                   // to every rank, about once a second: its supervisor lives
    std::int64_t storedStep = 0; // the store has every point of the steps before this one
};
// How a run is stopped.
// AtCheckpoint: goes on until the next checkpoint; of a program, which decides itself when it saves.
enum class StopMode { SaveAndStop, StopNow, Kill, AtCheckpoint };
const char* toString(StopMode mode);
// Asks a run to stop.
struct Stop {
    StopMode mode = StopMode::SaveAndStop;
};
struct Command {    // what is asked of a run while it trains; passed on to rank 0, but for Resize
    std::string id; // of the asker's choice; comes back in CommandDone
    CommandKind kind = CommandKind::Pause;
    double value = 0; // SetLearningRate: the learning rate from now on; Resize: the number of workers
};
// The answer to it: done after `step`, or why not.
CommandDone answerTo(const Command& command, std::int64_t step, const Result<void>& done = {});
// The rendezvous store's answer.
struct StoreReply {
    std::int64_t request = 0;
    std::string value;
    std::int64_t number = 0;
};

// ---- supervisor -> watcher -------------------------------------------------------------------------------------
// States of a run, as stored and shown.
enum class RunStatus {
    Queued,
    Starting,
    Running,
    Paused,
    Restarting,
    Stopping,
    Finished,
    Stopped,
    Failed,
    Interrupted,
    Unknown, // a word in the database that this version does not know; never sent, never written
};
const char* toString(RunStatus status);
Result<RunStatus> runStatusFromString(const std::string& word);
// Rule: whether a run is active.
bool isActive(RunStatus status); // a supervisor should be alive
// States of a rank, as stored and shown.
enum class RankStatus { Starting, Running, Finished, Failed, Lost };
const char* toString(RankStatus status);
// One rank as its supervisor sees it.
struct WorkerState {
    int rank = 0;
    std::string host;
    std::int64_t pid = 0;
    std::string device;
    RankStatus status = RankStatus::Starting;
    Heartbeat beat;
};
struct RunState { // pushed on every change, and at most 4 times a second for progress
    RunStatus status = RunStatus::Queued;
    Phase phase = Phase::Start;
    std::map<std::string, double> checklist; // phase name -> seconds it took; of the first four, once done
    std::int64_t step = 0, totalSteps = 0;
    double epoch = 0;
    std::int64_t totalEpochs = 0;
    double samplesPerSecond = 0, etaSeconds = -1, trainSeconds = 0;
    int restarts = 0;
    std::vector<WorkerState> workers;
    std::string notice;     // one line: "rank 1 was lost at step 120; restarted from step 100"
    Error error;            // when Failed
    int processesLeft = -1; // verified after the end: 0
    std::string unseenOn;   // hosts, "h2, h3": they did not answer, so what is left there is not in processesLeft

    // "2 processes left", "what is left on h2 cannot be seen", or both; empty before the end.
    std::string leftText() const;
};
// Points after this step are void: the run went back to a checkpoint.
struct Rewound {
    std::int64_t toStep = 0;
}; // points after this step are void: a restart repeats them
struct CheckpointListChanged {}; // read the list from the store
// One line of a rank's or the supervisor's log.
struct LogLine {
    int rank = -1;
    std::string level, text;
    std::int64_t wallMs = 0;
};

// ---- watcher -> supervisor -------------------------------------------------------------------------------------
struct Attach {
    int protocol = kProtocolVersion;
}; // answered by RunState, then everything live
// Stop and Command are used here too.

using Message =
    std::variant<Hello, Ready, PhaseChange, Metrics, Heartbeat, CheckpointSaved, CheckpointSkipped, Evaluation, Notice,
                 RolledBack, Failed, Finished, StoreSet, StoreAdd, StoreGet, StoreCheck, KernelChoice, Start, Stop,
                 StoreReply, RunState, Rewound, CheckpointListChanged, LogLine, Attach, PeerLost, Regroup, Command,
                 CommandDone, Tested, Free, SystemSample, Alive, DataRead>;

std::vector<std::byte> encodeMessage(const Message& message);
// Input when the type is unknown, the CBOR is malformed, or a field is missing or of another type.
Result<Message> decodeMessage(const Frame& frame);

// What the rendezvous store's keys of the group that meets as this generation begin with, before a slash.
inline std::string storePrefix(int generation) { return "generation" + std::to_string(generation); }

} // namespace trainyard::wire
