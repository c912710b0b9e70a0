// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of an epoch's samples that need no memory: which sample stands at a place follows from (seed, epoch, place)
// alone, so a run resumes anywhere for nothing.
#pragma once

#include <array>
#include <cstdint>

namespace trainyard::data {

// A permutation of 0..n-1 chosen by a key: a Feistel network of six rounds over a grid of a x b >= n places, whose
// halves are added to modulo a and b; a result past n-1 goes through it again (Black and Rogaway, Ciphers with
// Arbitrary Finite Domains, CT-RSA 2002).
class KeyedPermutation {
public:
    // n >= 1.
    KeyedPermutation(std::int64_t n, std::uint64_t seed, std::uint64_t stream);
    // 0 <= place < n.
    std::int64_t at(std::int64_t place) const;

private:
    static constexpr std::size_t kRounds = 6;
    std::uint64_t m_n, m_a, m_b;
    std::array<std::uint64_t, kRounds> m_keys{};
};

// Neighbours stay together as they are read: blocks of kBlock samples in a random order, and within each window of
// kWindow such blocks every sample at a random place.
class BlockOrder {
public:
    static constexpr std::int64_t kBlock = 64, kWindow = 1024;

    // n >= 1.
    BlockOrder(std::int64_t n, std::int64_t seed, std::int64_t epoch);
    // 0 <= place < n.
    std::int64_t at(std::int64_t place) const;

private:
    std::int64_t m_n, m_whole, m_rest; // samples, whole blocks, samples of the last block where it is shorter
    std::uint64_t m_seed, m_epoch;
    KeyedPermutation m_blocks; // of the whole blocks
    std::int64_t m_restAt;     // how many of them come before the short one
};

} // namespace trainyard::data
