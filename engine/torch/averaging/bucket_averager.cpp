// SPDX-License-Identifier: GPL-3.0-or-later
// Flat buckets: the gradients of a bucket's parameters are views of one buffer, and the buffer's all-reduce, compressed
// or not, starts inside backward, as soon as the last of them is ready.
#include "engine/torch/averaging/compressed_sum.h"
#include "engine/torch/averaging/flat_layout.h"
#include "engine/torch/averaging/gradient_hooks.h"
#include "engine/torch/averaging/plain_averager.h"
#include "engine/torch/kernels/gradient_slot.h"

#include <utility>

namespace trainyard::train {
namespace {

class BucketAverager final : public PlainAverager {
public:
    BucketAverager(const ProcessGroup& group, optim::Optimizer& optimizer, const AveragerOptions& options,
                   Progress& progress)
        : PlainAverager(optimizer, options.step, progress), m_group(group) {
        (void)group.c10d(); // connects now where that is still to be done, and not in the middle of the first step
        const auto& parameters = optimizer.parameters();
        for (const auto& indices : planBuckets(tensorsOf(parameters), options.bucketBytes))
            addBucket(parameters, indices);
        std::vector<torch::Tensor> inOrder;
        for (auto& slot : m_slots) {
            inOrder.push_back(slot.parameter);
            kernels::offerSlot(slot.parameter, &slot.gradient);
        }
        m_hooks.emplace(inOrder, [this](std::size_t index) { gradientReady(index); });
    }
    ~BucketAverager() override {
        for (auto& slot : m_slots) kernels::withdrawSlot(slot.parameter);
    }

    // Collective.
    Result<void> compress(const CompressionOptions& options) {
        std::vector<Flat> flats;
        for (const auto& bucket : m_buckets) flats.push_back({bucket.flat, bucket.parts});
        TY_ASSIGN(m_compressed, CompressedSums::make(m_group, options, flats));
        return {};
    }

    void prepareForward(bool sync) override {
        if (m_fresh) {
            for (auto& slot : m_slots) {
                slot.parameter.mutable_grad().reset(); // so that autograd hands its own over, without adding
                slot.gradient.written = false;
            }
            for (auto& bucket : m_buckets) bucket.missing = bucket.slots;
            m_nextBucket = 0;
        }
        m_sync = sync;
        m_fresh = sync;
        for (auto& slot : m_slots) slot.ready = false;
    }

    void prepareBackward() override {}

    optim::NamedTensors shareCarried() override {
        if (!m_compressed) return {};
        m_progress.setCollective(Engine::tr("share the gradients' remainder"));
        return m_compressed->shareCarried();
    }

protected:
    void finish() override {
        const torch::NoGradGuard noGrad;
        for (auto& slot : m_slots)
            if (!slot.gradient.written) slot.gradient.view.zero_(); // took no part in the loss
        while (m_nextBucket < m_buckets.size()) launch(m_nextBucket++);
        for (std::size_t b = 0; b < m_buckets.size(); ++b) {
            m_progress.setCollective(Engine::tr("all-reduce of bucket"), static_cast<int>(b));
            if (m_compressed) m_compressed->wait(b);
            else m_group.wait(*m_buckets[b].work);
            m_buckets[b].work.reset();
        }
        for (auto& slot : m_slots) slot.parameter.mutable_grad() = slot.gradient.view;
    }

private:
    struct Slot {
        torch::Tensor parameter;
        kernels::GradientSlot gradient;
        std::size_t bucket = 0;
        bool ready = false; // in this backward
    };
    struct Bucket {
        torch::Tensor flat;
        std::vector<FlatPart> parts;
        std::size_t slots = 0, missing = 0;
        c10::intrusive_ptr<c10d::Work> work;
    };

    void addBucket(const optim::NamedTensors& parameters, const std::vector<std::size_t>& indices) {
        Bucket bucket;
        std::int64_t size = 0;
        for (const auto index : indices) {
            const auto& [name, parameter] = parameters[index];
            bucket.parts.push_back({name, parameter, std::exchange(size, size + parameter.numel())});
        }
        bucket.flat = torch::zeros({size}, bucket.parts.front().parameter.options().requires_grad(false));
        bucket.slots = indices.size();
        for (const auto& [name, parameter, offset] : bucket.parts)
            m_slots.push_back({parameter, {viewFor(bucket.flat, parameter, offset), false}, m_buckets.size(), false});
        m_buckets.push_back(std::move(bucket));
    }

    void gradientReady(std::size_t index) {
        const torch::NoGradGuard noGrad;
        auto& slot = m_slots[index];
        auto& gradient = slot.parameter.mutable_grad();
        if (!gradient.defined() && !slot.gradient.written) return; // else its layer has written it into the bucket
        if (gradient.defined()) {
            if (slot.gradient.written) slot.gradient.view.add_(gradient);
            else slot.gradient.view.copy_(gradient);
            slot.gradient.written = true;
            gradient.reset();
        }
        if (!m_sync || slot.ready) return;
        slot.ready = true;
        --m_buckets[slot.bucket].missing;
        // In the buckets' order, whatever order the gradients come in: collectives must match across ranks.
        while (m_nextBucket < m_buckets.size() && m_buckets[m_nextBucket].missing == 0) launch(m_nextBucket++);
        if (m_compressed) m_compressed->advance();
    }

    void launch(std::size_t index) {
        const torch::NoGradGuard noGrad;
        auto& bucket = m_buckets[index];
        bucket.flat.mul_(1.0 / m_group.worldSize()); // before the sum, as the reducer does: the same bits
        if (m_compressed) m_compressed->start(index);
        else bucket.work = m_group.startSum(bucket.flat);
    }

    const ProcessGroup m_group;
    std::unique_ptr<CompressedSums> m_compressed; // null: as they are
    std::vector<Slot> m_slots;                    // in the order of the buckets
    std::vector<Bucket> m_buckets;
    std::size_t m_nextBucket = 0;
    bool m_fresh = true, m_sync = true;
    std::optional<GradientHooks> m_hooks;
};

} // namespace

Result<std::unique_ptr<GradientAverager>> makeBucketAverager(const ProcessGroup& group, optim::Optimizer& optimizer,
                                                             const AveragerOptions& options, Progress& progress) {
    TY_TRY(compressionFromString(options.compression.kind));
    auto averager = std::make_unique<BucketAverager>(group, optimizer, options, progress);
    TY_TRY(averager->compress(options.compression));
    return std::unique_ptr<GradientAverager>(std::move(averager));
}

} // namespace trainyard::train
