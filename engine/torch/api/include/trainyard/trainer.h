// SPDX-License-Identifier: GPL-3.0-or-later
// A training function as a distributed run.
#pragma once

#include "trainyard/checkpoint.h"
#include "trainyard/config.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

struct ScalingConfig {
    int numWorkers = 1;             // ranks, a process each
    bool useGpu = false;            // a CUDA device for each; false: the CPU
    int threadsPerWorker = 0;       // of the CPU inside one operation; 0: cores / workers of a host
    std::string averaging = "auto"; // of gradients: auto, shared, buckets, reducer, as scaling.averaging of a run file
    std::string compression = "none"; // of gradients that travel between ranks: none, fp16, bf16, powersgd
    int compressionRank = 2;          // of powersgd's matrices
    bool syncBatchNorm = false;       // batch normalisation in training mode takes its statistics over all ranks
    std::vector<std::string> hosts{}; // of `trainyardctl hosts`, which the program must be able to run on; empty: here
};

// What is done when a worker is lost, as in Ray Train.
struct FailureConfig {
    int maxFailures = 0;          // how often the ranks are started again, from the newest checkpoint; -1: always
    double heartbeatSeconds = 20; // a rank process that is silent for longer is taken for hung
};

// Which checkpoints are kept, as in Ray Train.
struct CheckpointConfig {
    int numToKeep = 0;              // the newest so many, the one before it and the best stay; 0: all
    std::string scoreAttribute{};   // the metric that says which is best; empty: none is
    std::string scoreOrder = "max"; // max, min
};

// Name, storage and policies of a run, as in Ray Train.
struct RunConfig {
    std::string name{};                  // as the window shows it; empty: a friendly one is made
    std::filesystem::path storagePath{}; // the run's files go into a folder of its own there; empty: the workspace
    std::filesystem::path workspace{};   // whose database records the run; empty: as for trainyardctl
    FailureConfig failure{};
    CheckpointConfig checkpoint{};
    bool verbose = true; // fit() shows the run's progress on stderr where that is a terminal
};

// What a TorchTrainer is made from.
struct TrainerOptions {
    Config loopConfig{};
    ScalingConfig scaling{};
    RunConfig run{};
    std::optional<Checkpoint> resumeFrom{}; // a checkpoint of another run, for getCheckpoint() to give at first
};

// Why a run did not end well.
struct RunError {
    std::string kind;         // run (the training failed), input, environment, stopped (on request)
    std::string message;      // plain cause
    std::string where;        // "rank 1 on this computer, step 12"
    std::string remedy;       // may be empty
    std::string code{};       // one word for what exactly went wrong: out-of-memory, peer-lost, ..., general
    std::string text() const; // all of it on one line
};

// What came of a run, as in Ray Train.
struct Result {
    struct Row {                       // one report()
        std::int64_t step = 0;         // optimizer steps done by then
        double epoch = 0, seconds = 0; // seconds of training, over restarts
        Metrics metrics;
    };
    struct Scored {
        Checkpoint checkpoint;
        Metrics metrics; // the last values when it was reported
    };
    Metrics metrics;                      // the last value of each
    std::optional<Checkpoint> checkpoint; // the newest
    std::vector<Scored> bestCheckpoints;  // those kept, best first where there is a score, else newest first
    std::filesystem::path path;           // the run's folder: logs, checkpoints, run file
    std::string runId;                    // as trainyardctl and the window know it
    std::optional<RunError> error;        // nothing when the run ended well
    std::vector<Row> metricsHistory;      // in order
    int restarts = 0;
};

using TrainFunction = std::function<void(const Config&)>;

// Runs `trainFunction` on every rank. fit() starts this very program again for each rank, with the same arguments,
// environment and folder: there main() runs up to the same call of fit(), which calls the function and ends the
// process. So main() comes to the same calls of fit() whenever it is run with the same arguments; what it does before
// them happens in every rank too (within 60 s), and what comes after them only here. A rank that passes a fit() before
// its own is given the recorded result of that. Where a rank stands it also finds in the environment variables of
// torchrun: RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, GROUP_RANK, MASTER_ADDR. What a rank prints goes into its
// log.
//
// An exception that leaves the function ends its rank with its message, rank and step. The window and trainyardctl show
// the run like any other. When this process ends during fit(), the run is stopped and can be resumed.
class TorchTrainer {
public:
    explicit TorchTrainer(TrainFunction trainFunction, TrainerOptions options = {});
    explicit TorchTrainer(std::function<void()> trainFunction, TrainerOptions options = {});

    // Blocks until the run is over. Never throws: what went wrong is in Result::error.
    [[nodiscard]] Result fit();

private:
    TrainFunction m_function;
    TrainerOptions m_options;
};

} // namespace trainyard::train
