// SPDX-License-Identifier: GPL-3.0-or-later
// The schedulers that a sweep file can name, in listing order. A new one needs a row here and the function that it
// names, in this folder.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/spec/sweep/axis.h"
#include "engine/sweep/schedule/scheduler.h"

#include <memory>

// clang-format off
#define TRAINYARD_SCHEDULERS(ROW) \
    ROW(fifoScheduler)            \
    ROW(ashaScheduler)            \
    ROW(halvingScheduler)         \
    ROW(hyperbandScheduler)       \
    ROW(medianScheduler)          \
    ROW(pbtScheduler)
// clang-format on

namespace trainyard::sweep {

// The inputs of a scheduler.
struct SchedulerFrame {
    double max = 1; // the length of the run that is varied, in the unit of t
    std::uint64_t seed = 1;
    bool openEnded = false; // no number of trials is given
    int seeds = 1;          // of each configuration
    bool paired = false;    // trials are compared by two series
    std::vector<spec::Axis> space{};
};

// One row of the table of schedulers.
struct SchedulerEntry {
    spec::Entry info;
    // Input, with the option's path: options that fit their ranges but not the run.
    Result<std::unique_ptr<Scheduler>> (*make)(const spec::Choice& options, const SchedulerFrame& frame);
    int randomEvery = 0; // a searcher that learns draws every n-th trial at random; 0: as it decides
    bool adopts = false; // it orders trials to adopt
};

#define TRAINYARD_DECLARE(entry) SchedulerEntry entry();
TRAINYARD_SCHEDULERS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

const std::vector<SchedulerEntry>& schedulers();

// Whether trials of a sweep with this scheduler adopt the states of others.
bool adopts(const std::string& scheduler);

// Options that several schedulers share: the first rung, and the factor between rungs.
spec::ParamInfo graceInfo();
spec::ParamInfo factorInfo();
// start, start * factor, … below max.
std::vector<double> rungsFrom(double start, double factor, double max);
// Input: the run is over before the option `grace`.
Result<void> checkGrace(const spec::Choice& options, const SchedulerFrame& frame);

} // namespace trainyard::sweep
