// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/host_calls.h"

#include <algorithm>

namespace trainyard::run {

std::map<HostName, std::optional<int>> HostCalls::signalAll(const std::set<HostName>& hosts, const RunId& run,
                                                            int signalNumber, double seconds) {
    std::map<HostName, Answer<int>> answers;
    for (const auto& host : hosts)
        answers[host] = ask<int>(host, [host, run, signalNumber](Launcher& launcher) {
            return launcher.signalAll(host, run, signalNumber);
        });
    const double until = monotonicSeconds() + seconds;
    const auto open = [](const auto& each) { return !each.second->has_value(); };
    while (std::any_of(answers.begin(), answers.end(), open) && monotonicSeconds() < until) serve(until);
    std::map<HostName, std::optional<int>> counts;
    for (const auto& [host, answer] : answers)
        counts[host] = *answer && (*answer)->ok() ? std::optional(***answer) : std::nullopt;
    return counts;
}

void HostCalls::fetch(const HostName& host, const std::string& remote, const std::filesystem::path& local,
                      std::function<void(const Result<void>&)> done) {
    m_copies.start<Result<void>>(
        host,
        [launcherFor = m_launcherFor, host, remote, local] { return launcherFor(host).fetch(host, remote, local); },
        [done = std::move(done)](const Result<void>& fetched) { done(fetched); });
}

void HostCalls::remove(const HostName& host, const std::string& remote) {
    const bool removes = m_unwanted.contains(host);
    m_unwanted[host].push_back(remote);
    if (!removes) removeUnwanted(host);
}

void HostCalls::removeUnwanted(const HostName& host) {
    auto& waiting = m_unwanted[host];
    if (waiting.empty()) {
        m_unwanted.erase(host);
        return;
    }
    const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), kFilesAtOnce));
    const std::vector<std::string> files(waiting.begin(), end);
    waiting.erase(waiting.begin(), end);
    m_calls.start<Result<void>>(
        host, [launcherFor = m_launcherFor, host, files] { return launcherFor(host).remove(host, files); },
        [this, host](const Result<void>&) { removeUnwanted(host); });
}

void HostCalls::addPollEntries(std::vector<pollfd>& entries) const {
    for (const auto* tasks : {&m_calls, &m_spares, &m_copies}) entries.push_back({tasks->fd(), POLLIN, 0});
}

void HostCalls::deliver() {
    m_calls.deliver();
    m_spares.deliver();
    m_copies.deliver();
}

} // namespace trainyard::run
