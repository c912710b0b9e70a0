// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of an epoch's samples that need no memory: which sample stands at a place follows from (seed, epoch, place)
// alone, so a run resumes anywhere for nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace trainyard::data {

// What the random numbers of an epoch depend on: the run's seed, and the epoch, counted from 0.
struct EpochSeed {
    std::int64_t seed = 0, epoch = 0;
};

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
    // x modulo a number below 2^32 that is divided by over and over: by its reciprocal, and exact.
    __extension__ using Wide = unsigned __int128;
    struct Divisor {
        std::uint64_t number = 1, reciprocal = 0;
        std::uint64_t quotient(std::uint64_t x) const {
            auto found = static_cast<std::uint64_t>((static_cast<Wide>(x) * reciprocal) >> 64);
            while (x - found * number >= number) ++found; // it is a little too small at most
            return found;
        }
        std::uint64_t rest(std::uint64_t x) const { return x - quotient(x) * number; }
    };

    static constexpr std::size_t kRounds = 6;
    std::uint64_t m_n;
    Divisor m_a, m_b;
    std::array<std::uint64_t, kRounds> m_keys{};
};

// Neighbours stay together as they are read: blocks of kBlock samples in a random order, and within each window of
// kWindow such blocks every sample at a random place.
class BlockOrder {
public:
    static constexpr std::int64_t kBlock = 64, kWindow = 1024;

    // n >= 1.
    BlockOrder(std::int64_t n, EpochSeed of);
    // 0 <= place < n.
    std::int64_t at(std::int64_t place) const;
    // The samples at `count` places from `begin` on, one behind another.
    void write(std::int64_t begin, std::int64_t count, std::int64_t* to) const;
    // The first samples of the blocks that begin at the places from `begin` to before `end`, which may be past the
    // last: what is read when the windows that hold these places are. Of a short block's neighbours one may be missing.
    std::vector<std::int64_t> blocks(std::int64_t begin, std::int64_t end) const;

private:
    KeyedPermutation within(std::int64_t window) const;
    std::int64_t sampleAt(std::int64_t mixed) const;

    std::int64_t m_n, m_whole, m_rest; // samples, whole blocks, samples of the last block where it is shorter
    std::uint64_t m_seed, m_epoch;
    KeyedPermutation m_blocks; // of the whole blocks
    std::int64_t m_restAt;     // how many of them come before the short one
};

} // namespace trainyard::data
