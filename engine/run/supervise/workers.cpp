// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/workers.h"

#include "engine/run/launch/process_check.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace trainyard::run {

void Workers::beginGeneration() {
    beginGroup();
    m_links.clear();
    m_version.clear();
}

void Workers::beginGroup() {
    ++m_generation;
    m_rendezvous.clear();
}

void Workers::adopt(int generation, Links links) {
    beginGeneration();
    m_generation = generation;
    for (const auto& link : links) noteStarted(link->process().pid());
    add(std::move(links));
}

void Workers::continueAfter(int generation) { m_generation = std::max(m_generation, generation); }

Ranks Workers::records() const {
    Ranks ranks;
    for (const auto& link : m_links) ranks.push_back(link.get());
    return ranks;
}

void Workers::add(Links links) { std::move(links.begin(), links.end(), std::back_inserter(m_links)); }

void Workers::replace(int rank, std::unique_ptr<WorkerLink> link) {
    m_links[static_cast<std::size_t>(rank)] = std::move(link);
}

void Workers::drop(const std::vector<int>& ranks) {
    std::erase_if(m_links,
                  [&](const auto& link) { return std::find(ranks.begin(), ranks.end(), link->rank()) != ranks.end(); });
}

void Workers::renumber() {
    std::map<HostName, int> ranksOf, next;
    for (const auto& link : m_links) ++ranksOf[link->placement.host];
    int rank = 0;
    for (auto& link : m_links) {
        const auto host = link->placement.host;
        link->moveTo({rank++, next[host]++, ranksOf[host], host});
    }
}

void Workers::sendAll(const wire::Message& message) {
    for (auto& link : m_links) link->send(message);
}

void Workers::lookForExits() {
    for (auto& link : m_links)
        if (!link->exit) link->exit = link->process().exitStatus();
}

bool Workers::anyHasStepped() const {
    return std::ranges::any_of(m_links, [](const auto& link) { return link->trained; });
}

bool Workers::anyHasTrained() const {
    return std::ranges::any_of(m_links, [](const auto& link) { return link->process().hasTrained(); });
}

bool Workers::allFinished() const {
    return !m_links.empty() &&
           std::ranges::all_of(m_links, [](const auto& link) { return link->finished.has_value(); });
}

bool Workers::anyStopped() const {
    return std::ranges::any_of(m_links, [](const auto& link) { return link->finished && link->finished->stopped; });
}

bool Workers::allTrain() const {
    return std::ranges::all_of(m_links, [](const auto& link) { return link->phase == wire::Phase::Train; });
}

bool Workers::allSettled() const {
    return std::ranges::all_of(m_links, [](const auto& link) { return link->isSettled(); });
}

double Workers::samplesPerSecond() const {
    double samples = 0;
    for (const auto& link : m_links) samples += link->state.beat.samplesPerSecond;
    return samples;
}

double Workers::lastHeard(double now) const {
    double last = m_links.empty() ? now : 0;
    for (const auto& link : m_links) last = std::max(last, link->lastSign);
    return last;
}

const std::string& Workers::commonVersion(const std::string& said) {
    if (m_version.empty()) m_version = said;
    return m_version;
}

void Workers::serve(const WorkerLink&, const wire::StoreSet& request) { deliver(m_rendezvous.set(request)); }

void Workers::serve(const WorkerLink& link, const wire::StoreAdd& request) {
    deliver(m_rendezvous.add(link.rank(), request));
}

void Workers::serve(const WorkerLink& link, const wire::StoreGet& request) {
    deliver(m_rendezvous.get(link.rank(), request));
}

void Workers::serve(const WorkerLink& link, const wire::StoreCheck& request) {
    deliver(m_rendezvous.check(link.rank(), request));
}

void Workers::deliver(const std::vector<RendezvousStore::Reply>& replies) {
    for (const auto& reply : replies)
        for (auto& link : m_links)
            if (link->rank() == reply.rank) link->send(reply.message);
}

std::size_t Workers::livingHere() const { return livingInGroups(m_groups).size(); }

} // namespace trainyard::run
