// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/gradient_hooks.h"
#include "engine/torch/averaging/gradient_norm.h"
#include "engine/torch/averaging/hosts_sum.h"
#include "engine/torch/averaging/shared_rendezvous.h"
#include "engine/torch/group/shared_gates.h"
#include "engine/torch/kernels/gradient_slot.h"

#include <array>
#include <optional>

namespace trainyard::train {

// The first half of averaging through shared memory, whatever is then done with the mean: each rank's gradients of a
// step go to a buffer of its own that all ranks of the host can read, and each rank adds up its share of the blocks.
// Waits throw PeerLost.
class SharedSum {
public:
    SharedSum(SharedParts parts, int world, std::vector<torch::Tensor> parameters, const AveragerOptions& options,
              Progress& progress);
    ~SharedSum();
    SharedSum(const SharedSum&) = delete;
    SharedSum& operator=(const SharedSum&) = delete;

    void prepareForward(bool sync); // as that of GradientAverager
    // The gradients of this rank's step `count` (from 1) are complete: waits for those of the others, and until the
    // hosts' sums are added up where there are several.
    void waitForGradients(std::int64_t count);

    optim::NamedTensors shareCarried(); // as that of GradientAverager

    const std::shared_ptr<SharedSegment>& segment() const { return m_segment; }
    const FlatLayout& layout() const { return m_parts.layout; }
    SharedGates& gates() { return m_gates; }
    std::size_t ranks() const { return m_parts.hosts.own().size(); } // of this host
    std::size_t indexOnHost() const { return m_parts.hosts.index; }  // this rank's among them
    bool spansHosts() const { return m_parts.hosts.hosts.size() > 1; }
    std::size_t firstBlock() const { return m_firstBlock; } // this rank's share
    std::size_t endBlock() const { return m_endBlock; }
    const torch::Tensor& gradient(std::size_t parameter) const { return m_gradients[parameter].view; }

    // Adds up a block of the share over this host's ranks, as parts in the mean over all; after waitForGradients().
    void sumBlock(const FlatBlock& block, float* out);
    // `out` may be one of the ranks' buffers.
    void sumBlockOver(const FlatBlock& block, float* out);
    // Where the sum of this rank's blocks goes when it has to be inspected before use; over several hosts it is there
    // after waitForGradients(). It may overwrite gradients there: only this rank reads the blocks of its share.
    float* summed() const { return m_segment->gradients(spansHosts() ? 0 : indexOnHost()); }
    float* scratch() { return m_scratch.data(); } // room for one block

private:
    void planOrders();
    void gradientReady(std::size_t index);
    void takeOver(std::size_t index);

    SharedParts m_parts;
    std::shared_ptr<SharedSegment> m_segment;
    Progress& m_progress;
    std::vector<torch::Tensor> m_parameters;
    SharedGates m_gates;
    std::optional<HostsSum> m_hostsSum;             // where there are several
    std::vector<kernels::GradientSlot> m_gradients; // this rank's, one for each parameter
    std::vector<std::vector<const float*>> m_orders;
    std::vector<const float*> m_sources;
    float m_factor = 1; // a gradient's part in the mean
    std::size_t m_firstBlock = 0, m_endBlock = 0;
    bool m_fresh = true;
    alignas(64) std::array<float, kNormBlock> m_scratch{};
    GradientHooks m_hooks;
};

} // namespace trainyard::train
