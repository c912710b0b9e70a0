// SPDX-License-Identifier: GPL-3.0-or-later
// Nameless shared memory between a service's server and the replicas of one version of a model: slots with what is to
// be computed, and rings of their numbers for each replica. The server owns it and trusts nothing that it reads there.
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace trainyard::serve {

// What a slot asks about. All but tensors are elements with their length in 4 bytes before each, as BYTES has them.
enum class SlotKind : std::uint32_t { Tensor, Image, Row, Text };
// What came of it. Bad: it cannot be read or does not fit; Broken: the model fails. Both have the error as JSON.
enum class SlotStatus : std::uint32_t { Waiting, Done, Bad, Broken };

inline constexpr std::size_t kSlotDimensions = 8;

// The head of a slot. The server writes the first part before it gives the number away; the replica the second.
struct SlotHead {
    std::uint32_t kind = 0, rows = 0; // SlotKind
    std::uint64_t inputBytes = 0;
    std::uint32_t wantsTensors = 0; // else JSON, as `trainyardctl predict --json` has for each input
    std::uint32_t top = 5, continueBy = 0;
    float temperature = 0;
    std::int64_t seed = 1;
    std::uint32_t dimensions = 0; // of a tensor, with that of the rows
    std::int64_t shape[kSlotDimensions] = {};

    std::uint32_t status = 0; // SlotStatus
    std::uint32_t batchRows = 0, computeUs = 0;
    std::uint64_t outputBytes = 0;
    std::uint32_t outputDimensions = 0;
    std::int64_t outputShape[kSlotDimensions] = {};
};

// Sizes of one such memory. Slots are as large as the largest body; what is not written to takes no memory.
struct ExchangeLayout {
    std::uint32_t slots = 0, replicas = 0;
    std::uint64_t inputBytes = 0, outputBytes = 0; // of a slot
    std::uint64_t bytes() const;                   // of all
};

struct ReplicaRings; // replica_rings.h

// A mapping of it.
class ExchangeMemory {
public:
    // A new one. Environment: no memory, or too many open files.
    static Result<ExchangeMemory> make(const ExchangeLayout& layout);
    // One that came from another process. Input: the file is smaller than its layout says.
    static Result<ExchangeMemory> map(UniqueFd fd, const ExchangeLayout& layout);
    ExchangeMemory(ExchangeMemory&& other) noexcept;
    ExchangeMemory& operator=(ExchangeMemory&& other) noexcept;
    ~ExchangeMemory();

    int fd() const { return m_fd.get(); }
    void closeFd() { m_fd.reset(); } // the mapping stays
    const ExchangeLayout& layout() const { return m_layout; }
    SlotHead& head(std::uint32_t slot) const;
    std::span<std::byte> input(std::uint32_t slot) const;
    std::span<std::byte> output(std::uint32_t slot) const;
    ReplicaRings& rings(std::uint32_t replica) const;
    // Gives back the memory of a slot that held much.
    void shrink(std::uint32_t slot) const;
    // Whether the server waits to be woken (ReplicaRings).
    std::atomic<std::uint32_t>& serverSleeps() const;

private:
    ExchangeMemory(UniqueFd fd, std::byte* base, const ExchangeLayout& layout)
        : m_fd(std::move(fd)), m_base(base), m_layout(layout) {}

    UniqueFd m_fd;
    std::byte* m_base = nullptr;
    ExchangeLayout m_layout;
};

} // namespace trainyard::serve
