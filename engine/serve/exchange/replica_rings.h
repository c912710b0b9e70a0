// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/exchange/exchange_memory.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace trainyard::serve {

inline constexpr std::uint32_t kRingSlots = 4096; // a power of two, and more than a replica ever has

// Both rings of a replica, as they lie in the memory. Each has one writer and one reader.
struct ReplicaRings {
    alignas(64) std::atomic<std::uint32_t> given{0}; // written by the server: how many numbers were given, ever
    std::atomic<std::uint32_t> sleeps{0};            // the replica waits for that to change
    alignas(64) std::atomic<std::uint32_t> done{0};  // written by the replica: how many came back, ever
    alignas(64) std::uint32_t orders[kRingSlots];
    std::uint32_t answers[kRingSlots];
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

// The server's end. Numbers that a replica writes are checked by who reads them.
class RingsOfServer {
public:
    RingsOfServer() = default;
    // Begins anew: no replica uses the rings.
    explicit RingsOfServer(ReplicaRings& rings);
    // One batch; wakes the replica where it sleeps.
    void give(std::span<const std::uint32_t> slots);
    // The next number that came back; nothing: none. A replica that claims more than it was given gives none.
    std::optional<std::uint32_t> next();
    bool hasNext() const;

private:
    ReplicaRings* m_rings = nullptr;
    std::uint32_t m_given = 0, m_read = 0;
};

// The replica's end.
class RingsOfReplica {
public:
    // `bell`: an eventfd that wakes the server.
    RingsOfReplica(ReplicaRings& rings, std::atomic<std::uint32_t>& serverSleeps, int bell);
    // Waits for the next batch.
    std::vector<std::uint32_t> take();
    // All of a batch is done.
    void finish(std::span<const std::uint32_t> slots);

private:
    ReplicaRings& m_rings;
    std::atomic<std::uint32_t>& m_serverSleeps;
    const int m_bell;
    std::uint32_t m_taken = 0, m_done = 0;
};

} // namespace trainyard::serve
