// SPDX-License-Identifier: GPL-3.0-or-later
// A run's checkpoints on the disk: present and future size, and whether there is room.
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/rows.h"

#include <string>
#include <vector>

namespace trainyard::run {

// Facts about a run and its disk.
struct DiskFacts {
    std::vector<store::CheckpointRow> checkpoints; // oldest first
    spec::CheckpointPolicy policy;
    std::int64_t freeBytes = 0; // of the disk that the run's folder is on
    std::int64_t startedMs = 0; // wall time at which the run started
    double secondsLeft = -1;    // until the run ends; negative: not known
    bool active = true;         // it may save more
};

// The forecast.
struct DiskForecast {
    enum class Level {
        Fine, // room for all that will be kept
        Low,  // the disk will be full before the run ends
        Full  // no room for another checkpoint
    };
    Level level = Level::Fine;
    std::int64_t bytes = 0;     // that the checkpoints take now
    std::int64_t mostBytes = 0; // that they will take together, while one is being written
    std::int64_t eachBytes = 0; // of the next checkpoint, as large as the latest
    std::int64_t freeBytes = 0;
    double secondsBetween = 0; // two checkpoints; 0: not known
    double secondsToFull = -1; // at this rate; negative: never
    int savesToFull = -1;      // checkpoints that still fit; negative: as many as will come
};

// Rule: what checkpoints take on the disk.
// Unknown for a run without a checkpoint: Fine, and zeros.
DiskForecast forecastDisk(const DiskFacts& facts);
// For a stored run, with the current free space of its disk. Input: its run file cannot be read.
Result<DiskForecast> forecastDisk(const store::RunRow& run, std::vector<store::CheckpointRow> checkpoints,
                                  double secondsLeft);

// Seconds until a stored run ends, from its steps so far; negative if unknown.
double secondsLeft(const store::RunRow& run);

// "checkpoints take 1.2 GB, at most 2.4 GB; 41 GB are free"
Sentence describe(const DiskForecast& forecast);
// Rule: whether the disk has room for a run's checkpoints.
// The warning, in one sentence with its remedy; empty while there is room.
std::string diskWarning(const DiskForecast& forecast);

} // namespace trainyard::run
