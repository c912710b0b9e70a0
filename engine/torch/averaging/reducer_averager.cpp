// SPDX-License-Identifier: GPL-3.0-or-later
// c10d::Reducer, the machine inside Python's DistributedDataParallel: the reference for the engine's own buckets.
#include "engine/torch/averaging/gradient_hooks.h"
#include "engine/torch/averaging/plain_averager.h"
#include "engine/torch/base/torch_pch.h" // c10d/logger.hpp has no include guard in 1.13: it comes in by this one way

#include <torch/csrc/autograd/engine.h>

#include <algorithm>
#include <utility>

namespace trainyard::train {
namespace {

class OpenReducer final : public c10d::Reducer {
public:
    using c10d::Reducer::Reducer;
    // The buckets keep the plan that the engine's own have; else it would note every gradient down for another one.
    void keepPlan() { has_rebuilt_bucket_ = true; }
    // As if backward had come to the parameter. Inside a backward pass.
    void countAsReady(std::size_t parameter) { autograd_hook(parameter); }
};

class ReducerAverager final : public PlainAverager {
public:
    ReducerAverager(const ProcessGroup& group, optim::Optimizer& optimizer, const AveragerOptions& options,
                    Progress& progress)
        : PlainAverager(optimizer, options.step, progress), m_parameters(tensorsOf(optimizer.parameters())),
          m_ready(m_parameters.size(), false),
          m_hooks(m_parameters, [this](std::size_t index) { gradientReady(index); }) {
        std::unordered_map<std::size_t, std::string> names;
        for (const auto& [name, tensor] : optimizer.parameters()) names.emplace(names.size(), name);
        compat::ReducerLayout layout;
        layout.buckets = planBuckets(m_parameters, options.bucketBytes);
        layout.limits.assign(layout.buckets.size(), static_cast<std::size_t>(options.bucketBytes));
        layout.bucketBytes = options.bucketBytes;
        layout.firstBucketBytes = std::min(kFirstBucketBytes, options.bucketBytes);
        m_reducer = compat::makeReducer<OpenReducer>(m_parameters, layout, group.c10d(), names);
        m_reducer->keepPlan();
        m_logger = std::make_shared<c10d::Logger>(m_reducer);
        m_reducer->set_logger(m_logger);
    }

    void prepareForward(bool sync) override {
        if (m_fresh) // what autograd yields anew goes into the buckets times one over the number of ranks
            for (auto& parameter : m_parameters) parameter.mutable_grad().reset();
        m_sync = sync;
        m_fresh = sync;
        if (sync) m_reducer->prepare_for_forward();
    }

    void prepareBackward() override {
        m_begun = false;
        if (!m_sync) return; // not told of this backward, the reducer lets its gradients add up
        m_ready.assign(m_ready.size(), false);
        m_reducer->prepare_for_backward({});
    }

protected:
    void finish() override {} // at the end of backward the reducer has waited for its buckets

private:
    // The reducer waits for every parameter. Python's DistributedDataParallel, where it is told to, finds those that
    // take no part by following the graph from the model's outputs. Here the pass itself shows them: who has not come
    // by its end does not come.
    void gradientReady(std::size_t index) {
        if (!m_sync) return;
        m_ready[index] = true;
        if (std::exchange(m_begun, true)) return;
        torch::autograd::Engine::get_default_engine().queue_callback([this, alive = std::weak_ptr(m_alive)] {
            if (!alive.expired()) endPass();
        });
    }
    void endPass() {
        const torch::NoGradGuard noGrad;
        m_progress.setCollective(
            Engine::tr("all-reduce of the buckets")); // until here a rank computes, and now it waits for the others
        for (std::size_t i = 0; i < m_ready.size(); ++i)
            if (!m_ready[i]) m_reducer->countAsReady(i); // with the last one it begins to wait for its buckets
    }

    std::vector<torch::Tensor> m_parameters;
    std::vector<bool> m_ready; // in this pass
    std::shared_ptr<OpenReducer> m_reducer;
    std::shared_ptr<c10d::Logger> m_logger;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    bool m_sync = true, m_fresh = true, m_begun = false;
    GradientHooks m_hooks;
};

} // namespace

std::unique_ptr<GradientAverager> makeReducerAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                      const AveragerOptions& options, Progress& progress) {
    return std::make_unique<ReducerAverager>(group, optimizer, options, progress);
}

} // namespace trainyard::train
