// SPDX-License-Identifier: GPL-3.0-or-later
// Has the disk bring near what the rows of a part need, while other rows are trained on.
#pragma once

#include "engine/torch/data/dataset.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace trainyard::data {

// Which rows a part has may stand in a mapped file, too: that place comes first, and some time later the rows
// themselves. add() and next() are called by one thread at a time, announce() by any.
class RowsAhead {
public:
    explicit RowsAhead(const Split& split) : m_split(split) {}

    // Blocks of neighbours (BlockOrder::kBlock) that begin at these samples of the part.
    void add(std::span<const std::int64_t> blocks);

    struct Some { // of the blocks
        std::vector<std::int64_t> blocks;
        bool places = false; // not yet the rows themselves
    };
    // What is to be announced now; none: nothing.
    std::optional<Some> next();
    // Tells the disk, and does not wait for it.
    void announce(const Some& some) const;
    // The same of some samples, whose places are read at once.
    void announce(const torch::Tensor& samples) const;
    // Waits for the disk until the targets of these samples are in memory, so that the thread that trains need not.
    void touchTargets(std::span<const std::int64_t> samples) const;

private:
    const Split& m_split;
    std::deque<std::int64_t> m_fresh, m_placed; // blocks whose places are still to be brought near, and whose are
};

} // namespace trainyard::data
