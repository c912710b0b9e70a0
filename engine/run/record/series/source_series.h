// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: under which names the points of a program's lesser sources are recorded.
// The best source of a program run feeds its curves (METRICS.md). What the others say stands beside them, in ordinary
// series under names of their own, which charts, tables and reports leave out unless they are asked for.
#pragma once

#include "engine/program/metrics/program_sources.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::run {

// What such a series tells, and where it is from.
struct SourceSeries {
    program::SourceKind kind = program::SourceKind::Printed;
    std::string name; // as the source calls it: "loss". Empty in what a keeper sends: all that the curves had so far
    bool operator==(const SourceSeries&) const = default;
};

// "source/printed/loss".
std::string sourceSeries(program::SourceKind kind, std::string_view name);
std::optional<SourceSeries> sourceOf(std::string_view series);
bool isSourceSeries(std::string_view series);

// Rule: which series tell how well a run does.
// Neither those of ranks and computers, nor those that stand beside the curves.
bool tellsOfTraining(std::string_view series);

} // namespace trainyard::run
