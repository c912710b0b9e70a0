// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/balanced_order.h"

#include "engine/spec/run/field_use.h"
#include "engine/torch/data/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::data {
namespace {

constexpr std::uint64_t kStream = 0x62616C616E6365; // its own streams: "balance"

void shuffleNumbers(std::vector<std::int64_t>& numbers, Random random) {
    for (std::size_t i = numbers.size(); i-- > 1;) std::swap(numbers[i], numbers[random.below(i + 1)]);
}

// `total` in shares of n^(1 - balance), by largest remainders; of two equal ones the first class gets more.
std::vector<std::int64_t> drawnOf(const std::vector<std::vector<std::int64_t>>& samples, double balance,
                                  std::int64_t total) {
    std::vector<double> wanted;
    for (const auto& ofClass : samples)
        wanted.push_back(ofClass.empty() ? 0 : std::pow(static_cast<double>(ofClass.size()), 1 - balance));
    const double sum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    std::vector<std::int64_t> counts;
    std::vector<std::size_t> byRemainder;
    std::int64_t left = total;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
        wanted[c] *= static_cast<double>(total) / sum;
        counts.push_back(static_cast<std::int64_t>(wanted[c]));
        left -= counts.back();
        if (!samples[c].empty()) byRemainder.push_back(c);
    }
    std::stable_sort(byRemainder.begin(), byRemainder.end(), [&](std::size_t a, std::size_t b) {
        return wanted[a] - std::floor(wanted[a]) > wanted[b] - std::floor(wanted[b]);
    });
    for (std::size_t i = 0; left > 0; i = (i + 1) % byRemainder.size(), --left) ++counts[byRemainder[i]];
    return counts;
}

} // namespace

BalancedOrder::BalancedOrder(const torch::Tensor& classes, double balance, std::int64_t seed) : m_seed(seed) {
    const torch::Tensor numbers = classes.cpu().contiguous();
    const std::int64_t n = numbers.size(0), *of = numbers.data_ptr<std::int64_t>();
    m_samples.resize(n == 0 ? 0 : static_cast<std::size_t>(*std::max_element(of, of + n)) + 1);
    for (std::int64_t i = 0; i < n; ++i) m_samples[static_cast<std::size_t>(of[i])].push_back(i);
    m_counts = drawnOf(m_samples, balance, n);
}

torch::Tensor BalancedOrder::ofEpoch(std::int64_t epoch) const {
    std::vector<std::int64_t> drawn;
    const auto seed = static_cast<std::uint64_t>(m_seed);
    for (std::size_t c = 0; c < m_samples.size(); ++c) {
        const auto n = static_cast<std::int64_t>(m_samples[c].size());
        if (n == 0) continue;
        // The class's places of all epochs in a row: those of this one, from its permutations of n places each.
        std::int64_t place = epoch * m_counts[c];
        const std::int64_t end = place + m_counts[c];
        while (place < end) {
            const std::int64_t round = place / n, stop = std::min(end, (round + 1) * n);
            std::vector<std::int64_t> permutation = m_samples[c];
            shuffleNumbers(permutation, Random(seed ^ kStream ^ (static_cast<std::uint64_t>(c) << 32),
                                               static_cast<std::uint64_t>(round)));
            drawn.insert(drawn.end(), permutation.begin() + (place - round * n),
                         permutation.begin() + (stop - round * n));
            place = stop;
        }
    }
    shuffleNumbers(drawn, Random(seed ^ kStream, ~static_cast<std::uint64_t>(epoch)));
    return torch::tensor(drawn, torch::kInt64);
}

Result<void> checkBalance(const spec::RunSpec& spec, const Dataset& dataset) {
    if (spec.data.balance == 0) return {};
    const char* field = "data.balance";
    if (const auto refusal = spec::whyUnused(field, toString(dataset.task), nullptr))
        return inputError(refusal->why, field, refusal->remedy);
    if (spec.debug.overfitBatches > 0)
        return inputError("draws samples, and debug.overfitBatches takes the first ones as they are", field,
                          "set one of the two to 0");
    if (spec.data.order == "blocks")
        return inputError("draws each class from all samples, and data.order \"blocks\" takes neighbours together",
                          field, "set it to 0, or data.order to \"auto\"");
    return {};
}

} // namespace trainyard::data
