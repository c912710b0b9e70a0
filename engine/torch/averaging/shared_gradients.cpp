// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/shared_gradients.h"

#include "engine/torch/averaging/plain_averager.h"
#include "engine/torch/averaging/shared_sum.h"

#include <algorithm>

namespace trainyard::train {
namespace {

class SharedGradients final : public PlainAverager {
public:
    SharedGradients(SharedParts parts, int world, optim::Optimizer& optimizer, const AveragerOptions& options,
                    Progress& progress)
        : PlainAverager(optimizer, options.step, progress),
          m_sum(std::move(parts), world, tensorsOf(optimizer.parameters()), options, progress) {}

    void prepareForward(bool sync) override { m_sum.prepareForward(sync); }
    void prepareBackward() override {}
    optim::NamedTensors shareCarried() override { return m_sum.shareCarried(); }

protected:
    void finish() override {
        const torch::NoGradGuard noGrad;
        m_sum.waitForGradients(++m_count);
        for (std::size_t b = m_sum.firstBlock(); b < m_sum.endBlock(); ++b) deal(m_sum.layout().blocks[b]);
        m_progress.setCollective(Engine::tr("wait for the other ranks' averages"));
        m_sum.gates().pass(Gate::Dealt, m_count);
        m_sum.gates().waitForAll(Gate::Dealt, m_count);
        for (std::size_t i = 0; i < m_optimizer.parameters().size(); ++i)
            m_optimizer.parameters()[i].second.mutable_grad() = m_sum.gradient(i);
    }

private:
    // Writes the mean of a block into the buffer of every rank of the host: in those blocks only this rank reads the
    // gradients.
    void deal(const FlatBlock& block) {
        const float* mean = m_sum.scratch();
        if (m_sum.spansHosts()) mean = m_sum.summed() + block.offset;
        else m_sum.sumBlock(block, m_sum.scratch());
        for (std::size_t rank = 0; rank < m_sum.ranks(); ++rank) {
            float* const out = m_sum.segment()->gradients(rank) + block.offset;
            if (out != mean) std::copy_n(mean, block.count, out);
        }
    }

    SharedSum m_sum;
    std::int64_t m_count = 0; // steps averaged
};

} // namespace

Result<std::unique_ptr<GradientAverager>> makeSharedGradients(const ProcessGroup& group, const HostsOfRanks& hosts,
                                                              optim::Optimizer& optimizer,
                                                              const AveragerOptions& options, Progress& progress) {
    TY_ASSIGN(SharedParts parts, meetInMemory(group, hosts, optimizer, options, progress));
    return std::unique_ptr<GradientAverager>(
        std::make_unique<SharedGradients>(std::move(parts), group.worldSize(), optimizer, options, progress));
}

} // namespace trainyard::train
