// SPDX-License-Identifier: GPL-3.0-or-later
// What a training function asks for and tells. Outside of a run everything works as in a world of one rank: report()
// does nothing, and prepareModel() leaves the model as it is.
#pragma once

#include "trainyard/checkpoint.h"
#include "trainyard/config.h"

#include <torch/torch.h>

#include <optional>
#include <string>

namespace trainyard::train {

// The place of this process in its run.
class Context {
public:
    int worldRank() const; // 0..worldSize-1; rank 0's metrics and checkpoints are the run's
    int worldSize() const;
    int localRank() const; // among the ranks of this host
    int localWorldSize() const;
    int nodeRank() const;               // number of the host
    int restartCount() const;           // how often the ranks were started again
    std::string experimentName() const; // the run's name
    std::string runId() const;          // its id in the workspace; empty outside of a run
    torch::Device device() const;       // where prepareModel() and the loaders put things
    bool stopRequested() const;         // a stop was requested; the next report() will throw StopRequested
};
Context context();

// Thrown by report() when the run was asked to stop (trainyardctl stop, the window, SIGTERM), after the metrics and the
// checkpoint handed to it are kept. Let it pass: the run then ends as "stopped" and can be resumed.
class StopRequested : public std::exception {
public:
    const char* what() const noexcept override { return "the run was asked to stop"; }
};

// Tells the run how it goes; rank 0's values become its curves and its result, as in Ray Train, at the number of
// optimizer steps done: report(meanOverRanks(metrics)) for those of all ranks. Never waits for the other ranks. The
// checkpoint, if there is one, is rank 0's and is on disk when this returns: the folder may go. A disk that is full
// costs the checkpoint (the run says so), not the run. A key "epoch" is also the points' epoch.
void report(const Metrics& metrics);
void report(const Metrics& metrics, const Checkpoint& checkpoint);

// The newest checkpoint of the run, to continue from, when the ranks were started again or the run was resumed; nothing
// when it begins. The same one on every rank.
std::optional<Checkpoint> getCheckpoint();

// How prepareModel() averages gradients.
struct PrepareOptions {
    std::string averaging;    // how gradients are averaged, as scaling.averaging of a run file; empty: as the run says
    bool compareAtEnd = true; // the ranks' parameters must be equal when the training function returns
};

// The same as prepareModel() for a module that is not held by a holder or a shared pointer to its own type.
void prepareModule(const std::shared_ptr<torch::nn::Module>& module, const PrepareOptions& options = {});

// Makes the model the run's: moves it to the device, gives every rank rank 0's parameters and buffers, and from then on
// whenever backward() returns, the gradients of its parameters are their means over the ranks, the same bits on every
// rank. Any optimizer works as it would alone: zero_grad(), backward(), step(). The contract:
//  - every rank calls backward() through the model equally often; a rank that does not makes the others wait;
//  - forward passes do not count: several may go into one backward pass, and those of a validation into none;
//  - a parameter that took no part in a backward pass has a gradient of zeros after it; ranks may use different ones;
//  - averages are the rank's own, to clip or scale; the next backward pass overwrites them: clone what you keep;
//  - several backward passes without zero_grad() add up, as they do alone (see NoSync for adding up without averaging);
//  - parameters and their requires_grad are settled before, and the optimizer is made after prepareModel();
//  - buffers (the statistics of batch norms) stay each rank's own: see syncBuffers().
// Collective. Throws InputError when the ranks' models differ in names, shapes or types.
template <class Model>
Model prepareModel(Model model, const PrepareOptions& options = {}) {
    if constexpr (requires { model.ptr(); }) prepareModule(model.ptr(), options);
    else if constexpr (requires { model.module(); }) prepareModule(model.module(), options);
    else prepareModule(model, options);
    return model;
}

// While one lives, backward passes only add up gradients on their rank: the next one without it averages the sum. Until
// then the gradients are not to be seen in the parameters. All but the last micro-batch of a step.
class NoSync {
public:
    NoSync();
    ~NoSync();
    NoSync(const NoSync&) = delete;
    NoSync& operator=(const NoSync&) = delete;
};

// Gives every rank rank 0's buffers, before a validation that all ranks share. Collective.
void syncBuffers(const torch::nn::Module& module);

// The sum over the ranks of a number that each has, for example of right answers. Collective.
double sumOverRanks(double value);

// The mean over the ranks of each metric, the same on every rank, for report(). A rank that has trained or validated on
// more samples counts no more than another: for an exact share of right answers, divide two sums. Collective. Throws
// InputError when the ranks have other metrics (names one that is missing, and where).
Metrics meanOverRanks(const Metrics& metrics);

} // namespace trainyard::train
