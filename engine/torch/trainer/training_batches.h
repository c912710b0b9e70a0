// SPDX-License-Identifier: GPL-3.0-or-later
// The batches of a rank's steps, in memory or decoded ahead.
#pragma once

#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/trainer/learner/step_plan.h"
#include "engine/torch/trainer/training_data.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// How this rank reads samples that are not in memory. `mostThreads`: of its own choice.
data::LoaderOptions loaderOptions(const spec::RunSpec& spec, const torch::Device& device, bool training);

class TrainingBatches {
public:
    // What the rank's samples are dealt by from now on; `data`, `spec` and `plan` outlive this.
    void deal(const data::ShardedSampler& sampler, const TrainingData& data, const spec::RunSpec& spec,
              const StepPlan& plan);

    // This rank's samples of the step at `place`: int64 on the CPU.
    torch::Tensor indices(const Place& place);
    // Those of them that pass `pass` of `passes` takes, as a batch. Streamed ones are decoded ahead; `waiting` is told
    // how long they are waited for. Errors as BatchLoader::take() has them.
    Result<data::Batch> take(const Place& place, std::int64_t pass, const std::function<void(double)>& waiting);
    // The samples are others from now on: deal() follows.
    void forgetLoader() { m_loader.reset(); }
    // Files that were replaced by others since the last call; those found elsewhere among them.
    std::vector<data::UnreadableFile> takeUnreadable();
    void keepUnreadable(std::vector<data::UnreadableFile> files);

private:
    struct Turn { // of the loader
        std::int64_t epoch = 0, batch = 0, pass = 0;
        bool operator==(const Turn&) const = default;
    };
    struct Coming {
        Turn turn;
        data::BatchRequest request;
    };
    struct Dealt { // a batch's samples, of all passes
        std::int64_t epoch = 0, batch = 0;
        torch::Tensor indices;
    };
    data::ShardedSampler& samplerOf(std::int64_t epoch);
    // The request `ahead` turns after the one that comes next, which is at `now`.
    data::BatchRequest& coming(const Turn& now, std::size_t ahead);
    void bringTextNear(const Turn& now);
    torch::Tensor indicesOf(const Turn& turn); // of all its passes
    data::BatchRequest requestFor(const Turn& turn);
    Turn after(Turn turn);

    const TrainingData* m_data = nullptr;
    const spec::RunSpec* m_spec = nullptr;
    const StepPlan* m_plan = nullptr;
    std::optional<data::ShardedSampler> m_now, m_next; // of an epoch, and of the one after it
    std::deque<Coming> m_coming;                       // those worked out already, in their order
    std::deque<Dealt> m_dealt;
    Turn m_soon{-1, -1, 0};                      // whose neighbours were asked for last
    std::unique_ptr<data::BatchLoader> m_loader; // of streamed samples
    std::vector<data::UnreadableFile> m_unreadable;
};

} // namespace trainyard::train
