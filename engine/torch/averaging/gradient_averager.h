// SPDX-License-Identifier: GPL-3.0-or-later
// What comes after a backward pass: the gradients of all ranks become their mean, and the mean becomes an update of the
// weights. Both are one call, finishStep(), so that an implementation may do them in one pass over memory.
//
// Synchronous data-parallel SGD with the semantics of torch.nn.parallel.DistributedDataParallel: gradients are averaged
// over the ranks, in buckets that are all-reduced while backward continues (Li et al., PyTorch Distributed: Experiences
// on Accelerating Data Parallel Training, 2020, arXiv:2006.15704).
#pragma once

#include "engine/torch/averaging/compressed_sum.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/optim/optimizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

struct StepOptions {
    double lr = 0;
    double gradientScale = 1;   // gradients are multiplied by it before all else: one over the scale of the loss
    double clipNorm = 0;        // the norm over all parameters is brought down to this; 0: as it is
    double clipValue = 0;       // then every element is brought into [-clipValue, clipValue]; 0: as it is
    bool wantNorm = false;      // report the norm, though nothing else needs it
    bool skipNonFinite = false; // leave the weights as they are when a gradient is NaN or infinite
};

// What one step of averaging and updating took and found.
struct StepReport {
    std::optional<double> gradNorm; // of the averaged gradients before clipping; there when anything needed it
    torch::Tensor gradNormLater;    // in its place, float64 [] on the device, where nothing but wantNorm needed it
    bool skipped = false;           // the weights are as before
    double waitSeconds = 0;         // for the other ranks and the network
    double updateSeconds = 0;       // norm, clipping, optimizer
};

// One optimizer step is: for each micro-batch prepareForward(sync), forward, prepareBackward(), backward; then
// finishStep(). `sync` is true for the last micro-batch only; those before it just add up. Gradients are zero at the
// first micro-batch without the caller's doing. A parameter that no rank used has a gradient of zero. What finishStep()
// does and reports is the same on every rank. Functions throw what the group throws, or PeerLost; all are called by the
// training thread, in the same order on every rank.
class GradientAverager {
public:
    virtual ~GradientAverager() = default;
    virtual void prepareForward(bool sync) = 0;
    virtual void prepareBackward() = 0;
    // Averages, clips and lets the optimizer update the weights. After it the gradients are no longer of use.
    virtual StepReport finishStep(const StepOptions& options) = 0;
    // Between two steps: the current values of weights and slots stay in memory until the next pin(), while training
    // continues. Readers of the previous pin must be done by now. Every rank calls it after the same step; nothing is
    // exchanged.
    virtual void pin() {}
    // The pinned values of a weight or a slot, without a copy; they outlive the averager. Undefined where it pins
    // nothing: then they have to be copied.
    virtual torch::Tensor pinned(const torch::Tensor&) const { return {}; }
    // Between two steps: what the averager itself carries over from one to the next, on the CPU and by name, on the
    // ranks that have it, and rank 0 is one where there is any. Every rank calls it after the same step, and it is
    // collective. An averager made with it as CompressionOptions::carried goes on with the same bits as this one.
    virtual optim::NamedTensors shareCarried() { return {}; }
    // After any of the above has thrown because a peer was lost: brings weights and optimizer to the newest step that
    // is whole and returns its number: AveragerOptions::step and one for each finishStep() since, skipped ones too.
    // Survivors may return numbers that differ by one; the state of the highest is the one to go on from: its weights,
    // Optimizer::slotTensors() and steps(). May be called again. The averager is then destroyed, which leaves weights
    // and optimizer in memory of this process alone, and another is made with the new group, of any size.
    virtual std::int64_t settle() = 0;
};

// What an averager is made with.
struct AveragerOptions {
    std::string kind = "auto";           // auto, reducer, buckets, shared: scaling.averaging
    std::int64_t bucketBytes = 25 << 20; // a bucket that has so much takes no more
    std::int64_t step = 0;               // optimizer steps done before
    CompressionOptions compression{};    // of gradients that travel over a network
    const AbortFlag* abort = nullptr;    // ends waits in shared memory with PeerLost; must outlive the averager
    bool gradientsOnly = false;          // shared only: each rank has weights of its own, which others update
    bool pins = false;                   // pin() will be called before the last step: room for a third copy is made
    double waitSeconds = 300;            // after which a rank that has not come is given up
};

// An averager, and the words that describe it.
struct MadeAverager {
    std::unique_ptr<GradientAverager> averager;
    std::string description; // "2 ranks, 1 bucket, averaged during backward"
};

// `auto` is shared memory where several ranks are on one host and train float32 weights on the CPU, else buckets; a
// world of one averages nothing. Collective: all ranks hold the same weights and state by now. Input: `kind` cannot do
// this. `progress` hears what is awaited; it, the optimizer and its parameters must outlive the
// averager.
Result<MadeAverager> makeAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                  const AveragerOptions& options, Progress& progress);

// ---- shared by the implementations ---------------------------------------------------------------------------------

std::vector<torch::Tensor> tensorsOf(const optim::NamedTensors& parameters);

// The first all-reduce starts as early as c10d's does (kDefaultFirstBucketBytes).
inline constexpr std::int64_t kFirstBucketBytes = 1 << 20;

// Which parameters share a bucket: in reverse order of registration, which is about the order in which backward
// yields gradients; one dtype and device each. All averagers use the same plan, so their sums round alike. It is the
// plan of Python's DistributedDataParallel once that has seen the order of the gradients in its first backward pass;
// here it holds from the first step on, so that a resumed run continues with the same bits.
std::vector<std::vector<std::size_t>> planBuckets(const std::vector<torch::Tensor>& parameters,
                                                  std::int64_t bucketBytes);

// A world of one: nothing to average.
std::unique_ptr<GradientAverager> makeSingleAverager(optim::Optimizer& optimizer, const AveragerOptions& options,
                                                     Progress& progress);
// Flat buckets of its own, all-reduced by the process group (arXiv:2006.15704).
Result<std::unique_ptr<GradientAverager>> makeBucketAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                             const AveragerOptions& options, Progress& progress);
// LibTorch's c10d::Reducer, which Python's DistributedDataParallel uses (arXiv:2006.15704).
std::unique_ptr<GradientAverager> makeReducerAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                      const AveragerOptions& options, Progress& progress);

} // namespace trainyard::train
