// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of a run whose training loop is a program's own: the counterpart of rank.cpp.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/api/model_sync.h"
#include "engine/torch/averaging/sync_batch_norm.h"
#include "engine/torch/base/device.h"
#include "engine/torch/worker/pool/rank_life.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace trainyard::train {

inline constexpr auto kCollectiveLimit = std::chrono::minutes(30); // a rank may well validate alone for a while

// How fast a program's loop is, for the window: computed twice a second, as heartbeats report it no more often.
class LoopRates {
public:
    void begin();                                                              // the loop begins now
    void countBatch(std::int64_t samples, double seconds, Progress& progress); // read in that time
    void countStep(double waitedSeconds, Progress& progress);                  // for the other ranks

private:
    std::int64_t m_samples = 0;
    double m_from = 0, m_dataSeconds = 0, m_waitSeconds = 0; // since they were last computed, as m_samples
};

// Used by the thread that runs the program's function; only the channel has threads.
class RankSession {
public:
    using Body = std::function<void(RankSession&)>;

    // The rank's whole life: greets the supervisor, meets the other ranks, runs the body and ends the process. Exit
    // codes are those of the terminal contract.
    [[noreturn]] static void serve(const Body& body);
    // Of this process; null while no body runs.
    static RankSession* current();

    const wire::Start& start() const { return m_start; }
    const spec::RunSpec& spec() const { return m_spec; }
    const DeviceChoice& device() const { return m_device; }
    const ProcessGroup& group() const { return *m_group; }
    Progress& progress() { return m_channel.progress(); }
    std::optional<wire::StopMode> stopRequested() const { return m_channel.stopRequested(); }

    // Collective: see prepareModule().
    Result<void> prepare(const std::shared_ptr<torch::nn::Module>& module, const std::string& averaging, bool compare);
    // Rank 0's to the supervisor; false on every rank when a stop is asked for, after keeping what was given. Input:
    // the folder cannot be kept. `folder` may be empty.
    Result<bool> report(const std::map<std::string, double>& metrics, const std::filesystem::path& folder);
    void countBatch(std::int64_t samples, double seconds) { m_rates.countBatch(samples, seconds, progress()); }
    void setNoSync(bool on) { m_noSync += on ? 1 : -1; }
    bool noSync() const { return m_noSync > 0; }
    void setStep(std::int64_t step) { progress().step = m_lastReported = step; }

    // Of ModelSync: an optimizer step's gradients are averaged, which took so long.
    void endBackward(double waited);
    bool mustStopNow() const { return stopRequested() == wire::StopMode::StopNow; }

private:
    RankSession();
    Result<wire::Finished> train(const Body& body);
    Result<void> joinGroup();
    Result<void> begin();
    wire::Finished finished(bool stopped);
    void enter(wire::Phase phase, const std::string& detail = {});
    void keep(const std::filesystem::path& folder, std::int64_t step, Result<void>& outcome);
    double trainSeconds() const;

    RankLife m_life;
    RankChannel& m_channel = m_life.channel();
    const wire::Start& m_start = m_life.start();
    spec::RunSpec m_spec;
    DeviceChoice m_device;
    std::optional<ProcessGroup> m_group;
    std::vector<std::unique_ptr<ModelSync>> m_models;
    std::unique_ptr<SyncBatchNorm> m_syncBatchNorm;  // from the first model on, where the run wants it
    std::map<std::string, double> m_last;            // last value of each metric
    std::map<std::string, std::int64_t> m_lastSteps; // and its step
    wire::Phase m_phase = wire::Phase::Start;
    std::int64_t m_lastReported = 0, m_reports = 0;
    int m_noSync = 0;
    double m_begun = 0; // monotonicSeconds() of the function's start
    LoopRates m_rates;
};

} // namespace trainyard::train
