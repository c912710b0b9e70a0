// SPDX-License-Identifier: GPL-3.0-or-later
// More or fewer ranks while they train: asked for, or because what was left out may be had again. Like the loss of a
// rank and its replacement, which cost no step.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/params.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <map>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kFirstPause = 20, kLongestPause = 600; // before what was left out is tried again

} // namespace

std::string Supervisor::whyNotResized(double wanted) const {
    const auto& elastic = m_setup.spec.scaling.elastic;
    if (m_setup.launch.program) return "a program on the library keeps its number of workers";
    if (elastic.max == 0) return "its run file has no scaling.elastic, which says how few and how many it may have";
    if (std::any_of(m_links.begin(), m_links.end(), [](const auto& link) { return link->trained && !link->rejoins; }))
        return "over NCCL its ranks form no other group while they train: stop it, and fork it with other workers";
    if (m_paused) return "it is paused: let it go on first";
    if (wanted >= elastic.min && wanted <= elastic.max && wanted == std::floor(wanted)) return {};
    return "scaling.elastic allows " + std::to_string(elastic.min) + " to " + std::to_string(elastic.max) +
           " workers, and " + spec::toText(spec::Value(wanted)) + " were asked for";
}

void Supervisor::requestResize(const wire::Command& command) {
    auto why = whyNotResized(command.value);
    if (why.empty() && m_resize) why = "its number of workers is being changed already";
    if (!why.empty()) return answer({command.id, command.kind, command.value, m_state.step, std::move(why)});
    m_resize = command;
}

// Only a group that trains: whoever has just come has no state to give, and whoever ends needs none.
void Supervisor::resizeWhenPossible(double now) {
    const bool again = m_growAt >= 0 && now >= m_growAt;
    if ((!m_resize && !again) || m_regroupBegan >= 0 ||
        !std::all_of(m_links.begin(), m_links.end(), [](const auto& link) { return link->isSettled(); }))
        return;
    if (m_resize) m_wanted = static_cast<int>(m_resize->value);
    const int ranks = static_cast<int>(m_links.size());
    m_growAt = -1;
    if (m_wanted == ranks) return answerResize();
    const auto grown = m_wanted > ranks ? grow(m_wanted) : Result<void>{};
    if (m_wanted < ranks) shrink(m_wanted);
    if (!grown) {
        logLine(-1, "warning", "no more ranks can be launched: " + grown.error().text());
        if (!m_resize) return tryLaterToGrow();
        m_wanted = ranks;
        const auto asked = *std::exchange(m_resize, {});
        return answer({asked.id, asked.kind, asked.value, m_state.step, grown.error().text()});
    }
    if (!m_resize) { // a wish is no failure; what brings back what was lost is counted like its replacement
        ++m_restartsUsed;
        ++m_state.restarts;
    }
    syncRow();
    publish();
}

// On the hosts that have the fewest. The others hear of it when all are launched.
Result<void> Supervisor::grow(int wanted) {
    std::map<std::string, int> ranksOf;
    for (const auto& [host, entry] : m_hosts) ranksOf[host] = 0;
    for (const auto& link : m_links) ++ranksOf[link->place.host];
    std::vector<std::unique_ptr<WorkerLink>> launched;
    for (int rank = static_cast<int>(m_links.size()); rank < wanted; ++rank) {
        const auto least = std::min_element(ranksOf.begin(), ranksOf.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        const int local = least->second++;
        auto& ranksThere = m_hosts[least->first].ranks; // its cores are dealt among so many
        ranksThere = std::max(ranksThere, least->second);
        auto link = startLink({rank, local, least->second, least->first});
        if (!link) {
            for (auto& each : launched) each->process().signal(SIGKILL);
            return std::move(link).error();
        }
        launched.push_back(std::move(*link));
        launched.back()->joining = true;
    }
    beginGroup();
    m_regroupBegan = monotonicSeconds();
    std::move(launched.begin(), launched.end(), std::back_inserter(m_links));
    placeRanks();
    m_failedJoins = 0;
    logLine(-1, "info", "goes on with " + std::to_string(m_links.size()) + " ranks");
    announceGroup();
    startHere();
    return {};
}

void Supervisor::shrink(int wanted) {
    beginGroup();
    m_regroupBegan = monotonicSeconds();
    while (m_links.size() > static_cast<std::size_t>(wanted)) {
        endRank(*m_links.back());
        m_links.pop_back();
    }
    placeRanks();
    logLine(-1, "info", "goes on with " + std::to_string(wanted) + " ranks");
    announceGroup();
}

void Supervisor::placeRanks() {
    std::map<std::string, int> ranksOf, next;
    for (const auto& link : m_links) ++ranksOf[link->place.host];
    m_state.workers.clear();
    for (auto& link : m_links) {
        const auto host = link->place.host;
        const int rank = static_cast<int>(m_state.workers.size());
        link->movedTo({rank, next[host]++, ranksOf[host], host});
        m_state.workers.push_back(link->state);
    }
    m_setup.row.worldSize = static_cast<int>(m_links.size());
}

void Supervisor::tryLaterToGrow() {
    if (m_restartsUsed >= m_setup.spec.failure.maxRestarts) return;
    m_growPause = std::clamp(2 * m_growPause, kFirstPause, kLongestPause);
    m_growAt = monotonicSeconds() + m_growPause;
}

// The group trains, with all that it should have or without.
void Supervisor::answerResize() {
    if (static_cast<int>(m_links.size()) == m_wanted) m_growPause = 0;
    if (!m_resize) return;
    const auto asked = *std::exchange(m_resize, {});
    const int ranks = static_cast<int>(m_links.size());
    const bool done = ranks == static_cast<int>(asked.value);
    answer({asked.id, asked.kind, asked.value, m_state.step,
            done ? std::string() : "its other ranks were lost as they came: it trains with " + std::to_string(ranks)});
}

} // namespace trainyard::run
