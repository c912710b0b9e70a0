// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_hosts.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

constexpr double kFirstPause = 5, kLongestPause = 60; // seconds
constexpr int kMostFailed = 3;                        // trials in a row, at once

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
    if (!trusted) trying.insert(trial);
}

std::size_t TrialHosts::shareOf(int slots) const {
    const std::size_t count = m_hosts.size();
    return (static_cast<std::size_t>(slots) + count - 1) / count;
}

int TrialHosts::freeOf(const Host& host, std::size_t share, double now) {
    if (host.closed || now < host.avoidedUntil || host.trials.size() >= share) return 0;
    return static_cast<int>(share - host.trials.size());
}

bool TrialHosts::haveRoom(int slots, double now, int claimed) const {
    if (!areChosen()) return true;
    if (claimed == 0) return best(slots, now) != nullptr;
    int free = 0;
    for (const Host& host : m_hosts)
        if (host.trusted) free += freeOf(host, shareOf(slots), now);
    return free > claimed;
}

const TrialHosts::Host* TrialHosts::best(int slots, double now) const {
    const Host* found = nullptr;
    for (const Host& host : m_hosts) {
        if (freeOf(host, shareOf(slots), now) == 0) continue;
        if (found == nullptr || host.trials.size() < found->trials.size()) found = &host;
    }
    return found;
}

std::string TrialHosts::assign(int trial, int slots, double now) {
    leave(trial, Leaves::Well, now);
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

bool TrialHosts::leave(int trial, Leaves how, double now) {
    bool isClosed = false;
    const bool lost = how == Leaves::Lost;
    for (Host& host : m_hosts) {
        if (host.trials.erase(trial) == 0) continue;
        host.trying.erase(trial);
        if (how == Leaves::Well) host.failed = 0;
        if (how == Leaves::FailedAtOnce) isClosed = noteFailure(host);
        host.trusted = !lost;
        if (!lost) host.pause = 0;
        else if (now >= host.avoidedUntil) { // else it is the same loss, seen by another trial
            host.pause = std::clamp(2 * host.pause, kFirstPause, kLongestPause);
            host.avoidedUntil = now + host.pause;
        }
    }
    return isClosed;
}

// The last one is kept: what fails there may fail everywhere.
bool TrialHosts::noteFailure(Host& host) {
    if (++host.failed < kMostFailed || host.closed) return false;
    host.closed =
        std::any_of(m_hosts.begin(), m_hosts.end(), [&](const Host& each) { return &each != &host && !each.closed; });
    return host.closed;
}

bool TrialHosts::isTrying(int trial) const {
    return std::any_of(m_hosts.begin(), m_hosts.end(),
                       [trial](const Host& host) { return host.trying.contains(trial); });
}

void TrialHosts::trains(int trial) {
    for (Host& host : m_hosts) {
        if (!host.trying.contains(trial)) continue;
        host.trusted = true;
        host.trying.clear();
    }
}

} // namespace trainyard::sweep
