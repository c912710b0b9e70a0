// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/shared_sum.h"

#include "engine/torch/optim/update_kernels.h"

#include <algorithm>

namespace trainyard::train {

SharedSum::SharedSum(SharedParts parts, int world, std::vector<torch::Tensor> parameters,
                     const AveragerOptions& options, Progress& progress)
    : m_parts(std::move(parts)), m_segment(m_parts.segment), m_progress(progress), m_parameters(std::move(parameters)),
      m_gates(m_segment, {m_parts.hosts.index, m_parts.hosts.own(), options.abort, options.waitSeconds, options.step,
                          static_cast<std::int64_t>(m_parts.layout.buckets.size())}),
      m_factor(static_cast<float>(1.0 / world)),
      m_hooks(m_parameters, [this](std::size_t index) { gradientReady(index); }) {
    m_firstBlock = layout().blocks.size() * indexOnHost() / ranks();
    m_endBlock = layout().blocks.size() * (indexOnHost() + 1) / ranks();
    planOrders();
    if (spansHosts())
        m_hostsSum.emplace(m_parts, m_gates, m_progress, [this, sum = m_segment->gradients(0)](const FlatBlock& block) {
            sumBlockOver(block, sum + block.offset);
        });
    const auto flat = tensorAt(m_segment, m_segment->gradients(indexOnHost()), layout().floats);
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        m_gradients.push_back({viewFor(flat, m_parameters[i], static_cast<std::int64_t>(layout().offsets[i])), false});
    for (std::size_t i = 0; i < m_parameters.size(); ++i) kernels::offerSlot(m_parameters[i], &m_gradients[i]);
}

SharedSum::~SharedSum() {
    for (const auto& parameter : m_parameters) kernels::withdrawSlot(parameter);
}

void SharedSum::prepareForward(bool sync) {
    if (m_fresh) {
        for (auto& parameter : m_parameters) parameter.mutable_grad().reset();
        for (auto& slot : m_gradients) slot.written = false;
    }
    if (m_hostsSum) m_hostsSum->begin(m_fresh, sync);
    m_fresh = sync;
}

void SharedSum::waitForGradients(std::int64_t count) {
    for (auto& slot : m_gradients)
        if (!slot.written) slot.view.zero_(); // took no part in the loss
    if (m_hostsSum) return m_hostsSum->finish(count);
    m_progress.setCollective(Engine::tr("wait for the gradients of the other ranks"));
    m_gates.pass(Gate::Entered, count);
    m_gates.waitForAll(Gate::Entered, count);
}

optim::NamedTensors SharedSum::shareCarried() {
    if (!m_parts.compressed) return {};
    m_progress.setCollective(Engine::tr("share the gradients' remainder"));
    return m_parts.compressed->shareCarried();
}

// The ranks' gradients in the order in which each part of the ring adds them up.
void SharedSum::planOrders() {
    m_sources.resize(ranks());
    std::size_t parts = 1;
    for (const auto& piece : layout().pieces) parts = std::max(parts, piece.part + 1);
    for (std::size_t part = 0; part < parts; ++part) {
        auto& order = m_orders.emplace_back();
        for (std::size_t i = 0; i < ranks(); ++i)
            order.push_back(m_segment->gradients(parts == 1 ? i : (part + 2 * ranks() - 1 - i) % ranks()));
    }
}

void SharedSum::gradientReady(std::size_t index) {
    takeOver(index);
    if (m_hostsSum && m_gradients[index].written) m_hostsSum->gradientReady(index);
}

void SharedSum::takeOver(std::size_t index) {
    const torch::NoGradGuard noGrad;
    auto& gradient = m_parameters[index].mutable_grad();
    if (!gradient.defined()) return; // not used, or its layer has written it into the slot
    auto& slot = m_gradients[index];
    if (slot.written) slot.view.add_(gradient);
    else slot.view.copy_(gradient);
    slot.written = true;
    gradient.reset();
}

void SharedSum::sumBlock(const FlatBlock& block, float* out) {
    for (std::size_t p = block.firstPiece; p < block.firstPiece + block.pieces; ++p) {
        const FlatPiece& piece = layout().pieces[p];
        const auto& order = m_orders[piece.part];
        for (std::size_t i = 0; i < order.size(); ++i) m_sources[i] = order[i] + piece.offset;
        optim::sumLoop(out + (piece.offset - block.offset), m_sources.data(), order.size(), piece.count, m_factor);
    }
}

void SharedSum::sumBlockOver(const FlatBlock& block, float* out) {
    sumBlock(block, m_scratch.data());
    std::copy_n(m_scratch.data(), block.count, out);
}

} // namespace trainyard::train
