// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/epoch_order.h"

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace trainyard::data {

// More samples are shuffled by a KeyedPermutation, which needs no memory; up to that many by Fisher and Yates's method.
inline constexpr std::int64_t kShuffledInMemory = std::int64_t{1} << 20;

// Deals the training samples of each epoch to the ranks. The order is a pure function of (seed, epoch), so a run
// resumes at any batch without replaying the ones before, and every rank works out its own share.
//
// Batch b of an epoch takes the next batchPerRank * worldSize samples of the order; rank r gets the r-th contiguous
// batchPerRank of them. All ranks have the same number of batches. With dropLast the tail that does not fill a batch on
// every rank is left out of that epoch; the order changes each epoch, so no sample is left out for good. Without it the
// last global batch is smaller, and is dealt in one of two ways:
// - even (training): every rank gets the same number, for which the order is continued from its front, as
//   torch.utils.data.DistributedSampler does. Fewer than worldSize samples appear twice, and the mean of the ranks'
//   means is the mean over all.
// - else as evenly as it goes: each sample appears exactly once, ranks differ by at most one sample, and a rank's last
//   batch may be empty.
class ShardedSampler {
public:
    struct Options {
        std::int64_t samples = 0; // in the split
        std::int64_t batchPerRank = 1;
        int rank = 0, worldSize = 1;
        std::int64_t seed = 0;
        bool shuffle = true;
        bool blocks = false; // shuffled as BlockOrder does
        bool dropLast = true;
        bool even = false;
        std::int64_t leastPerRank = 1; // in an even tail, as far as a batch has that many
        // The samples of an epoch in another order, int64 [samples]; a pure function of the epoch. Empty: shuffled.
        std::function<torch::Tensor(std::int64_t)> orderOf{};
    };
    explicit ShardedSampler(const Options& options);

    // Takes effect at once; epochs count from 0.
    void setEpoch(std::int64_t epoch);
    std::int64_t epoch() const { return m_epoch; }
    // The same number on every rank; 0 when dropLast leaves nothing.
    std::int64_t batchesPerEpoch() const;
    // int64 [n] on the CPU: this rank's samples of batch `batchNumber` of the current epoch. May be a view; do not
    // write. n == batchPerRank with dropLast. Throws std::out_of_range.
    torch::Tensor indices(std::int64_t batchNumber) const;
    // The first samples of blocks of neighbours (BlockOrder::kBlock) that are read a window or less after that batch,
    // for whoever can have them brought near in the meantime; those that were told for the batch before are left out,
    // unless it `begins` here. None in any other order.
    bool inBlocks() const { return m_blocks.has_value(); }
    std::vector<std::int64_t> soonRead(std::int64_t batchNumber, bool begins) const;

private:
    torch::Tensor evenTail(std::int64_t begin, std::int64_t size) const;
    // The samples at `count` places of the order from `begin` on; past the end it begins again.
    torch::Tensor ordered(std::int64_t begin, std::int64_t count) const;

    Options m_options;
    std::int64_t m_epoch = -1;
    torch::Tensor m_order; // int64 [samples]; undefined with an order that is computed
    std::optional<KeyedPermutation> m_permutation;
    std::optional<BlockOrder> m_blocks;
};

// Which of how many equal parts, counted from 0: a rank's, or a pass's.
struct Part {
    std::int64_t number = 0, of = 1;
};
// Validation: a part's contiguous share [begin, end) of n samples. Shares cover 0..n once and differ by at most one.
struct Share {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};
Share shareOf(std::int64_t n, Part part);

} // namespace trainyard::data
