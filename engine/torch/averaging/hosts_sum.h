// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/shared_rendezvous.h"
#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/shared_gates.h"

#include <functional>
#include <vector>

namespace trainyard::train {

// Between hosts whose ranks share memory: once a bucket is full on every rank of a host, each rank adds up its share of
// it, and the first rank sends the host's sum to the first ranks of the other hosts. Backward continues meanwhile: what
// has come is looked at when a gradient is ready, and waited for in finish(), the only function that waits.
class HostsSum {
public:
    // Adds up a block over this host's ranks, into the first rank's gradients.
    using SumBlock = std::function<void(const FlatBlock&)>;
    // All must outlive this.
    HostsSum(SharedParts& parts, SharedGates& gates, Progress& progress, SumBlock sumBlock);

    // A micro-batch begins: `first` of its step, and the last one where `sync`.
    void begin(bool first, bool sync);
    void gradientReady(std::size_t parameter);
    // All gradients of this rank's step `count` (from 1) are there, those that take no part as zeros. Waits until the
    // sums are in the first rank's gradients.
    void finish(std::int64_t count);

private:
    bool isFirst() const { return m_parts.hosts.index == 0; }
    void advance();
    void sumShare(const FlatBucket& bucket);
    void start(std::size_t bucket);
    void wait(std::size_t bucket);
    // What the gates call the first `buckets` of this step.
    std::int64_t gateCount(std::size_t buckets) const { return m_before + static_cast<std::int64_t>(buckets); }

    SharedParts& m_parts;
    SharedGates& m_gates;
    Progress& m_progress;
    const SumBlock m_sumBlock;
    std::vector<torch::Tensor> m_flats; // the buckets in the first rank's gradients
    std::vector<c10::intrusive_ptr<c10d::Work>> m_works;
    std::vector<std::size_t> m_missing; // gradients of each bucket
    std::vector<bool> m_ready;          // which parameters' are, in this backward
    bool m_sync = true;
    std::int64_t m_before = 0;                             // buckets of the steps before
    std::size_t m_filled = 0, m_summed = 0, m_started = 0; // buckets of this step
};

} // namespace trainyard::train
