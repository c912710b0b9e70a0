// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/hosts_sum.h"

#include <algorithm>
#include <stdexcept>

namespace trainyard::train {

HostsSum::HostsSum(SharedParts& parts, SharedGates& gates, Progress& progress, SumBlock sumBlock)
    : m_parts(parts), m_gates(gates), m_progress(progress), m_sumBlock(std::move(sumBlock)),
      m_flats(bucketsAt(parts.segment, parts.layout)), m_works(m_flats.size()), m_missing(m_flats.size()),
      m_ready(parts.layout.bucketOf.size()) {}

void HostsSum::begin(bool first, bool sync) {
    m_sync = sync;
    std::fill(m_ready.begin(), m_ready.end(), false);
    if (!first) return;
    // A program on the library may catch what a pass throws, and repeat it: the other ranks have seen the first one.
    if (m_filled > 0) throw std::runtime_error("a backward pass between hosts was cut short: start the run anew");
    for (std::size_t b = 0; b < m_missing.size(); ++b) m_missing[b] = m_parts.layout.buckets[b].parameters;
}

void HostsSum::gradientReady(std::size_t parameter) {
    if (!m_sync) return;
    if (!m_ready[parameter]) {
        m_ready[parameter] = true;
        --m_missing[m_parts.layout.bucketOf[parameter]];
        const std::size_t before = m_filled;
        while (m_filled < m_missing.size() && m_missing[m_filled] == 0) ++m_filled;
        if (m_filled > before) m_gates.pass(Gate::Filled, gateCount(m_filled));
    }
    advance();
}

void HostsSum::finish(std::int64_t count) {
    m_filled = m_missing.size();
    m_gates.pass(Gate::Filled, gateCount(m_filled));
    m_progress.setCollective(Engine::tr("wait for the gradients of the other ranks"));
    for (std::size_t b = 0; b < m_filled; ++b) {
        m_gates.waitForAll(Gate::Filled, gateCount(b + 1));
        advance();
        if (!isFirst()) continue;
        m_gates.waitForAll(Gate::Summed, gateCount(b + 1));
        advance();
    }
    m_progress.setCollective(Engine::tr("all-reduce between the hosts")); // one rank per host runs it, all wait
    if (isFirst()) {
        for (std::size_t b = 0; b < m_filled; ++b) wait(b);
        m_gates.pass(Gate::Crossed, count);
    } else {
        m_gates.wait(Gate::Crossed, 0, count);
    }
    m_before += static_cast<std::int64_t>(m_filled);
    m_filled = m_summed = m_started = 0;
}

// In the order of the buckets on every rank, whatever order the gradients come in: collectives must match across hosts.
void HostsSum::advance() {
    for (; m_summed < m_filled && m_gates.allPassed(Gate::Filled, gateCount(m_summed + 1)); ++m_summed) {
        sumShare(m_parts.layout.buckets[m_summed]);
        m_gates.pass(Gate::Summed, gateCount(m_summed + 1));
    }
    if (!isFirst()) return;
    while (m_started < m_summed && m_gates.allPassed(Gate::Summed, gateCount(m_started + 1))) start(m_started++);
    if (m_parts.compressed) m_parts.compressed->advance();
}

void HostsSum::sumShare(const FlatBucket& bucket) {
    const std::size_t ranks = m_parts.hosts.own().size(), index = m_parts.hosts.index;
    const std::size_t end = bucket.blocks.size() * (index + 1) / ranks;
    for (std::size_t b = bucket.blocks.size() * index / ranks; b < end; ++b)
        m_sumBlock(m_parts.layout.blocks[bucket.blocks[b]]);
}

void HostsSum::start(std::size_t bucket) {
    if (m_parts.compressed) m_parts.compressed->start(bucket);
    else m_works[bucket] = m_parts.between.startSum(m_flats[bucket]);
}

void HostsSum::wait(std::size_t bucket) {
    if (m_parts.compressed) return m_parts.compressed->wait(bucket);
    m_parts.between.wait(*m_works[bucket]);
    m_works[bucket].reset();
}

} // namespace trainyard::train
