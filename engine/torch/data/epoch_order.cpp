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
    const auto divisor = [](std::uint64_t number) { return Divisor{number, ~std::uint64_t{0} / number}; };
    m_a = divisor(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::sqrt(static_cast<double>(m_n)))));
    m_b = divisor((m_n + m_a.number - 1) / m_a.number);
    Random random(seed, stream);
    for (std::uint64_t& key : m_keys) key = random.next();
}

std::int64_t KeyedPermutation::at(std::int64_t place) const {
    auto x = static_cast<std::uint64_t>(place);
    do {
        const auto sum = [](std::uint64_t a, std::uint64_t b, std::uint64_t most) {
            return a + b >= most ? a + b - most : a + b; // of two that are smaller
        };
        std::uint64_t high = m_b.quotient(x), low = x - high * m_b.number;
        for (std::size_t round = 0; round < kRounds; round += 2) {
            high = sum(high, m_a.rest(mixedBits(low + m_keys[round])), m_a.number);
            low = sum(low, m_b.rest(mixedBits(high + m_keys[round + 1])), m_b.number);
        }
        x = high * m_b.number + low;
    } while (x >= m_n);
    return static_cast<std::int64_t>(x);
}

BlockOrder::BlockOrder(std::int64_t n, EpochSeed of)
    : m_n(n), m_whole(n / kBlock), m_rest(n % kBlock), m_seed(static_cast<std::uint64_t>(of.seed)),
      m_epoch(static_cast<std::uint64_t>(of.epoch)),
      m_blocks(std::max<std::int64_t>(1, m_whole), m_seed, m_epoch ^ (kOfBlocks << 16)) {
    Random random(m_seed, m_epoch ^ kOfBlocks);
    m_restAt = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m_whole) + 1));
}

KeyedPermutation BlockOrder::within(std::int64_t window) const {
    return {std::min(kBlock * kWindow, m_n - window * kBlock * kWindow), m_seed ^ mixedBits(m_epoch ^ kOfWindows),
            static_cast<std::uint64_t>(window)};
}

// Of a place before its window is mixed.
std::int64_t BlockOrder::sampleAt(std::int64_t mixed) const {
    const std::int64_t restFrom = m_restAt * kBlock;
    if (mixed >= restFrom && mixed < restFrom + m_rest) return m_whole * kBlock + (mixed - restFrom);
    const std::int64_t ofWhole = mixed < restFrom ? mixed : mixed - m_rest;
    return m_blocks.at(ofWhole / kBlock) * kBlock + ofWhole % kBlock;
}

std::int64_t BlockOrder::at(std::int64_t place) const {
    std::int64_t sample = 0;
    write(place, 1, &sample);
    return sample;
}

void BlockOrder::write(std::int64_t begin, std::int64_t count, std::int64_t* to) const {
    for (std::int64_t place = begin; place < begin + count;) {
        const std::int64_t window = place / (kBlock * kWindow), from = window * kBlock * kWindow,
                           end = std::min(begin + count, from + kBlock * kWindow);
        const KeyedPermutation mixed = within(window);
        for (; place < end; ++place) *to++ = sampleAt(from + mixed.at(place - from));
    }
}

std::vector<std::int64_t> BlockOrder::blocks(std::int64_t begin, std::int64_t end) const {
    std::vector<std::int64_t> samples;
    for (std::int64_t place = (begin + kBlock - 1) / kBlock * kBlock; place < std::min(end, m_n); place += kBlock)
        samples.push_back(sampleAt(place) / kBlock * kBlock);
    return samples;
}

} // namespace trainyard::data
