// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: upper limits that more than one place names.
// For fields of a run file; those of a learning rate are in learning_rate.h.
#pragma once

#include <cstdint>

namespace trainyard::spec {

inline constexpr std::int64_t kMaxEpochs = 1'000'000;
inline constexpr std::int64_t kMaxSteps = 1'000'000'000'000;
inline constexpr std::int64_t kMaxBatch = 10'000'000;
inline constexpr std::int64_t kMaxWorkers = 1024;
inline constexpr std::int64_t kMaxCompressionRank = 256;

} // namespace trainyard::spec
