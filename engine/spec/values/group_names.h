// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::spec {

// Rule: the short name of a setting.
// The last word of its path ("optimizer.lr" -> "lr"), or "batch (global)", "batch (per rank)".
std::string shortPath(std::string_view path);

// What tells a group of runs from others.
struct GroupName {
    std::string brief; // the fewest settings that do, and as few digits: "lr 0.03, adam"
    std::string full;  // all of them, a line each: "optimizer.lr 0.03"
    bool operator==(const GroupName&) const = default;
};

// Rule: how groups of runs are named.
// By the settings `paths` in which they differ; `values`: of each group in the order of `paths`, empty where it has no
// such setting. Settings come first that tell more groups apart; among those that tell as many, the model, the data
// and the optimizer. Both names are empty without such settings.
std::vector<GroupName> groupNames(const std::vector<std::string>& paths,
                                  const std::vector<std::vector<std::string>>& values);
// The same for configurations, each given by the settings (flatSettings) of one of its runs.
std::vector<GroupName>
configurationNames(const std::vector<std::vector<std::pair<std::string, std::string>>>& configurations);

} // namespace trainyard::spec
