// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/slot_count.h"

#include "engine/spec/run/host_ranks.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

std::string counted(int count, const char* word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

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

// "2 cores", "2 cores, 3 trials on each".
std::string placesOf(const SlotCount& count) {
    const bool devices = count.why == SlotCount::Why::Devices;
    const std::string places = devices ? counted(count.devices, "CUDA device") : counted(count.cores, "core");
    return count.onEach > 1 ? places + ", " + counted(count.onEach, "trial") + " on each" : places;
}

} // namespace

std::vector<std::string> hostsOfTrials(const spec::SweepSpec& spec) {
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run || run->scaling.workers != 1 || run->hosts.size() < 2) return {};
    return run->hosts;
}

SlotCount slotCount(const spec::SweepSpec& spec, int workers, int trials, int parallel, const run::Room& room) {
    const auto run = spec::parseRunSpec(spec.runJson);
    const int given = run ? run->scaling.threadsPerWorker : 0;
    const auto hosts = static_cast<int>(hostsOfTrials(spec).size());
    const int cores = room.cores;
    SlotCount count{.cores = cores, .workers = std::max(1, workers), .onEach = std::max(1, spec.perDevice)};
    count.ranks = std::max(count.workers, run ? run->scaling.elastic.max : 0);
    count.devices = run ? devicesFor(spec, *run, count.ranks, room.devices) : 0;
    const int asked = parallel > 0 ? parallel : spec.parallel;
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

const SlotCount& SlotCounter::of(int parallel, int trials) {
    const std::pair from{parallel, trials};
    if (m_count && m_from == from) return *m_count;
    m_spec.parallel = parallel;
    m_from = from;
    return m_count.emplace(slotCount(m_spec, m_workers, trials, 0, m_room));
}

std::string toText(const SlotCount& count) {
    const std::string slots = counted(count.slots, "slot"), workers = counted(count.workers, "worker");
    const std::string trial = workers + " of " + counted(count.threads, "thread") + " each";
    switch (count.why) {
    case SlotCount::Why::Hosts:
        return slots + ": " + (count.onEach > 1 ? std::to_string(count.onEach) : "one") + " on each host, " + workers +
               " each";
    case SlotCount::Why::Asked: return slots + ", as asked for: " + counted(count.cores, "core") + ", " + trial;
    case SlotCount::Why::Devices:
    case SlotCount::Why::Cores: break;
    }
    return slots + ": " + placesOf(count) + ", " + trial;
}

double secondsInSlots(double secondsOfOne, int trials, int slots) {
    const int side = std::max(1, slots);
    return secondsOfOne * ((trials + side - 1) / side);
}

} // namespace trainyard::sweep
