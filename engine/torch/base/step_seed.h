// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace trainyard::train {

// A separate random stream for each step of each rank (splitmix64), so that no generator state has to move between
// processes: any process that runs the step draws the same numbers.
inline std::uint64_t seedOfStep(std::int64_t seed, int rank, std::int64_t step) {
    std::uint64_t z = static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(rank) + 1) +
                      0xd1342543de82ef95u * static_cast<std::uint64_t>(step);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

} // namespace trainyard::train
