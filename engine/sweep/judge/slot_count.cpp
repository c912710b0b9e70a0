// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/slot_count.h"

#include "engine/spec/run/host_ranks.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

// Whether all trials compute where the run file says, with as many ranks.
bool isPlaceFixed(const spec::SweepSpec& spec) {
    return std::none_of(spec.space.begin(), spec.space.end(), [](const spec::Axis& axis) {
        return axis.path == "hosts" || axis.path == "scaling" || axis.path == "scaling.workers" ||
               axis.path == "scaling.device" || axis.path.starts_with("scaling.elastic");
    });
}

// Of `found`, for trials of this computer that will compute on them.
int devicesFor(const spec::SweepSpec& spec, const spec::RunSpec& run, int ranks, int found) {
    const bool here = std::all_of(run.hosts.begin(), run.hosts.end(), spec::isThisComputer);
    return here && run.scaling.device != "cpu" && found >= ranks && isPlaceFixed(spec) ? found : 0;
}

} // namespace

std::vector<std::string> hostsOfTrials(const spec::SweepSpec& spec) {
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run || run->scaling.workers != 1 || run->hosts.size() < 2) return {};
    return run->hosts;
}

SlotCount slotCount(const spec::SweepSpec& spec, int workers, const TrialCounts& counts, const run::Room& room) {
    const int trials = counts.trials;
    const auto run = spec::parseRunSpec(spec.runJson);
    const int given = run ? run->scaling.threadsPerWorker : 0;
    const auto hosts = static_cast<int>(hostsOfTrials(spec).size());
    const int cores = room.cores;
    SlotCount count{.cores = cores, .workers = std::max(1, workers), .onEach = std::max(1, spec.perDevice)};
    count.ranks = std::max(count.workers, run ? run->scaling.elastic.max : 0);
    count.devices = run ? devicesFor(spec, *run, count.ranks, room.devices) : 0;
    const int asked = counts.parallel > 0 ? counts.parallel : spec.parallel;
    if (asked > 0) {
        count.why = SlotCount::Why::Asked;
        count.slots = asked;
    } else if (hosts > 0) {
        count.why = SlotCount::Why::Hosts;
        count.slots = hosts * count.onEach;
    } else if (count.devices > 0) {
        count.why = SlotCount::Why::Devices;
        count.slots = std::max(1, count.devices * count.onEach / count.ranks);
    } else {
        count.slots = std::max(1, cores / (count.workers * std::max(1, given))) * count.onEach;
    }
    if (count.why != SlotCount::Why::Asked && trials > 0) count.slots = std::min(count.slots, trials);
    const int taken = trials > 0 ? std::min(count.slots, trials) : count.slots;
    count.sharing = hosts > 0 ? (taken + hosts - 1) / hosts : taken;
    count.threads = given > 0 ? given : std::max(1, cores / (count.workers * count.sharing));
    return count;
}

const SlotCount& SlotCounter::of(const TrialCounts& counts) {
    if (m_count && m_from == counts) return *m_count;
    m_spec.parallel = counts.parallel;
    m_from = counts;
    return m_count.emplace(slotCount(m_spec, m_workers, {.trials = counts.trials}, m_room));
}

Sentence describe(const SlotCount& count) {
    const Sentence slots = Engine::tr("%n slots", "%n slot", count.slots);
    const Sentence workers = Engine::tr("%n workers", "%n worker", count.workers);
    const Sentence cores = Engine::tr("%n cores", "%n core", count.cores);
    const Sentence trial = Engine::tr("%1 of %n threads each", "%1 of %n thread each", count.threads, {workers});
    if (count.why == SlotCount::Why::Asked) return {Engine::tr("%1, as requested: %2, %3"), {slots, cores, trial}};
    if (count.why == SlotCount::Why::Hosts)
        return count.onEach == 1 ? Sentence(Engine::tr("%1: one on each host, %2 each"), {slots, workers})
                                 : Sentence(Engine::tr("%1: %2 on each host, %3 each"),
                                            {slots, std::to_string(count.onEach), workers});
    const Sentence places =
        count.why == SlotCount::Why::Devices ? Engine::tr("%n CUDA devices", "%n CUDA device", count.devices) : cores;
    if (count.onEach == 1) return {"%1: %2, %3", {slots, places, trial}};
    return Engine::tr("%1: %2, %n trials on each, %3", "%1: %2, %n trial on each, %3", count.onEach,
                      {slots, places, trial});
}

double secondsInSlots(double secondsOfOne, TrialsInSlots all) {
    const int side = std::max(1, all.slots);
    return secondsOfOne * ((all.trials + side - 1) / side);
}

} // namespace trainyard::sweep
