// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/epoch_order.h"

#include "engine/torch/data/random.h"

#include <algorithm>
#include <cmath>

namespace trainyard::data {

namespace {

constexpr std::uint64_t kOfBlocks = 0x626C6F636B73; // streams of their own: "blocks"
constexpr std::uint64_t kOfWindows = 0x77696E646F77;

std::uint64_t mixedBits(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

} // namespace

KeyedPermutation::KeyedPermutation(std::int64_t n, std::uint64_t seed, std::uint64_t stream)
    : m_n(static_cast<std::uint64_t>(n)) {
    m_a = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::sqrt(static_cast<double>(m_n))));
    m_b = (m_n + m_a - 1) / m_a;
    Random random(seed, stream);
    for (std::uint64_t& key : m_keys) key = random.next();
}

std::int64_t KeyedPermutation::at(std::int64_t place) const {
    auto x = static_cast<std::uint64_t>(place);
    do {
        std::uint64_t high = x / m_b, low = x % m_b;
        for (std::size_t round = 0; round < kRounds; round += 2) {
            high = (high + mixedBits(low + m_keys[round]) % m_a) % m_a;
            low = (low + mixedBits(high + m_keys[round + 1]) % m_b) % m_b;
        }
        x = high * m_b + low;
    } while (x >= m_n);
    return static_cast<std::int64_t>(x);
}

BlockOrder::BlockOrder(std::int64_t n, std::int64_t seed, std::int64_t epoch)
    : m_n(n), m_whole(n / kBlock), m_rest(n % kBlock), m_seed(static_cast<std::uint64_t>(seed)),
      m_epoch(static_cast<std::uint64_t>(epoch)),
      m_blocks(std::max<std::int64_t>(1, m_whole), m_seed, m_epoch ^ (kOfBlocks << 16)) {
    Random random(m_seed, m_epoch ^ kOfBlocks);
    m_restAt = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m_whole) + 1));
}

std::int64_t BlockOrder::at(std::int64_t place) const {
    constexpr std::int64_t kWindowSize = kBlock * kWindow;
    const std::int64_t window = place / kWindowSize, from = window * kWindowSize;
    const KeyedPermutation within(std::min(kWindowSize, m_n - from), m_seed ^ mixedBits(m_epoch ^ kOfWindows),
                                  static_cast<std::uint64_t>(window));
    const std::int64_t mixed = from + within.at(place - from), restFrom = m_restAt * kBlock;
    if (mixed >= restFrom && mixed < restFrom + m_rest) return m_whole * kBlock + (mixed - restFrom);
    const std::int64_t ofWhole = mixed < restFrom ? mixed : mixed - m_rest;
    return m_blocks.at(ofWhole / kBlock) * kBlock + ofWhole % kBlock;
}

} // namespace trainyard::data
