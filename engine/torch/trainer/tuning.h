// SPDX-License-Identifier: GPL-3.0-or-later
// How a step is computed: memory layout of images, precision, kernels of linear layers. What the run file leaves to
// "auto" is decided by rank 0 with a short timing of real steps, and taken over by all ranks.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/kernels/products.h"
#include "engine/torch/models/model.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace trainyard::train {

struct Tuned {
    std::string layout = "contiguous"; // or channels_last
    std::string precision = "fp32";    // the run file's word, never auto
    kernels::KernelMode kernels = kernels::KernelMode::Stock;
    kernels::KernelChoices choices;
    std::map<std::string, double> seconds; // what was timed: "channels_last fp32" -> seconds of a trial step
    double tookSeconds = 0;                // for all of it; 0: nothing was timed, or it is known from before

    std::string text() const;                                      // one line of JSON, for other ranks and the cache
    static std::optional<Tuned> fromText(const std::string& text); // none when it is not one
    // Among the numbers of a checkpoint ("tuning.…"), so that a continued run computes in the same way.
    void save(std::map<std::string, double>& state) const;
    static std::optional<Tuned> restored(const std::map<std::string, double>& state); // none when there are none
    // For people: "channels_last (1.31 x contiguous), oneDNN for 6 of 8 products, kernels 3f2a91c4", which is another
    // number for another choice; empty when all is LibTorch's own.
    std::string words() const;
};

// What the tuner times.
struct TuningTask {
    const spec::RunSpec& spec;
    models::Model& model; // in training mode, on its device; left as it was
    torch::Device device;
    int threads = 1;
    std::int64_t samples = 1; // of a rank's batch
    // The loss of a forward pass over the first samples of a batch, in a precision.
    std::function<torch::Tensor(std::int64_t samples, const std::string& precision)> loss;
};

// Decides for this computer. Remembered for each kind of model, batch, thread count and version in the user's cache
// folder, so that only the first start of its kind pays for the timing (some ms; for large networks up to about a
// second), and so that the same run on the same computer is computed in the same way again. No timing, and LibTorch's
// own way, when the run is to be deterministic. Throws what the model throws.
Tuned tune(const TuningTask& task);

// Whether there is something to time; else all is as the run file states it, and LibTorch's own.
bool hasOpenChoice(const TuningTask& task);
// Names the kind of step that one choice is for, on whichever computer: model, batch, threads, versions, but no CPU.
std::string choiceKey(const TuningTask& task);

// What tune() has decided on an earlier occasion and remembers; none when it would have to time.
std::optional<Tuned> knownTuning(const TuningTask& task);

// `tuned` with what the run file states outright put over it.
Tuned withStated(Tuned tuned, const spec::RunSpec& spec);

// Makes it so for this process and model: lays the parameters out, in place, and sets the kernels. Twice is as once.
void applyTuning(const Tuned& tuned, models::Model& model);

} // namespace trainyard::train
