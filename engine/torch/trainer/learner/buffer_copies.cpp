// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/buffer_copies.h"

namespace trainyard::train {

void BufferCopies::keep(const models::Model& model) {
    const torch::NoGradGuard noGrad;
    const auto buffers = model.buffers();
    if (m_copies.size() != buffers.size()) {
        m_copies.clear();
        for (const auto& buffer : buffers) m_copies.push_back(buffer.clone());
        return;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) m_copies[i].copy_(buffers[i]);
}

void BufferCopies::bringBack(models::Model& model) const {
    const torch::NoGradGuard noGrad;
    auto buffers = model.buffers();
    for (std::size_t i = 0; i < m_copies.size(); ++i) buffers[i].copy_(m_copies[i]);
}

} // namespace trainyard::train
