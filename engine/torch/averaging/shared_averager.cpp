// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/shared_averager.h"

#include "engine/base/clock.h"
#include "engine/torch/averaging/compressed_sum.h"
#include "engine/torch/averaging/gradient_hooks.h"
#include "engine/torch/averaging/gradient_norm.h"
#include "engine/torch/averaging/shared_gates.h"
#include "engine/torch/averaging/shared_meeting.h"
#include "engine/torch/kernels/gradient_slot.h"
#include "engine/torch/optim/update_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::train {
namespace {

using SegmentPtr = std::shared_ptr<SharedSegment>;

class SharedAverager final : public GradientAverager {
public:
    SharedAverager(SharedParts parts, int world, optim::Optimizer& optimizer, const AveragerOptions& options,
                   Progress& progress)
        : m_parts(std::move(parts)), m_segment(m_parts.segment), m_layout(m_parts.layout),
          m_optimizer(optimizer), m_progress(progress), m_parameters(tensorsOf(optimizer.parameters())),
          m_gates(m_segment, {m_parts.hosts.place, m_parts.hosts.own(), options.abort, options.waitSeconds, options.step}),
          m_hooks(m_parameters, [this](std::size_t index) { gradientReady(index); }), m_firstStep(options.step) {
        const std::size_t ranks = m_parts.hosts.own().size(), place = m_parts.hosts.place;
        m_firstBlock = m_layout.blocks.size() * place / ranks;
        m_endBlock = m_layout.blocks.size() * (place + 1) / ranks;
        m_factor = static_cast<float>(1.0 / world);
        planOrders();
        adopt();
    }
    ~SharedAverager() override { leave(); }

    void prepareForward(bool sync) override {
        if (m_fresh) {
            for (auto& parameter : m_parameters) parameter.mutable_grad().reset();
            for (auto& slot : m_gradients) slot.written = false;
        }
        m_fresh = sync;
    }
    void prepareBackward(const std::vector<torch::Tensor>&) override {}

    StepReport finishStep(const StepOptions& options) override {
        const torch::NoGradGuard noGrad;
        const std::int64_t count = m_count + 1;
        const double begin = monotonicSeconds();
        StepReport report;
        for (auto& slot : m_gradients)
            if (!slot.written) slot.view.zero_(); // took no part in the loss
        m_progress.setDoing("wait for the gradients of the other ranks");
        m_gates.pass(Gate::Entered, count);
        m_gates.waitForAll(Gate::Entered, count);
        if (m_parts.hosts.hosts.size() > 1) crossHosts(count);
        const double ready = monotonicSeconds();
        m_progress.setDoing("update the weights");
        float factor = 1;
        if (options.wantNorm || options.skipNonFinite || options.clipNorm > 0) {
            report.gradNorm = measure(count, static_cast<float>(options.gradientScale));
            report.skipped = options.skipNonFinite && !std::isfinite(*report.gradNorm);
            factor = clipFactor(*report.gradNorm, options.clipNorm);
        }
        if (!report.skipped) update(options, report.gradNorm.has_value(), factor);
        const double updated = monotonicSeconds();
        m_progress.setDoing("wait for the other ranks' updates");
        m_gates.pass(Gate::Done, count, report.skipped ? m_current : nextCopy());
        m_gates.waitForAll(Gate::Done, count);
        commit();
        report.updateSeconds = updated - ready;
        report.waitSeconds = ready - begin + monotonicSeconds() - updated;
        return report;
    }

    void pin() override {
        if (m_segment->copies() < 3) return;
        m_pinned = m_current;
        m_pinnedFlat = tensorAt(m_segment, m_segment->copy(m_pinned), m_segment->copyFloats());
    }
    torch::Tensor pinned(const torch::Tensor& live) const override {
        const auto* own = m_flat.storage().unsafeGetStorageImpl();
        if (m_pinned < 0 || live.storage().unsafeGetStorageImpl() != own) return {};
        return m_pinnedFlat.as_strided(live.sizes(), live.strides(), live.storage_offset());
    }

    std::int64_t settle() override {
        if (m_gates.allPassed(Gate::Done, m_count + 1)) commit();
        return m_firstStep + m_count;
    }

private:
    // The ranks' gradients in the order in which each part of the ring adds them up.
    void planOrders() {
        const std::size_t ranks = m_parts.hosts.own().size();
        m_sources.resize(ranks);
        std::size_t parts = 1;
        for (const auto& piece : m_layout.pieces) parts = std::max(parts, piece.part + 1);
        for (std::size_t part = 0; part < parts; ++part) {
            auto& order = m_orders.emplace_back();
            for (std::size_t i = 0; i < ranks; ++i)
                order.push_back(m_segment->gradients(parts == 1 ? i : (part + 2 * ranks - 1 - i) % ranks));
        }
    }

