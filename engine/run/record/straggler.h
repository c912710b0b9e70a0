// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// The share of time, 0 to 1, that a rank waited for others in collectives, in a step or over some seconds.
struct RankWait {
    int rank = 0;
    std::string host; // empty: this computer
    double share = 0;
    bool operator==(const RankWait&) const = default;
};

// Rule: which rank the others wait for.
// The rank that waits least while some wait for long. Nothing if all wait alike.
std::optional<RankWait> stragglerOf(const std::vector<RankWait>& ranks);

} // namespace trainyard::run
