// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <vector>

namespace trainyard::ui {

// The parts of a rank's time, in this order wherever they stand side by side.
enum class TimePart { Data, Compute, Communication, Wait };
inline constexpr std::size_t kTimeParts = 4;
using TimeShares = std::array<float, kTimeParts>; // 0..1; the sum is below 1 if the rank did other work
QString timePartName(TimePart part);              // "compute"
inline float& shareOf(TimeShares& shares, TimePart part) { return shares[static_cast<std::size_t>(part)]; }
inline float shareOf(const TimeShares& shares, TimePart part) { return shares[static_cast<std::size_t>(part)]; }

// A piece of a rank's time; seconds of training.
struct TimeSpan {
    double from = 0, to = 0;
    TimeShares shares{};
};

// The time of one rank, sorted, without overlaps. A gap: the rank was silent.
struct RankLane {
    int rank = 0;
    std::vector<TimeSpan> spans;
};

double endOf(const std::vector<RankLane>& lanes); // 0 without any
// Means of a lane between two times; gaps do not count.
TimeShares meanShares(const RankLane& lane, double from, double to);

} // namespace trainyard::ui
