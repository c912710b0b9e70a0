// SPDX-License-Identifier: GPL-3.0-or-later
// Flat buckets: the gradients of a bucket's parameters are views of one buffer, and the buffer's all-reduce starts
// inside backward, as soon as the last of them is ready.
#include "engine/torch/averaging/plain_averager.h"

#include <functional>

namespace trainyard::train {
namespace {

// Runs after autograd has put a parameter's gradient in place. Own class: the one of LibTorch moved between versions.
class AfterGradient : public torch::autograd::FunctionPostHook {
public:
    explicit AfterGradient(std::function<void()> run) : m_run(std::move(run)) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                              const torch::autograd::variable_list&) override {
        m_run();
        return outputs;
    }

private:
    std::function<void()> m_run;
};

// The part of a flat buffer that holds one parameter's gradient, with the parameter's own strides: autograd and the
// optimizer then never copy between layouts.
torch::Tensor viewFor(const torch::Tensor& flat, const torch::Tensor& parameter, std::int64_t offset) {
    if (parameter.is_non_overlapping_and_dense())
        return flat.as_strided(parameter.sizes(), parameter.strides(), offset);
    return flat.narrow(0, offset, parameter.numel()).view(parameter.sizes());
}

class BucketAverager : public PlainAverager {
public:
    BucketAverager(const ProcessGroup& group, optim::Optimizer& optimizer, const AveragerOptions& options,
                   Progress& progress)
        : PlainAverager(optimizer, options.step, progress), m_group(group) {
        const auto tensors = tensorsOf(optimizer.parameters());
        for (const auto& indices : planBuckets(tensors, options.bucketBytes)) addBucket(tensors, indices);
        for (std::size_t i = 0; i < m_slots.size(); ++i) hook(i);
    }

    // The accumulators are kept alive by the parameters' graph: their hooks must not reach a dead averager.
    ~BucketAverager() override { *m_alive = false; }

    void prepareForward(bool sync) override {
        if (m_fresh) {
            for (auto& slot : m_slots) {
                slot.parameter.mutable_grad().reset(); // so that autograd hands its own over, without adding
                slot.written = false;
            }
            for (auto& bucket : m_buckets) bucket.missing = bucket.slots.size();
            m_nextBucket = 0;
        }
        m_sync = sync;
        m_fresh = sync;
        for (auto& slot : m_slots) slot.ready = false;
    }

    void prepareBackward(const std::vector<torch::Tensor>&) override {}

protected:
    void finish() override {
        for (auto& slot : m_slots)
            if (!slot.written) slot.view.zero_(); // took no part in the loss
        for (; m_nextBucket < m_buckets.size(); ++m_nextBucket) launch(m_buckets[m_nextBucket]);
        for (std::size_t b = 0; b < m_buckets.size(); ++b) {
            m_progress.setDoing("all-reduce of bucket", static_cast<int>(b));
            m_buckets[b].work->wait();
            m_buckets[b].work.reset();
        }
        for (auto& slot : m_slots) slot.parameter.mutable_grad() = slot.view;
    }

private:
    struct Slot {
        torch::Tensor parameter, view;
        std::size_t bucket = 0;
        bool written = false; // in this optimizer step
        bool ready = false;   // in this backward
        std::shared_ptr<torch::autograd::Node> accumulator;
    };
    struct Bucket {
        torch::Tensor flat;
        std::vector<std::size_t> slots;
        std::size_t missing = 0;
        c10::intrusive_ptr<c10d::Work> work;
    };

    void addBucket(const std::vector<torch::Tensor>& tensors, const std::vector<std::size_t>& indices) {
        std::int64_t size = 0;
        for (const auto index : indices) size += tensors[index].numel();
        Bucket bucket;
        bucket.flat = torch::zeros({size}, tensors[indices.front()].options().requires_grad(false));
        std::int64_t offset = 0;
        for (const auto index : indices) {
            bucket.slots.push_back(m_slots.size());
            m_slots.push_back({tensors[index], viewFor(bucket.flat, tensors[index], offset), m_buckets.size(), false,
                               false, nullptr});
            offset += tensors[index].numel();
        }
        m_buckets.push_back(std::move(bucket));
    }

    void hook(std::size_t index) {
        auto& slot = m_slots[index];
        slot.accumulator = torch::autograd::impl::grad_accumulator(slot.parameter);
        slot.accumulator->add_post_hook(std::make_unique<AfterGradient>([this, alive = m_alive, index] {
            if (*alive) gradientReady(index);
        }));
    }

    void gradientReady(std::size_t index) {
        const torch::NoGradGuard noGrad;
        auto& slot = m_slots[index];
        auto& gradient = slot.parameter.mutable_grad();
        if (!gradient.defined()) return;
        if (slot.written) {
            slot.view.add_(gradient);
        } else {
            slot.view.copy_(gradient);
        }
        slot.written = true;
        gradient.reset();
        if (!m_sync || slot.ready) return;
        slot.ready = true;
        --m_buckets[slot.bucket].missing;
        // In the buckets' order, whatever order the gradients come in: collectives must match across ranks.
        while (m_nextBucket < m_buckets.size() && m_buckets[m_nextBucket].missing == 0)
            launch(m_buckets[m_nextBucket++]);
    }

    void launch(Bucket& bucket) {
        const torch::NoGradGuard noGrad;
        bucket.flat.div_(m_group.worldSize()); // before the sum, as the reducer does: the same bits
        bucket.work = m_group.startSum(bucket.flat);
    }

    const ProcessGroup m_group;
    std::vector<Slot> m_slots; // in the order of the buckets
    std::vector<Bucket> m_buckets;
    std::size_t m_nextBucket = 0;
    bool m_fresh = true, m_sync = true;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace

std::unique_ptr<GradientAverager> makeBucketAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                     const AveragerOptions& options, Progress& progress) {
    return std::make_unique<BucketAverager>(group, optimizer, options, progress);
}

} // namespace trainyard::train
