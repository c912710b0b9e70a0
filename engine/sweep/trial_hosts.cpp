// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trial_hosts.h"

#include "engine/base/cores.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

constexpr double kFirstPause = 5, kLongestPause = 60; // seconds

} // namespace

std::vector<std::string> hostsOfTrials(const spec::SweepSpec& spec) {
    const auto run = spec::parseRunSpec(spec.runJson);
    if (!run || run->scaling.workers != 1 || run->hosts.size() < 2) return {};
    return run->hosts;
}

int slotsOf(const spec::SweepSpec& spec, int workers) {
    if (spec.parallel > 0) return spec.parallel;
    const auto hosts = static_cast<int>(hostsOfTrials(spec).size());
    return hosts > 0 ? hosts : std::max(1, availableCores() / std::max(1, workers));
}

TrialHosts::TrialHosts(const std::vector<std::string>& hosts) {
    for (const auto& name : hosts) m_hosts.push_back({name});
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
    m_hosts[at].trials.insert(trial);
    return m_hosts[at].name;
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
