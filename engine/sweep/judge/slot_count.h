// SPDX-License-Identifier: GPL-3.0-or-later
// The number of trials that run side by side, with its reason, for supervisor, terminal and window.
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/run/launch/room.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <optional>
#include <utility>

namespace trainyard::sweep {

// The hosts over which a sweep distributes its trials: those of its run file, if it names several and a trial has one
// worker. Else none: every trial uses the hosts of the run file.
std::vector<std::string> hostsOfTrials(const spec::SweepSpec& spec);

// The number of trials side by side, and its reason.
struct SlotCount {
    enum class Why {
        Asked,   // by the sweep file, or by a person
        Hosts,   // on each host of its trials
        Devices, // on each CUDA device of this computer
        Cores,   // as many as this computer's cores allow
    };
    Why why = Why::Cores;
    int slots = 1;
    int cores = 1;   // of this computer
    int workers = 1; // of a trial
    int threads = 1; // of a worker here, when all slots are taken
    int sharing = 1; // trials that share the cores of a host
    int onEach = 1;  // trials on each device, host or core
    int devices = 0; // CUDA devices of this computer that slots are dealt; 0: trials see whatever is there
    int ranks = 1;   // of a trial, at most, each on a device of its own
};

// How many trials a sweep has, and how many of them run at a time.
struct TrialCounts {
    int trials = 0;   // of all; 0: as many as the budget allows
    int parallel = 0; // side by side, as a person has chosen; 0: as the sweep file says
    bool operator==(const TrialCounts&) const = default;
};
// Rule: how many trials run side by side, and why.
// For trials of `workers` workers each.
SlotCount slotCount(const spec::SweepSpec& spec, int workers, const TrialCounts& counts,
                    const run::Room& room = run::roomHere());

// slotCount() for a sweep that is steered while it runs: computes it again when a person changes an input.
class SlotCounter {
public:
    SlotCounter(spec::SweepSpec spec, int workers, const run::Room& room)
        : m_spec(std::move(spec)), m_workers(workers), m_room(room) {}
    const SlotCount& of(const TrialCounts& counts); // as slotCount(), but that the sweep file's `parallel` is 0

private:
    spec::SweepSpec m_spec;
    int m_workers;
    run::Room m_room;
    std::optional<SlotCount> m_count; // for:
    TrialCounts m_from;
};

// "2 slots: 2 cores, 1 worker of 1 thread each".
Sentence describe(const SlotCount& count);

// Seconds for all trials of `secondsOfOne` each, one after another in each slot.
struct TrialsInSlots {
    int trials = 0, slots = 1;
};
double secondsInSlots(double secondsOfOne, TrialsInSlots all);

} // namespace trainyard::sweep
