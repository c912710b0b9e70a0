// SPDX-License-Identifier: GPL-3.0-or-later
// c10d::Reducer, the machine inside Python's DistributedDataParallel: the reference for the engine's own buckets.
#include "engine/torch/averaging/gradient_hooks.h"
#include "engine/torch/averaging/plain_averager.h"

#include <torch/csrc/autograd/engine.h>

#include <algorithm>

#include "engine/torch/torch_pch.h" // c10d/logger.hpp has no include guard in 1.13: it comes in by this one way

namespace trainyard::train {
namespace {

class ReducerAverager : public PlainAverager {
public:
    ReducerAverager(const ProcessGroup& group, optim::Optimizer& optimizer, const AveragerOptions& options,
                    Progress& progress)
        : PlainAverager(optimizer, options.step, progress), m_findUnused(options.findUnused) {
        std::unordered_map<std::size_t, std::string> names;
        for (const auto& [name, tensor] : optimizer.parameters()) {
            names[m_parameters.size()] = name;
            m_parameters.push_back(tensor);
        }
        compat::ReducerLayout layout;
        layout.buckets = planBuckets(m_parameters, options.bucketBytes);
        layout.limits.assign(layout.buckets.size(), static_cast<std::size_t>(options.bucketBytes));
        layout.bucketBytes = options.bucketBytes;
        layout.firstBucketBytes = std::min(kFirstBucketBytes, options.bucketBytes);
        layout.findUnused = m_findUnused;
        m_hooks.emplace(m_parameters, [this](std::size_t) { nameTheWait(); }); // in front of the reducer's own
        m_reducer = compat::makeReducer(m_parameters, layout, group.c10d(), names);
        m_logger = std::make_shared<c10d::Logger>(m_reducer);
        m_reducer->set_logger(m_logger);
    }

    // The buckets are not rebuilt after the first step: they keep the plan that the engine's own buckets have.
    void prepareForward(bool sync) override {
        if (m_fresh) // what autograd yields anew goes into the buckets times one over the number of ranks
            for (auto& parameter : m_parameters) parameter.mutable_grad().reset();
        m_sync = sync;
        m_fresh = sync;
        if (sync) m_reducer->prepare_for_forward();
    }

    void prepareBackward(const std::vector<torch::Tensor>& outputs) override {
        if (!m_sync) return; // not told of this backward, the reducer lets its gradients add up
        m_named = false;
        m_reducer->prepare_for_backward(m_findUnused ? outputs : std::vector<torch::Tensor>{});
    }

protected:
    void finish() override { // the reducer has waited for its buckets at the end of backward
        for (auto& parameter : m_parameters)
            if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    }

private:
    // The reducer waits for its buckets in a callback at the end of backward. This one is queued first and so runs
    // before it: until then a rank computes, and from then on it waits for the others.
    void nameTheWait() {
        if (!m_sync || m_named) return;
        m_named = true;
        torch::autograd::Engine::get_default_engine().queue_callback(
            [this] { m_progress.setDoing("all-reduce of the buckets"); });
    }

    std::vector<torch::Tensor> m_parameters;
    std::optional<GradientHooks> m_hooks;
    std::shared_ptr<c10d::Reducer> m_reducer;
    std::shared_ptr<c10d::Logger> m_logger;
    bool m_findUnused = false, m_sync = true, m_fresh = true;
    bool m_named = true; // what this backward will wait for
};

} // namespace

std::unique_ptr<GradientAverager> makeReducerAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                      const AveragerOptions& options, Progress& progress) {
    return std::make_unique<ReducerAverager>(group, optimizer, options, progress);
}

} // namespace trainyard::train
