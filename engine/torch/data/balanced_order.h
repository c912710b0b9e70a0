// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace trainyard::data {

// Which samples an epoch is made of where rare classes are drawn more often than they are there: as many as there are
// samples, n^(1 - balance) of a class of n, brought to that sum by largest remainders. Each class is gone through in
// permutations of its own, one after another from epoch to epoch, so of one class no sample is drawn twice more often
// than another. A pure function of (seed, epoch), for any number of ranks: nothing is kept.
class BalancedOrder {
public:
    // `classes`: int64 [n], of the training samples; `balance` above 0, up to 1.
    BalancedOrder(const torch::Tensor& classes, double balance, std::int64_t seed);
    // int64 [n]: the samples of an epoch, in the order of training.
    torch::Tensor ofEpoch(std::int64_t epoch) const;
    // How many samples of each class an epoch has.
    const std::vector<std::int64_t>& counts() const { return m_counts; }

private:
    std::vector<std::vector<std::int64_t>> m_samples; // of each class
    std::vector<std::int64_t> m_counts;
    std::int64_t m_seed;
};

// Input where classes cannot be balanced: the samples have none, or are not drawn but taken in turn.
Result<void> checkBalance(const spec::RunSpec& spec, const Dataset& dataset);

} // namespace trainyard::data
