// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/step_sums.h"

#include <algorithm>
#include <span>
#include <utility>

namespace trainyard::train {

void StepSums::tell() {
    const auto width = m_own.numel();
    if (m_group.worldSize() == 1) return;
    if (HostBoard* board = m_group.board())
        return board->post({m_own.data_ptr<double>(), static_cast<std::size_t>(width)});
    // Every rank fills in its row and adds nothing to the others', so they all arrive as they are.
    if (m_table.defined()) m_table.zero_();
    else m_table = torch::zeros({m_group.worldSize(), width}, m_own.options());
    m_table[m_group.rank()].copy_(m_own);
    m_coming = m_group.startSum(m_table);
}

void StepSums::wait(Progress& progress) {
    if (!m_coming) return;
    progress.setDoing("all-reduce of the step's figures");
    m_group.wait(*m_coming);
    m_coming.reset();
}

torch::Tensor StepSums::total() {
    auto sums = std::exchange(m_own, {});
    if (m_group.worldSize() == 1) return sums;
    HostBoard* board = m_group.board();
    if (!board && !m_table.is_cpu()) return m_table.sum(0);
    const auto width = static_cast<std::size_t>(sums.numel());
    const auto rowOf = [&](int rank) {
        return board ? board->posted(rank) : std::span<const double>(m_table[rank].data_ptr<double>(), width);
    };
    double* const out = sums.data_ptr<double>();
    std::copy_n(rowOf(0).data(), width, out);
    for (int rank = 1; rank < m_group.worldSize(); ++rank) {
        const auto row = rowOf(rank);
        for (std::size_t i = 0; i < width; ++i) out[i] += row[i];
    }
    return sums;
}

} // namespace trainyard::train
