// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the engine's own trainer: everything that a run file can ask for, from a program. What a program trains with
// its own loop is a TorchTrainer's (trainer.h).
#pragma once

#include "trainyard/trainer.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// What to train and how, in the words of a run file: model, dataset, loss, optimizer, schedule, precision,
// augmentation, workers, checkpoints and so on. `overrides` are "path=value" as after `trainyardctl run --set`:
// "optimizer.lr=0.05", "scaling.workers=4". Functions throw InputError that names the place: no JSON, an unknown field,
// a value of another type. Which values there may be is checked by Run::start().
class RunFile {
public:
    static RunFile read(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
    static RunFile parse(const std::string& json, const std::vector<std::string>& overrides = {});

    RunFile with(const std::vector<std::string>& overrides) const;
    std::string json() const; // the file with all its fields

private:
    explicit RunFile(std::string json) : m_json(std::move(json)) {}

    std::string m_json;
};

// A run as `trainyardctl run` starts it and the window shows it. It belongs to its supervisor, not to this program: it
// continues when this ends, and any program can open it by its id. Functions throw InputError when a request cannot
// be (the remedy is in the message), std::runtime_error when the system fails. Use from one thread; movable.
class Run {
public:
    // Which checkpoint: "best" (the newest where no score says), "last", or a step, "1200".
    static constexpr const char* kBest = "";

    // Checks every value, also against the worker's models, datasets and their parameters (InputError names all
    // wrong fields, with remedies), and returns when the run's supervisor is started, some ms. `workspace`: whose
    // database records the run; empty: as for trainyardctl.
    static Run start(const RunFile& file, const std::filesystem::path& workspace = {});
    // By id, unique prefix of it, or name (the newest of that name).
    static Run open(const std::string& idOrName, const std::filesystem::path& workspace = {});
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;
    ~Run(); // the run continues

    const std::string& id() const;
    // As the workspace records it, some tenths of a second late: queued, starting, running, paused, finished, stopped,
    // failed, interrupted, …
    std::string status() const;
    RunFile file() const;  // with every default filled in
    Result result() const; // what is recorded up to now

    // Blocks until the run is over, or the time is. True once it is over.
    bool waitFor(std::chrono::milliseconds time);
    Result wait();

    // While the run trains: they return when every rank has done it, with the optimizer step after which.
    std::int64_t pause();
    std::int64_t unpause();
    std::int64_t saveCheckpoint();
    std::int64_t setLearningRate(double rate); // a schedule continues from it in proportion
    std::int64_t setWorkers(int workers);      // within the run file's scaling.elastic; no step is lost

    // Ask the supervisor, and return when it has the request; wait() for what comes of it.
    void stop();    // after a checkpoint
    void stopNow(); // without
    void kill();    // the processes themselves where no supervisor answers

    // A new supervisor for a run that was stopped, interrupted or failed, from its last good checkpoint; with
    // `moreEpochs` also for one that is finished.
    void resume(std::int64_t moreEpochs = 0);
    // A new run with the same settings but for the overrides, from one of this run's checkpoints. From the checkpoint
    // at the end of the planned length it trains for as long again, unless the overrides say how long.
    Run fork(const std::string& checkpoint = kBest, const std::vector<std::string>& overrides = {}) const;

    std::filesystem::path checkpointFile(const std::string& checkpoint = kBest) const;
    // Writes the model of a checkpoint alone: "safetensors", "state-dict" (for Python's torch.load) or "torchscript".
    // The averaged weights where the run kept an average.
    void exportModel(const std::filesystem::path& out, const std::string& format = "safetensors",
                     const std::string& checkpoint = kBest, bool overwrite = false) const;

private:
    struct Content;
    explicit Run(std::unique_ptr<Content> content);

    std::unique_ptr<Content> m_content;
};

// Which learning rate to begin with: trains a copy of the run, with all its workers, while the rate grows from step to
// step. Nothing is kept. Blocks.
struct LearningRates {
    std::optional<double> suggested; // for optimizer.lr: where the loss falls fastest; nothing: it does not fall
    double lowestLossAt = 0;
    bool diverged = false; // above some learning rate the loss blew up
    std::vector<double> rates, losses;
};
LearningRates findLearningRate(const RunFile& file, double from = 1e-6, double to = 1, std::int64_t steps = 100);

} // namespace trainyard::train
