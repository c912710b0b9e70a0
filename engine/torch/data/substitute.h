// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/random.h"

#include <cstdint>

namespace trainyard::data {

inline constexpr int kMostSubstitutes = 100; // samples that are tried in the place of one

// Rule: which sample takes the place of one that cannot be read: the same on every rank, and in every run.
inline std::int64_t substituteOf(std::int64_t sample, std::int64_t attempt, std::int64_t seed, std::int64_t samples) {
    constexpr std::uint64_t kOfSubstitutes = 0x73756273; // a stream of its own: "subs"
    Random random(static_cast<std::uint64_t>(seed) ^ (kOfSubstitutes << 32),
                  static_cast<std::uint64_t>(sample) * kMostSubstitutes + static_cast<std::uint64_t>(attempt));
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(samples)));
}

} // namespace trainyard::data
