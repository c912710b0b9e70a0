// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/sampler.h"

#include "engine/torch/data/random.h"

#include <stdexcept>

namespace trainyard::data {

namespace {

// Fisher–Yates, from (seed, epoch) alone.
torch::Tensor shuffled(std::int64_t n, std::int64_t seed, std::int64_t epoch) {
    torch::Tensor order = torch::arange(n, torch::kInt64);
    std::int64_t* at = order.data_ptr<std::int64_t>();
    Random random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(epoch));
    for (std::int64_t i = n - 1; i > 0; --i) std::swap(at[i], at[random.below(static_cast<std::uint64_t>(i) + 1)]);
    return order;
}

} // namespace

Share shareOf(std::int64_t n, Part part) {
    const std::int64_t each = n / part.of, more = n % part.of;
    const std::int64_t begin = part.number * each + std::min(part.number, more);
    return {begin, begin + each + (part.number < more ? 1 : 0)};
}

ShardedSampler::ShardedSampler(const Options& options) : m_options(options) {
    if (options.batchPerRank < 1 || options.worldSize < 1 || options.rank < 0 || options.rank >= options.worldSize ||
        options.samples < 0)
        throw std::invalid_argument("ShardedSampler: needs batchPerRank >= 1 and 0 <= rank < worldSize");
    setEpoch(0);
}

void ShardedSampler::setEpoch(std::int64_t epoch) {
    if (epoch == m_epoch) return;
    const std::int64_t samples = m_options.samples, seed = m_options.seed;
    if (!m_options.shuffle) {
        if (m_epoch < 0) m_order = torch::arange(samples, torch::kInt64);
    } else if (m_options.orderOf) {
        m_order = m_options.orderOf(epoch);
    } else if (m_options.blocks && samples > 0) {
        m_blocks.emplace(samples, EpochSeed{.seed = seed, .epoch = epoch});
    } else if (samples > kShuffledInMemory) {
        m_permutation.emplace(samples, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(epoch));
    } else {
        m_order = shuffled(samples, seed, epoch);
    }
    m_epoch = epoch;
}

std::int64_t ShardedSampler::batchesPerEpoch() const {
    const std::int64_t global = m_options.batchPerRank * m_options.worldSize;
    return m_options.dropLast ? m_options.samples / global : (m_options.samples + global - 1) / global;
}

torch::Tensor ShardedSampler::evenTail(std::int64_t begin, std::int64_t size) const {
    const std::int64_t least = std::min(m_options.leastPerRank, m_options.batchPerRank);
    const std::int64_t each = std::max((size + m_options.worldSize - 1) / m_options.worldSize, least);
    const std::int64_t from = begin + m_options.rank * each;
    return ordered(from, each);
}

torch::Tensor ShardedSampler::ordered(std::int64_t begin, std::int64_t count) const {
    if (m_order.defined() && begin + count <= m_options.samples) return m_order.narrow(0, begin, count);
    if (m_blocks && begin + count <= m_options.samples) {
        torch::Tensor samples = torch::empty({count}, torch::kInt64);
        m_blocks->write(begin, count, samples.data_ptr<std::int64_t>());
        return samples;
    }
    torch::Tensor places = torch::arange(begin, begin + count, torch::kInt64).remainder_(m_options.samples);
    if (m_order.defined()) return m_order.index_select(0, places);
    std::int64_t* place = places.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) place[i] = m_blocks ? m_blocks->at(place[i]) : m_permutation->at(place[i]);
    return places;
}

torch::Tensor ShardedSampler::indices(std::int64_t batchNumber) const {
    if (batchNumber < 0 || batchNumber >= batchesPerEpoch())
        throw std::out_of_range("ShardedSampler: batch " + std::to_string(batchNumber) + " of " +
                                std::to_string(batchesPerEpoch()));
    const std::int64_t global = m_options.batchPerRank * m_options.worldSize;
    const std::int64_t begin = batchNumber * global;
    const std::int64_t size = std::min(global, m_options.samples - begin);
    if (m_options.even && size < global) return evenTail(begin, size);
    const Share share = shareOf(size, {.number = m_options.rank, .of = m_options.worldSize});
    return ordered(begin + share.begin, share.size());
}

std::vector<std::int64_t> ShardedSampler::soonRead(std::int64_t batchNumber, bool begins) const {
    if (!m_blocks) return {};
    constexpr std::int64_t kWindow = BlockOrder::kBlock * BlockOrder::kWindow;
    const std::int64_t global = m_options.batchPerRank * m_options.worldSize, begin = batchNumber * global;
    const std::int64_t from = begins || begin == 0 ? begin / kWindow * kWindow : begin + kWindow;
    return m_blocks->blocks(from, begin + global + kWindow);
}

} // namespace trainyard::data
