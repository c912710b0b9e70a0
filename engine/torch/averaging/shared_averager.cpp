// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/shared_averager.h"

#include "engine/base/clock.h"
#include "engine/torch/averaging/gradient_norm.h"
#include "engine/torch/averaging/shared_sum.h"
#include "engine/torch/optim/update_kernels.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {
namespace {

using SegmentPtr = std::shared_ptr<SharedSegment>;

class SharedAverager final : public GradientAverager {
public:
    SharedAverager(SharedParts parts, int world, optim::Optimizer& optimizer, const AveragerOptions& options,
                   Progress& progress)
        : m_sum(std::move(parts), world, tensorsOf(optimizer.parameters()), options, progress),
          m_segment(m_sum.segment()), m_layout(m_sum.layout()), m_gates(m_sum.gates()), m_optimizer(optimizer),
          m_progress(progress), m_parameters(tensorsOf(optimizer.parameters())), m_firstStep(options.step) {
        adopt();
    }
    ~SharedAverager() override { leave(); }

    void prepareForward(bool sync) override { m_sum.prepareForward(sync); }
    void prepareBackward() override {}

    StepReport finishStep(const StepOptions& options) override {
        const torch::NoGradGuard noGrad;
        const std::int64_t count = m_count + 1;
        const double begin = monotonicSeconds();
        StepReport report;
        m_sum.waitForGradients(count);
        const double ready = monotonicSeconds();
        m_progress.setStep(StepPart::Compute, Engine::tr("update the weights"));
        float factor = 1;
        if (options.wantNorm || options.skipNonFinite || options.clipNorm > 0) {
            report.gradNorm = measure(count, static_cast<float>(options.gradientScale));
            report.skipped = options.skipNonFinite && !std::isfinite(*report.gradNorm);
            factor = clipFactor(*report.gradNorm, options.clipNorm);
        }
        if (!report.skipped) update(options, report.gradNorm.has_value(), factor);
        const double updated = monotonicSeconds();
        m_progress.setCollective(Engine::tr("wait for the other ranks' updates"));
        m_gates.pass(Gate::Done, count, report.skipped ? m_current : nextCopy());
        m_gates.waitForAll(Gate::Done, count);
        commit();
        report.updateSeconds = updated - ready;
        report.waitSeconds = ready - begin + monotonicSeconds() - updated;
        return report;
    }

    optim::NamedTensors shareCarried() override { return m_sum.shareCarried(); }
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
    // Parameters and slots become views of the current copy.
    void adopt() {
        const torch::NoGradGuard noGrad;
        m_flat = tensorAt(m_segment, m_segment->copy(0), m_segment->copyFloats());
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            const auto offset = static_cast<std::int64_t>(m_layout.offsets[i]);
            auto& slots = m_optimizer.slots(i);
            for (std::size_t s = 0; s < slots.size(); ++s)
                slots[s] =
                    viewFor(m_flat, m_parameters[i], offset + static_cast<std::int64_t>((1 + s) * m_layout.floats));
            m_parameters[i].set_data(viewFor(m_flat, m_parameters[i], offset));
        }
    }

    // The other way round: into memory of this process alone, at the step that was last known to be whole.
    void leave() noexcept {
        const torch::NoGradGuard noGrad;
        const auto own = [](const torch::Tensor& shared) {
            return torch::empty_strided(shared.sizes(), shared.strides(), shared.options().requires_grad(false))
                .copy_(shared);
        };
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            m_parameters[i].set_data(own(m_parameters[i].detach()));
            for (auto& slot : m_optimizer.slots(i)) slot = own(slot);
        }
    }

    double measure(std::int64_t count, float scale) {
        for (std::size_t b = m_sum.firstBlock(); b < m_sum.endBlock(); ++b) {
            const FlatBlock& block = m_layout.blocks[b];
            float* values = m_sum.summed() + block.offset;
            if (!m_sum.spansHosts()) m_sum.sumBlockOver(block, values);
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
        const float* from = m_segment->copy(m_current);
        float* to = m_segment->copy(nextCopy());
        const std::size_t slots = rule.slots().size();
        const auto limit = static_cast<float>(options.clipValue);
        for (std::size_t b = m_sum.firstBlock(); b < m_sum.endBlock(); ++b) {
            const FlatBlock& block = m_layout.blocks[b];
            const bool inPlace = measured || m_sum.spansHosts();
            float* gradient = inPlace ? m_sum.summed() + block.offset : m_sum.scratch();
            if (!inPlace) m_sum.sumBlock(block, gradient);
            if (!measured) optim::scaleLoop(gradient, block.count, static_cast<float>(options.gradientScale), 0);
            optim::scaleLoop(gradient, block.count, factor, limit);
            optim::UpdateBlock work{block.count, gradient, from + block.offset, to + block.offset, {}, {}};
            for (std::size_t s = 0; s < slots; ++s) {
                work.slots[s] = from + (1 + s) * m_layout.floats + block.offset;
                work.newSlots[s] = to + (1 + s) * m_layout.floats + block.offset;
            }
            rule.update(work, {options.lr * m_optimizer.rateFactor(block.parameter),
                               m_optimizer.weightDecay(block.parameter), m_optimizer.steps()[block.parameter] + 1});
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
        const int copy = m_gates.note(Gate::Done, m_sum.indexOnHost());
        if (copy == m_current) return; // skipped
        m_current = copy;
        m_optimizer.countStep();
        const auto keep = new SegmentPtr(m_segment);
        m_flat.storage().unsafeGetStorageImpl()->set_data_ptr_noswap(
            {m_segment->copy(copy), keep, [](void* kept) { delete static_cast<SegmentPtr*>(kept); }, torch::kCPU});
    }

    SharedSum m_sum;
    const SegmentPtr m_segment;
    const FlatLayout& m_layout;
    SharedGates& m_gates;
    optim::Optimizer& m_optimizer;
    Progress& m_progress;
    std::vector<torch::Tensor> m_parameters;
    torch::Tensor m_flat; // the current copy: every parameter and slot is a view of its storage
    torch::Tensor m_pinnedFlat;
    const std::int64_t m_firstStep;
    std::int64_t m_count = 0;         // steps done since
    int m_current = 0, m_pinned = -1; // copies
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
