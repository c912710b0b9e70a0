// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/queue/queue_policy.h"

#include <algorithm>
#include <array>

namespace trainyard::queue {
namespace {

// In the order of the enumeration.
constexpr std::array kWords = {"none", "paused", "slots-full", "host-busy", "device-busy", "cores-busy", "earlier"};

const std::string* inCommon(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const auto found = std::find_first_of(a.begin(), a.end(), b.begin(), b.end());
    return found == a.end() ? nullptr : &*found;
}

int coresOf(const std::vector<Claim>& claims) {
    int cores = 0;
    for (const Claim& claim : claims) cores += claim.cores;
    return cores;
}

// What keeps `claim` from starting beside the active ones.
Verdict beside(const Claim& claim, const std::vector<Claim>& active, int cores) {
    for (const auto& [member, wait] : {std::pair{&Claim::hosts, Wait::HostBusy}, {&Claim::devices, Wait::DeviceBusy}})
        for (std::size_t i = 0; i < active.size(); ++i)
            if (const auto* shared = inCommon(claim.*member, active[i].*member))
                return {.wait = wait, .by = static_cast<int>(i), .what = *shared};
    const int free = std::max(0, cores - coresOf(active));
    if (claim.cores > free) return {.wait = Wait::CoresBusy, .needed = claim.cores, .free = free};
    return {};
}

// The first of the earlier entries that it would keep waiting, if it started now; -1: none.
int keptWaiting(const Claim& claim, const std::vector<Claim>& waiting, const std::vector<std::size_t>& earlier,
                int free) {
    int reserved = 0;
    for (const std::size_t each : earlier) {
        const Claim& before = waiting[each];
        reserved += before.cores;
        const bool tooFewCores = claim.cores > 0 && before.cores > 0 && reserved + claim.cores > free;
        if (tooFewCores || inCommon(claim.hosts, before.hosts) || inCommon(claim.devices, before.devices))
            return static_cast<int>(each);
    }
    return -1;
}

} // namespace

const char* toString(Wait wait) { return kWords[static_cast<std::size_t>(wait)]; }

std::vector<Verdict> judge(const QueueRules& rules, const std::vector<Claim>& given, std::vector<Claim> active) {
    std::vector<Claim> waiting = given;
    for (auto* claims : {&waiting, &active})
        for (Claim& claim : *claims) claim.cores = std::min(claim.cores, rules.cores);
    std::vector<Verdict> verdicts;
    std::vector<std::size_t> earlier; // that do not start now
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const auto taken = static_cast<int>(active.size());
        Verdict verdict;
        if (rules.paused) verdict.wait = Wait::Paused;
        else if (taken >= rules.slots) verdict = {.wait = Wait::SlotsFull, .needed = taken, .free = rules.slots};
        else verdict = beside(waiting[i], active, rules.cores);
        if (verdict.wait == Wait::None) {
            verdict.by = keptWaiting(waiting[i], waiting, earlier, rules.cores - coresOf(active));
            if (verdict.by >= 0) verdict.wait = Wait::Earlier;
        }
        if (verdict.wait == Wait::None) active.push_back(waiting[i]);
        else earlier.push_back(i);
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

} // namespace trainyard::queue
