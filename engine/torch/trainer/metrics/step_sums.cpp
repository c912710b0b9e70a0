// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/metrics/step_sums.h"

#include <utility>

namespace trainyard::train {

void StepSums::tell() {
    if (m_group.worldSize() == 1) return;
    if (SharedMailbox* mailbox = m_group.mailbox())
        return mailbox->post({m_own.data_ptr<double>(), static_cast<std::size_t>(m_own.numel())});
    if (m_all.empty())
        for (int rank = 0; rank < m_group.worldSize(); ++rank) m_all.push_back(torch::empty_like(m_own));
    m_coming = m_group.startGather(m_own, m_all);
}

void StepSums::wait(Progress& progress) {
    if (!m_coming) return;
    progress.setCollective(Engine::tr("share the step's metrics"));
    m_group.wait(*m_coming);
    m_coming.reset();
}

torch::Tensor StepSums::total() {
    auto sums = std::exchange(m_own, {});
    const SharedMailbox* mailbox = m_group.mailbox();
    double* const out = mailbox ? sums.data_ptr<double>() : nullptr;
    for (int rank = 0; rank < m_group.worldSize(); ++rank) {
        if (mailbox) {
            const auto told = mailbox->posted(rank);
            for (std::size_t i = 0; i < told.size(); ++i) out[i] = rank == 0 ? told[i] : out[i] + told[i];
        } else if (!m_all.empty()) {
            const auto& told = m_all[static_cast<std::size_t>(rank)];
            sums = rank == 0 ? told.clone() : sums.add_(told);
        }
    }
    return sums;
}

} // namespace trainyard::train
