// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trial_hosts.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

constexpr double kFirstPause = 5, kLongestPause = 60; // seconds

} // namespace

TrialHosts::TrialHosts(const std::vector<std::string>& hosts) {
    for (const auto& name : hosts) m_hosts.push_back({name});
}

void TrialHosts::Host::add(int trial, int wanted) {
    const auto isTaken = [this](int place) {
        return std::any_of(trials.begin(), trials.end(), [place](const auto& each) { return each.second == place; });
    };
    int place = wanted >= 0 && !isTaken(wanted) ? wanted : 0;
    while (isTaken(place)) ++place;
    trials.emplace(trial, place);
}

const TrialHosts::Host* TrialHosts::best(int slots, double now) const {
    const std::size_t count = m_hosts.size();
    const std::size_t share = (static_cast<std::size_t>(slots) + count - 1) / count;
    const Host* found = nullptr;
    for (const Host& host : m_hosts) {
        if (now < host.avoidedUntil || host.trials.size() >= share) continue;
        if (found == nullptr || host.trials.size() < found->trials.size()) found = &host;
    }
    return found;
}

std::string TrialHosts::assign(int trial, int slots, double now) {
    leave(trial, false, now);
    const auto at = static_cast<std::size_t>(best(slots, now) - m_hosts.data());
    m_hosts[at].add(trial);
    return m_hosts[at].name;
}

void TrialHosts::occupy(int trial, const std::string& host, int place) {
    for (Host& each : m_hosts)
        if (each.name == host) each.add(trial, place);
}

std::string TrialHosts::hostOf(int trial) const {
    for (const Host& host : m_hosts)
        if (host.trials.contains(trial)) return host.name;
    return {};
}

int TrialHosts::placeOf(int trial) const {
    for (const Host& host : m_hosts)
        if (const auto found = host.trials.find(trial); found != host.trials.end()) return found->second;
    return -1;
}

void TrialHosts::leave(int trial, bool lost, double now) {
    for (Host& host : m_hosts) {
        if (host.trials.erase(trial) == 0) continue;
        if (!lost) host.pause = 0;
        else if (now >= host.avoidedUntil) { // else it is the same loss, seen by another trial
            host.pause = std::clamp(2 * host.pause, kFirstPause, kLongestPause);
            host.avoidedUntil = now + host.pause;
        }
    }
}

} // namespace trainyard::sweep
