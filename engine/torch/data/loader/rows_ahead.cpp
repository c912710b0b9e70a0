// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/loader/rows_ahead.h"

#include "engine/torch/data/epoch_order.h"
#include "engine/torch/data/kept/read_ahead.h"

#include <algorithm>

namespace trainyard::data {

namespace {

constexpr std::size_t kBlocksAtOnce = 16;  // blocks
constexpr std::size_t kBlocksBetween = 48; // blocks between a place and its rows: that long the disk may take

std::vector<std::int64_t> takeFirst(std::deque<std::int64_t>& from, std::size_t most) {
    std::vector<std::int64_t> taken;
    for (; !from.empty() && taken.size() < most; from.pop_front()) taken.push_back(from.front());
    return taken;
}

// Where sample i of a tensor's first dimension stands, and how many bytes `count` of them have.
void bringSamplesNear(const torch::Tensor& of, std::int64_t i, std::int64_t count) {
    if (!of.defined() || !of.is_cpu() || of.size(0) == 0) return;
    const auto each = static_cast<std::int64_t>(of.nbytes()) / of.size(0);
    const auto some = std::min(count, of.size(0) - i);
    bringNear(static_cast<const char*>(of.data_ptr()) + i * each, static_cast<std::size_t>(some * each));
}

} // namespace

void RowsAhead::add(std::span<const std::int64_t> blocks) {
    for (const std::int64_t block : blocks) m_fresh.push_back(block);
}

std::optional<RowsAhead::Some> RowsAhead::next() {
    if (!m_fresh.empty()) {
        Some some{takeFirst(m_fresh, kBlocksAtOnce), true};
        for (const std::int64_t block : some.blocks) m_placed.push_back(block);
        return some;
    }
    if (m_placed.size() < kBlocksBetween + kBlocksAtOnce) return {};
    return Some{takeFirst(m_placed, kBlocksAtOnce), false};
}

void RowsAhead::announce(const Some& some) const {
    for (const std::int64_t first : some.blocks) {
        const std::int64_t count = std::min(BlockOrder::kBlock, m_split.size() - first);
        if (some.places) {
            bringSamplesNear(m_split.rows, first, count);
            bringSamplesNear(m_split.targets, first, count);
        } else {
            const auto* const rows = m_split.rows.data_ptr<std::int64_t>() + first;
            m_split.source->announce({rows, static_cast<std::size_t>(count)});
        }
    }
}

void RowsAhead::announce(const torch::Tensor& samples) const {
    const auto* const sample = samples.data_ptr<std::int64_t>();
    const std::int64_t n = samples.size(0);
    if (n == 0) return;
    std::int64_t least = sample[0], most = sample[0];
    for (std::int64_t i = 1; i < n; ++i) {
        least = std::min(least, sample[i]);
        most = std::max(most, sample[i]);
    }
    if (most - least < 4 * n) { // in the order of the part
        bringSamplesNear(m_split.rows, least, most + 1 - least);
        bringSamplesNear(m_split.targets, least, most + 1 - least);
    }
    std::vector<std::int64_t> rows(static_cast<std::size_t>(n));
    const auto* const rowOf = m_split.rows.data_ptr<std::int64_t>();
    std::transform(sample, sample + n, rows.begin(), [&](std::int64_t each) { return rowOf[each]; });
    std::sort(rows.begin(), rows.end());
    m_split.source->announce(rows);
}

void RowsAhead::touchTargets(std::span<const std::int64_t> samples) const {
    const torch::Tensor& targets = m_split.targets;
    if (!targets.defined() || !targets.is_cpu() || targets.size(0) == 0) return;
    const auto each = static_cast<std::int64_t>(targets.nbytes()) / targets.size(0);
    const auto* const from = static_cast<const volatile std::byte*>(targets.data_ptr());
    for (const std::int64_t sample : samples) (void)from[sample * each];
}

} // namespace trainyard::data
