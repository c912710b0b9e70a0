// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/host_pool.h"

#include "engine/base/error_code.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>

namespace trainyard::run {

namespace {

HostName hostNamed(const std::string& text) { return spec::isThisComputer(text) ? HostName() : HostName(text); }

} // namespace

HostPool::HostPool(const spec::RunSpec& spec) {
    for (const auto& host : spec.hosts) m_hosts.push_back(hostNamed(host));
    const auto most = static_cast<std::size_t>(std::max(spec.scaling.workers, spec.scaling.elastic.max));
    if (m_hosts.size() > most) {
        m_spares.assign(m_hosts.begin() + static_cast<std::ptrdiff_t>(most), m_hosts.end());
        m_hosts.resize(most);
    }
    for (const auto& spare : spec.spareHosts) m_spares.push_back(hostNamed(spare));
    const auto isUsed = [&](const HostName& spare) {
        return std::find(m_hosts.begin(), m_hosts.end(), spare) != m_hosts.end();
    };
    std::erase_if(m_spares, isUsed);
    m_places = m_hosts;
}

HostName HostPool::hostOf(RankOf rank) const {
    return m_hosts.empty() ? HostName() : m_hosts[spec::hostPlaceOf(rank, m_hosts.size())];
}

std::set<HostName> HostPool::used() const {
    if (m_hosts.empty()) return {HostName()};
    return {m_hosts.begin(), m_hosts.end()};
}

void HostPool::putLast(const HostName& spare) {
    const auto found = std::find(m_spares.begin(), m_spares.end(), spare);
    if (found == m_spares.end()) return;
    std::rotate(found, found + 1, m_spares.end());
    m_doubtful.insert(spare);
}

std::vector<std::string> hostsToReach(const spec::RunSpec& spec) {
    auto hosts = spec.hosts;
    hosts.insert(hosts.end(), spec.spareHosts.begin(), spec.spareHosts.end());
    return hosts;
}

bool startsWithout(const spec::RunSpec& spec, const Error& error) {
    return isLostHost(error.code) && !HostPool(spec).spares().empty();
}

void HostPool::replace(const HostName& lost, const HostName& spare) {
    std::replace(m_hosts.begin(), m_hosts.end(), lost, spare);
    std::erase(m_spares, spare);
    m_spares.push_back(lost);
    m_doubtful.erase(spare);
    m_doubtful.insert(lost);
}

std::set<HostName> HostPool::givenUpSoon(const std::vector<HostName>& lost) const {
    auto ready = std::ranges::count_if(m_spares, [this](const auto& spare) { return !m_doubtful.contains(spare); });
    std::set<HostName> hosts;
    for (const auto& host : lost)
        if (!hosts.contains(host) && ready-- > 0) hosts.insert(host);
    return hosts;
}

HostName HostPool::placeOf(const HostName& host) const {
    const auto found = std::ranges::find(m_hosts, host);
    return found == m_hosts.end() ? host : m_places[static_cast<std::size_t>(found - m_hosts.begin())];
}

} // namespace trainyard::run
