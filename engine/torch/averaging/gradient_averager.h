// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the gradients of all ranks one: after finish() each parameter's gradient is the mean over the ranks of what
// the ranks computed, the same bits on every rank.
#pragma once

#include "engine/torch/optim/optimizer.h"
#include "engine/torch/process_group.h"
#include "engine/torch/rank_progress.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard::train {

// One optimizer step is: for each micro-batch prepareForward(sync), forward, prepareBackward({loss}), backward; then
// finish(). `sync` is true for the last micro-batch only; those before it just add up. Gradients are zero at the first
// micro-batch without the caller's doing. A parameter that no rank used has a gradient of zero. Functions throw what
// the group throws; all are called by the training thread, in the same order on every rank.
class GradientAverager {
public:
    virtual ~GradientAverager() = default;
    virtual void prepareForward(bool sync) = 0;
    virtual void prepareBackward(const std::vector<torch::Tensor>& outputs) = 0;
    // Waits until every gradient is averaged.
    virtual void finish() = 0;
};

struct AveragerOptions {
    std::string kind = "auto";            // auto, reducer, buckets: scaling.averaging
    std::int64_t bucketBytes = 25 << 20;  // a bucket is closed before it grows beyond this
    bool findUnused = false;              // reducer only: parameters may take no part in the loss
};

struct MadeAverager {
    std::unique_ptr<GradientAverager> averager;
    std::string description; // "2 ranks, 1 bucket, all-reduce by Gloo during backward"
};

// `auto` is buckets, which is never slower than the reducer; a world of one averages nothing. `progress` is told
// which bucket is waited for; it and the parameters must outlive the averager.
MadeAverager makeAverager(const ProcessGroup& group, const optim::NamedTensors& parameters,
                          const AveragerOptions& options, Progress& progress);

// ---- shared by the implementations ---------------------------------------------------------------------------------

// Which parameters share a bucket: in reverse order of registration, which is about the order in which backward
// yields gradients; one dtype and device each. Both averagers use the same plan, so their sums round alike.
std::vector<std::vector<std::size_t>> planBuckets(const std::vector<torch::Tensor>& parameters,
                                                  std::int64_t bucketBytes);

std::unique_ptr<GradientAverager> makeSingleAverager(const optim::NamedTensors& parameters);
std::unique_ptr<GradientAverager> makeBucketAverager(const ProcessGroup& group, const optim::NamedTensors& parameters,
                                                     const AveragerOptions& options, Progress& progress);
std::unique_ptr<GradientAverager> makeReducerAverager(const ProcessGroup& group, const optim::NamedTensors& parameters,
                                                      const AveragerOptions& options, Progress& progress);

} // namespace trainyard::train