    // Parameters and slots become views of the current copy, gradients go into this rank's buffer.
    void adopt() {
        const torch::NoGradGuard noGrad;
        m_flat = tensorAt(m_segment, m_segment->copy(0), m_segment->copyFloats());
        const auto gradients = tensorAt(m_segment, m_segment->gradients(m_parts.hosts.place), m_layout.floats);
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            const auto offset = static_cast<std::int64_t>(m_layout.offsets[i]);
            auto& slots = m_optimizer.slots(i);
            for (std::size_t s = 0; s < slots.size(); ++s)
                slots[s] = viewFor(m_flat, m_parameters[i], offset + static_cast<std::int64_t>((1 + s) * m_layout.floats));
            m_gradients.push_back({viewFor(gradients, m_parameters[i], offset), false});
            m_parameters[i].set_data(viewFor(m_flat, m_parameters[i], offset));
        }
        for (std::size_t i = 0; i < m_parameters.size(); ++i) kernels::offerSlot(m_parameters[i], &m_gradients[i]);
    }

    // The other way round: into memory of this process alone, at the step that was last known to be whole.
    void leave() noexcept {
        const torch::NoGradGuard noGrad;
        const auto own = [](const torch::Tensor& shared) {
            return torch::empty_strided(shared.sizes(), shared.strides(), shared.options().requires_grad(false))
                .copy_(shared);
        };
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            kernels::withdrawSlot(m_parameters[i]);
            m_parameters[i].set_data(own(m_parameters[i].detach()));
            for (auto& slot : m_optimizer.slots(i)) slot = own(slot);
        }
    }

    void gradientReady(std::size_t index) {
        const torch::NoGradGuard noGrad;
        auto& gradient = m_parameters[index].mutable_grad();
        if (!gradient.defined()) return; // not used, or its layer has written it into the slot
        auto& slot = m_gradients[index];
        if (slot.written) slot.view.add_(gradient);
        else slot.view.copy_(gradient);
        slot.written = true;
        gradient.reset();
    }

    void sumBlock(const FlatBlock& block, float* out) {
        for (std::size_t p = block.firstPiece; p < block.firstPiece + block.pieces; ++p) {
            const FlatPiece& piece = m_layout.pieces[p];
            const auto& order = m_orders[piece.part];
            for (std::size_t i = 0; i < order.size(); ++i) m_sources[i] = order[i] + piece.offset;
            optim::sumLoop(out + (piece.offset - block.offset), m_sources.data(), order.size(), piece.count, m_factor);
        }
    }

    // `out` may be one of the sources.
    void sumBlockOver(const FlatBlock& block, float* out) {
        sumBlock(block, m_scratch.data());
        std::copy_n(m_scratch.data(), block.count, out);
    }

    // This host's sum goes into its first rank's gradients, and from there through the first ranks of all hosts.
    void crossHosts(std::int64_t count) {
        float* sum = m_segment->gradients(0);
        for (std::size_t b = m_firstBlock; b < m_endBlock; ++b)
            sumBlockOver(m_layout.blocks[b], sum + m_layout.blocks[b].offset);
        m_gates.pass(Gate::Summed, count);
        m_progress.setDoing("all-reduce between the hosts"); // what all wait for, whoever does it
        if (m_parts.hosts.place != 0) {
            m_gates.wait(Gate::Crossed, 0, count);
            return;
        }
        m_gates.waitForAll(Gate::Summed, count);
        auto flat = tensorAt(m_segment, sum, m_layout.floats);
        if (m_parts.compression) compressedSum(m_parts.between, flat, *m_parts.compression);
        else m_parts.between.sum(flat);
        m_gates.pass(Gate::Crossed, count);
    }

    // Where the sum of this rank's blocks is put when it has to be looked at before it is used. Nobody else needs it: of
    // its own gradients others read the other blocks.
    float* summed() { return m_segment->gradients(m_parts.hosts.hosts.size() > 1 ? 0 : m_parts.hosts.place); }

    double measure(std::int64_t count, float scale) {
        for (std::size_t b = m_firstBlock; b < m_endBlock; ++b) {
            const FlatBlock& block = m_layout.blocks[b];
            float* values = summed() + block.offset;
            if (m_parts.hosts.hosts.size() == 1) sumBlockOver(block, values);
            optim::scaleLoop(values, block.count, scale, 0);
            m_segment->squares()[b] = sumOfSquares(values, block.count);
        }
        m_gates.pass(Gate::Measured, count);
        m_gates.waitForAll(Gate::Measured, count);
        double total = 0;
        for (std::size_t b = 0; b < m_layout.blocks.size(); ++b) total += m_segment->squares()[b];
        return std::sqrt(total);
    }

    void update(const StepOptions& options, bool measured, float factor) {
        m_optimizer.setLr(options.lr);
        const auto& rule = m_optimizer.rule();
        const float *from = m_segment->copy(m_current);
        float* to = m_segment->copy(nextCopy());
        const std::size_t slots = rule.slots().size();
        const auto limit = static_cast<float>(options.clipValue);
        for (std::size_t b = m_firstBlock; b < m_endBlock; ++b) {
            const FlatBlock& block = m_layout.blocks[b];
            const bool inPlace = measured || m_parts.hosts.hosts.size() > 1;
            float* gradient = inPlace ? summed() + block.offset : m_scratch.data();
            if (!inPlace) sumBlock(block, gradient);
            if (!measured) optim::scaleLoop(gradient, block.count, static_cast<float>(options.gradientScale), 0);
            optim::scaleLoop(gradient, block.count, factor, limit);
            optim::UpdateBlock work{block.count, gradient, from + block.offset, to + block.offset, {}, {}};
            for (std::size_t s = 0; s < slots; ++s) {
                work.slots[s] = from + (1 + s) * m_layout.floats + block.offset;
                work.newSlots[s] = to + (1 + s) * m_layout.floats + block.offset;
            }
            rule.update(work, {options.lr, m_optimizer.weightDecay(block.parameter),
                               m_optimizer.steps()[block.parameter] + 1});
        }
    }

    // What the step writes: neither the current copy nor the pinned one, the same on every rank. At first all have
    // their turn, so that their pages are touched for the first time in the first steps and not behind a checkpoint.
    int nextCopy() const {
        const int copies = m_segment->copies(), first = m_count < copies ? m_current + 1 : 0;
        for (int i = first;; ++i)
            if (i % copies != m_current && i % copies != m_pinned) return i % copies;
    }

    // Every rank's share of the step is done: the copy that was written is the current one.
    void commit() {
        ++m_count;
        const int copy = m_gates.note(Gate::Done, m_parts.hosts.place);
        if (copy == m_current) return; // skipped
        m_current = copy;
        m_optimizer.countStep();
        const auto keep = new SegmentPtr(m_segment);
        m_flat.storage().unsafeGetStorageImpl()->set_data_ptr_noswap(
            {m_segment->copy(copy), keep, [](void* kept) { delete static_cast<SegmentPtr*>(kept); }, torch::kCPU});
    }

    SharedParts m_parts;
    SegmentPtr m_segment;
    const FlatLayout& m_layout;
    optim::Optimizer& m_optimizer;
    Progress& m_progress;
    std::vector<torch::Tensor> m_parameters;
    SharedGates m_gates;
    GradientHooks m_hooks;
    torch::Tensor m_flat;               // the current copy: every parameter and slot is a view of its storage
    torch::Tensor m_pinnedFlat;
    std::vector<kernels::GradientSlot> m_gradients; // this rank's, one for each parameter
    std::vector<std::vector<const float*>> m_orders;
    std::vector<const float*> m_sources;
    float m_factor = 1; // a gradient's part in the mean
    std::size_t m_firstBlock = 0, m_endBlock = 0; // this rank's share
    const std::int64_t m_firstStep;
    std::int64_t m_count = 0; // steps done since
    int m_current = 0, m_pinned = -1; // copies
    bool m_fresh = true;
    alignas(64) std::array<float, kNormBlock> m_scratch{};
};

} // namespace

bool canShareMemory(const optim::Optimizer& optimizer) {
    const auto& parameters = optimizer.parameters();
    return !parameters.empty() && std::all_of(parameters.begin(), parameters.end(), [](const auto& parameter) {
        return parameter.second.is_cpu() && parameter.second.scalar_type() == torch::kFloat;
    });
}

Result<std::unique_ptr<GradientAverager>> makeSharedAverager(const ProcessGroup& group, const HostsOfRanks& hosts,
                                                             optim::Optimizer& optimizer,
                                                             const AveragerOptions& options, Progress& progress) {
    TY_ASSIGN(SharedParts parts, meetInMemory(group, hosts, optimizer, options, progress));
    return std::unique_ptr<GradientAverager>(
        std::make_unique<SharedAverager>(std::move(parts), group.worldSize(), optimizer, options, progress));
}

} // namespace trainyard::train
