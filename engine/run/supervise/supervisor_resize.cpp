// SPDX-License-Identifier: GPL-3.0-or-later
// More or fewer ranks while they train: asked for, or because what was left out may be had again. Like the loss of a
// rank and its replacement, which cost no step.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"

#include <algorithm>
#include <csignal>
#include <map>

namespace trainyard::run {

void Supervisor::requestResize(const wire::Command& command) {
    const bool fixed = std::any_of(m_workers.begin(), m_workers.end(),
                                   [](const auto& link) { return link->trained && !link->rejoins; });
    if (const auto asked = m_size.ask(command, fixed, m_commands.isPaused()); !asked)
        answer(wire::answerTo(command, m_journal.state().step, asked));
}

// Only a group that trains: a new rank has no state to give yet, and one that ends needs none.
void Supervisor::resizeWhenPossible(double now) {
    switch (m_size.next(now, m_workers.count(), m_workers.allSettled())) {
    case GroupSize::Change::None: return;
    case GroupSize::Change::Reached: return answerResize();
    case GroupSize::Change::Shrink: shrink(m_size.wanted()); break;
    case GroupSize::Change::Grow:
        if (!growNow()) return;
        break;
    }
    if (!m_size.isAsked()) { // a wish is no failure; what brings back what was lost is counted like its replacement
        m_recovery.spendRestart();
        ++m_journal.state().restarts;
    }
    m_journal.storeRow();
    m_journal.publish();
}

bool Supervisor::growNow() {
    const auto grown = grow(m_size.wanted());
    if (grown) return true;
    m_journal.log(-1, "warning", "no more ranks can be launched: " + grown.error().text());
    const auto asked = m_size.growFailed(monotonicSeconds(), m_workers.count(), m_recovery.hasRestarts());
    if (asked)
        answer(wire::answerTo(*asked, m_journal.state().step,
                              Error{grown.error().kind, grown.error().text(), {}, {}, grown.error().code}));
    return false;
}

// On the hosts that have the fewest. The others hear of it when all are launched.
Result<void> Supervisor::grow(int wanted) {
    std::map<HostName, int> ranksOf;
    for (const auto& [host, entry] : m_hosts.all()) ranksOf[host] = 0;
    for (const auto& link : m_workers) ++ranksOf[link->placement.host];
    std::vector<std::unique_ptr<WorkerLink>> launched;
    for (int rank = m_workers.count(); rank < wanted; ++rank) {
        const auto least = std::min_element(ranksOf.begin(), ranksOf.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        const int local = least->second++;
        auto& ranksThere = m_hosts.at(least->first).ranks; // its cores are divided among them
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
    m_size.beginRegroup(monotonicSeconds());
    m_workers.add(std::move(launched));
    placeRanks();
    m_recovery.forgetNewcomers();
    m_journal.log(-1, "info", "continues with " + std::to_string(m_workers.size()) + " ranks");
    m_journal.markRanks(m_workers.count(), {});
    announceGroup();
    startHere();
    return {};
}

void Supervisor::shrink(int wanted) {
    beginGroup();
    m_size.beginRegroup(monotonicSeconds());
    std::vector<int> left;
    for (int rank = m_workers.count() - 1; rank >= wanted; --rank) {
        endRank(m_workers.at(rank));
        left.push_back(rank);
    }
    dropRanks(left);
    m_journal.log(-1, "info", "continues with " + std::to_string(wanted) + " ranks");
    m_journal.markRanks(m_workers.count(), {});
    announceGroup();
}

void Supervisor::placeRanks() {
    m_workers.renumber();
    m_journal.state().workers.clear();
    for (const auto& link : m_workers) m_journal.state().workers.push_back(link->state);
    m_journal.row().worldSize = m_workers.count();
}

// The group trains, with all that it should have or without.
void Supervisor::answerResize() {
    if (const auto done = m_size.answer(m_workers.count(), m_journal.state().step)) answer(*done);
}

} // namespace trainyard::run
