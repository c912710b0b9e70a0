// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/exchange/replica_rings.h"

#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

namespace trainyard::serve {
namespace {

constexpr std::uint32_t kLast = 0x80000000; // the last slot of a batch

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
    (void)::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, nullptr, nullptr, 0);
}

} // namespace

RingsOfServer::RingsOfServer(ReplicaRings& rings) : m_rings(&rings) {
    rings.given = 0;
    rings.done = 0;
    rings.sleeps = 0;
}

void RingsOfServer::give(std::span<const std::uint32_t> slots) {
    for (std::size_t i = 0; i < slots.size(); ++i)
        m_rings->orders[(m_given + i) % kRingSlots] = slots[i] | (i + 1 == slots.size() ? kLast : 0);
    m_given += static_cast<std::uint32_t>(slots.size());
    // Sequentially consistent on both sides: either the replica sees the new count before it sleeps, or it is seen here
    // to sleep.
    m_rings->given.store(m_given);
    if (m_rings->sleeps.load() != 0) futex(m_rings->given, FUTEX_WAKE, INT_MAX);
}

bool RingsOfServer::hasNext() const {
    if (m_rings == nullptr) return false;
    const std::uint32_t done = m_rings->done.load();
    return done != m_read && done - m_read <= m_given - m_read;
}

std::optional<std::uint32_t> RingsOfServer::next() {
    if (!hasNext()) return std::nullopt;
    return m_rings->answers[m_read++ % kRingSlots];
}

RingsOfReplica::RingsOfReplica(ReplicaRings& rings, std::atomic<std::uint32_t>& serverSleeps, int bell)
    : m_rings(rings), m_serverSleeps(serverSleeps), m_bell(bell) {}

std::vector<std::uint32_t> RingsOfReplica::take() {
    while (m_rings.given.load() == m_taken) {
        m_rings.sleeps.store(1);
        if (m_rings.given.load() == m_taken) futex(m_rings.given, FUTEX_WAIT, m_taken);
        m_rings.sleeps.store(0);
    }
    std::vector<std::uint32_t> slots;
    for (bool last = false; !last;) {
        const std::uint32_t order = m_rings.orders[m_taken++ % kRingSlots];
        last = (order & kLast) != 0;
        slots.push_back(order & ~kLast);
    }
    return slots;
}

void RingsOfReplica::finish(std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) m_rings.answers[m_done++ % kRingSlots] = slot;
    m_rings.done.store(m_done);
    const std::uint64_t one = 1;
    if (m_serverSleeps.load() != 0) (void)!::write(m_bell, &one, sizeof one);
}

} // namespace trainyard::serve
