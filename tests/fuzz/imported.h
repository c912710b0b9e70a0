// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/imports/imported_run.h"
#include "tests/fuzz/require.h"

// What holds of every run that was read, whatever the bytes.
inline void requireSound(const trainyard::imports::ImportedRun& run) {
    for (const auto& [name, points] : run.series) {
        require(!points.empty(), "a series has points");
        for (std::size_t at = 1; at < points.size(); ++at) require(points[at - 1].step < points[at].step, "steps grow");
    }
    for (const auto& [name, points] : run.system) {
        require(!points.empty(), "a series has points");
        for (std::size_t at = 1; at < points.size(); ++at)
            require(points[at - 1].step <= points[at].step, "steps never fall");
    }
    require(run.skipped.size() <= trainyard::imports::ImportedRun::kMostNamed,
            "the list of what was skipped is bounded");
    require(run.skippedCount >= static_cast<std::int64_t>(run.skipped.size()), "all of them are counted");
    for (const auto& skipped : run.skipped)
        require(!skipped.where.empty() && !skipped.message.empty() && !skipped.remedy.empty(),
                "a skipped record is explained");
}

inline void requireExplained(const trainyard::Error& error) {
    require(!error.message.empty() && !error.where.empty(), "an error has a place and a message");
}
