// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/trainer/metrics/trainer_report.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace trainyard::train {

// Whether there are others than that of the last step. They are written from a copy of weights and optimizer state,
// which then stays.
inline bool savesOnTheWay(const spec::CheckpointPolicy& policy) {
    return policy.everySteps > 0 || policy.everyEpochs > 0;
}

// Writes checkpoints on a thread of its own, one at a time, while training continues. A checkpoint that cannot be
// written (disk full) is reported as skipped, and training continues. Used by one thread.
class CheckpointWriter {
public:
    CheckpointWriter(std::filesystem::path folder, RunReport& report);
    ~CheckpointWriter(); // waits for the one being written

    // Writes a state that must not change before settle() or wait() has returned; calls settle() first. `epoch` is
    // fractional. `inBackground`: the result is not needed soon, so it goes through an IdleGate, which takes seconds
    // for a large model when all cores are busy, but less than it was from the checkpoint before to this one.
    void write(TrainState state, double epoch, bool inBackground, Outlives outlives);
    // What is being written is needed soon after all.
    void hurry();
    // Waits until nothing is being written, and lets it hurry.
    void settle();
    // The same. Run error when a state held weights that are not finite.
    Result<void> wait();

    const IdleGate* gate() const { return m_gate.get(); } // null: none was written in the background

    // "step-00000120.safetensors"
    static std::string fileName(std::int64_t step);

private:
    void writeNow(const TrainState& state, double epoch, Outlives outlives);

    const std::filesystem::path m_folder;
    RunReport& m_report;
    std::unique_ptr<IdleGate> m_gate; // from the first one in the background on
    std::thread m_thread;
    double m_begun = 0; // when the last one was; monotonicSeconds()
    // Written by the thread, read after it has ended.
    std::optional<Error> m_error;
    std::size_t m_bytes = 0; // of the last one
};

// The checkpoints of a run as one of its ranks knows them: rank 0 writes, and the others may come to be rank 0.
class Checkpoints {
public:
    // From now on this rank writes them. `folder` may be empty: none are written.
    void writeTo(const std::filesystem::path& folder, RunReport& report);
    CheckpointWriter* writer() const { return m_writer.get(); } // null: this rank writes none
    std::int64_t savedStep() const { return m_savedStep; }      // -1: none, or not known
    void noteSaved(std::int64_t step) { m_savedStep = step; }
    // For one that an averager does not pin: in memory that the checkpoint before had, since fresh memory costs more
    // than the copy. Valid until the next one of that name.
    torch::Tensor copy(const std::string& name, const torch::Tensor& live);

private:
    std::unique_ptr<CheckpointWriter> m_writer;
    std::int64_t m_savedStep = -1;
    std::map<std::string, torch::Tensor> m_copies;
};

} // namespace trainyard::train
