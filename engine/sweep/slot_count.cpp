// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/slot_count.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

std::string counted(int count, const char* word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

} // namespace

std::vector<std::string> hostsOfTrials(const spec::SweepSpec& spec) {
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run || run->scaling.workers != 1 || run->hosts.size() < 2) return {};
    return run->hosts;
}

SlotCount slotCount(const spec::SweepSpec& spec, int workers, int trials, int parallel, int cores) {
    const auto run = spec::parseRunSpec(spec.runJson);
    const int given = run ? run->scaling.threadsPerWorker : 0;
    const auto hosts = static_cast<int>(hostsOfTrials(spec).size());
    SlotCount count{.cores = cores, .workers = std::max(1, workers)};
    const int asked = parallel > 0 ? parallel : spec.parallel;
    if (asked > 0) {
        count.why = SlotCount::Why::Asked;
        count.slots = asked;
    } else if (hosts > 0) {
        count.why = SlotCount::Why::Hosts;
        count.slots = hosts;
    } else {
        count.slots = std::max(1, cores / (count.workers * std::max(1, given)));
    }
    if (count.why != SlotCount::Why::Asked && trials > 0) count.slots = std::min(count.slots, trials);
    const int taken = trials > 0 ? std::min(count.slots, trials) : count.slots;
    count.sharing = hosts > 0 ? (taken + hosts - 1) / hosts : taken;
    count.threads = given > 0 ? given : std::max(1, cores / (count.workers * count.sharing));
    return count;
}

std::string toText(const SlotCount& count) {
    const std::string slots = counted(count.slots, "slot"), workers = counted(count.workers, "worker");
    const std::string trial = workers + " of " + counted(count.threads, "thread") + " each";
    switch (count.why) {
    case SlotCount::Why::Hosts: return slots + ": one on each host, " + workers + " each";
    case SlotCount::Why::Asked: return slots + ", as asked for: " + counted(count.cores, "core") + ", " + trial;
    case SlotCount::Why::Cores: break;
    }
    return slots + ": " + counted(count.cores, "core") + ", " + trial;
}

double secondsInSlots(double secondsOfOne, int trials, int slots) {
    const int side = std::max(1, slots);
    return secondsOfOne * ((trials + side - 1) / side);
}

} // namespace trainyard::sweep
