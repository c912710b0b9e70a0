// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks replaced while the others keep their state: a lost rank costs no step.
#include "engine/base/clock.h"
#include "engine/base/error_code.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/amounts.h"
#include "engine/run/supervise/supervisor.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <set>

namespace trainyard::run {
namespace {

constexpr double kGoneSeconds = 2;    // for a killed rank to be gone
constexpr double kAnswerSeconds = 4;  // for a host that was lost to be back, where that is not waited for
constexpr double kLaunchSeconds = 60; // in which a rank that cannot be launched is tried again

} // namespace

// Ends and collects the ranks that cannot go on: the dead, the failed, the hung, and those without a state to give.
// Returns their numbers.
std::vector<int> Supervisor::endLost() {
    std::vector<int> lost;
    for (auto& link : m_workers) {
        if (!link->exit) link->exit = link->process().exitStatus();
        if (link->canContinue()) continue;
        lost.push_back(link->rank());
        endRank(*link);
        if (link->exit && link->exit->hostLost) m_hosts.noteLost(link->placement.host);
    }
    return lost;
}

void Supervisor::endRank(WorkerLink& link) {
    link.failureNoted = true; // whatever its channel still holds
    link.process().signal(SIGKILL);
    const double until = monotonicSeconds() + kGoneSeconds;
    while (!(link.exit = link.process().exitStatus()) && monotonicSeconds() < until) {
        if (link.placement.host.empty()) ::poll(nullptr, 0, 1);
        else if (m_stop) break; // the link to its host may be cut
        else pump(monotonicSeconds() + 0.01);
    }
    for (auto& line : link.readLog()) m_journal.log(link.rank(), "info", std::move(line));
    // A checkpoint that it was writing is nobody's now.
    if (link.exit && link.placement.host.empty() && link.process().pid() > 0)
        removeTemporaryFiles(m_setup.task.folder.checkpoints(), link.process().pid());
}

RecoveryPolicy::Survivors Supervisor::survivors(const Cause& cause) const {
    RecoveryPolicy::Survivors survivors;
    for (const auto& link : m_workers) {
        const bool isNewcomer = link->joining && !link->trained;
        survivors.able += link->canContinue() ? 1 : 0;
        survivors.finished = survivors.finished || link->finished;
        survivors.newcomerLost = survivors.newcomerLost || isNewcomer;
        survivors.newcomerFailed = survivors.newcomerFailed || (isNewcomer && link->rank() == cause.rank);
    }
    return survivors;
}

// Replaces the lost ranks, or continues without them when that has failed and the run allows it.
bool Supervisor::regroup() {
    const Cause cause = m_failures.causes().front();
    const auto decision = m_recovery.decide(cause, survivors(cause));
    const bool replace = decision.action == RecoveryPolicy::Action::Replace;
    if (!replace && decision.action != RecoveryPolicy::Action::Shrink) return false;
    m_size.beginRegroup(monotonicSeconds());
    const double until = monotonicSeconds() + decision.pause;
    while (!m_stop && monotonicSeconds() < until) pump(until);
    auto lost = endLost();
    if (m_stop || lost.size() == m_workers.size()) return false;

    beginGroup();
    m_journal.warn(cause.rank, cause.name() + " " + cause.what + " at step " + grouped(cause.step) +
                                   "; the others keep their state, no step is lost" + waitText(lost));
    std::vector<HostName> before;
    for (const auto& link : m_workers) before.push_back(link->placement.host);
    if (!replace) leaveOut(lost);
    else if (!replaceOrLeaveOut(lost)) return false;
    markRegroup(cause, lost, before);
    m_journal.storeRow();
    m_journal.publish();
    return true;
}

// At once, as nobody can know whether the host will be back.
std::string Supervisor::waitText(const std::vector<int>& lost) const {
    const auto soon = givenUpSoon(lost);
    for (const int rank : lost) {
        const auto& link = m_workers.at(rank);
        if (link.exit && link.exit->hostLost && !soon.contains(link.placement.host))
            return "; " + link.placement.host.text() + " is tried for " + std::to_string(std::lround(kLaunchSeconds)) +
                   " s. If it stays away, " + kWaysOut;
    }
    return {};
}

// Either each lost rank was replaced, or the others go on without.
void Supervisor::markRegroup(const Cause& cause, const std::vector<int>& lost,
                             const std::vector<HostName>& hostsBefore) {
    if (m_workers.size() < hostsBefore.size())
        return m_journal.markRanks(m_workers.count(), cause.name() + " " + cause.what);
    for (const int rank : lost) {
        std::string reason = rank == cause.rank ? cause.what : std::string();
        const auto number = static_cast<std::size_t>(rank);
        if (const auto& host = m_workers.at(rank).placement.host; host != hostsBefore[number])
            reason += (reason.empty() ? "now on " : "; now on ") + nameOf(host);
        m_journal.mark(m_journal.events().replaced(rank, std::move(reason), m_journal.moment()));
    }
}

bool Supervisor::replaceOrLeaveOut(std::vector<int>& lost) {
    m_recovery.spendRestart();
    ++m_journal.state().restarts;
    announceGroup(); // survivors leave the old group while replacements start
    // If no rank may be dropped, the others wait: a lack of processes or open files is often brief.
    const auto mayShrink = [&] { return m_recovery.mayShrinkTo(static_cast<int>(m_workers.size() - lost.size())); };
    const auto replaced = replaceWhenPossible(lost, mayShrink() ? 0 : kLaunchSeconds);
    if (replaced) return true;
    m_failures.add(notLaunched(replaced.error()));
    if (!mayShrink()) return false; // a spare that failed has made it more
    m_failures.forgetCauses();
    m_workers.beginGroup();
    leaveOut(lost);
    return true;
}

void Supervisor::beginGroup() {
    m_workers.beginGroup();
    m_recovery.beginGroup(m_journal.state().step);
    m_failures.forgetCauses();
}

void Supervisor::announceGroup() {
    m_size.announced();
    m_journal.regrouped();
    for (auto& link : m_workers) {
        if (!link->canContinue()) continue;
        const auto& placement = link->placement;
        link->lostPeerAt = -1;
        link->atRendezvous = false;
        link->advancedAt = -1; // it gets its time in the new group
        link->phase = wire::Phase::Rendezvous;
        link->send(wire::Regroup{m_workers.generation(), placement.rank, m_workers.count(), placement.localRank,
                                 placement.localWorldSize});
        // It may have heard what it has not done; what it has done is in the state that all go on with.
        if (placement.rank == 0) repeatCommands(*link, std::numeric_limits<std::int64_t>::max());
    }
}

// Hosts that were lost with their ranks, where the others need not wait for them: there is a spare, or fewer ranks will
// do. That is sooner than they are back.
std::set<HostName> Supervisor::givenUpSoon(const std::vector<int>& lost) const {
    std::vector<HostName> hosts;
    for (const int rank : lost) {
        const auto& link = m_workers.at(rank);
        if (link.exit && link.exit->hostLost) hosts.push_back(link.placement.host);
    }
    if (m_recovery.mayShrinkTo(static_cast<int>(m_workers.size() - lost.size()))) return {hosts.begin(), hosts.end()};
    return m_hosts.pool().givenUpSoon(hosts);
}

// Whether somebody is left for whom it is worth to try again: the others may have gone with the same host.
bool Supervisor::othersKeepState(const std::vector<int>& lost) {
    const auto keeps = [&](auto& link) {
        if (!link->exit) link->exit = link->process().exitStatus();
        return link->canContinue() && std::find(lost.begin(), lost.end(), link->rank()) == lost.end();
    };
    return std::any_of(m_workers.begin(), m_workers.end(), keeps);
}

// A host that is gone is given up for a spare at once, and one that was lost when it does not answer soon. One that
// answers, and cannot launch its ranks, once that was tried for as long as it may take.
Result<void> Supervisor::replaceWhenPossible(std::vector<int>& lost, double seconds) {
    LaunchRetries retries(monotonicSeconds(), seconds);
    auto left = lost;
    std::set<HostName> givenUp, soon = givenUpSoon(lost);
    for (;;) {
        auto replaced = replaceLost(left, soon);
        if (replaced || m_stop) return replaced;
        const auto host = m_workers.at(left.front()).placement.host;
        const auto pause = retries.nextPause(monotonicSeconds());
        soon.erase(host);
        if (!host.empty() && (!pause || isLostHost(replaced.error().code)) && givenUp.insert(host).second &&
            moveToSpare(host, replaced.error(), lost, left))
            continue;
        if (!pause || !othersKeepState(left)) return replaced;
        m_journal.warn(left.front(), "rank " + std::to_string(left.front()) +
                                         " cannot be launched: " + replaced.error().text() +
                                         "; the others keep their state while it is tried again");
        m_journal.publish();
        for (const double next = monotonicSeconds() + *pause; !m_stop && monotonicSeconds() < next;) pump(next);
    }
}

// All ranks of the host are to be launched on a spare: those that seem to live there are lost, too, and `left` to be
// replaced. False: there is no spare that can be used.
bool Supervisor::moveToSpare(const HostName& host, const Error& error, std::vector<int>& lost, std::vector<int>& left) {
    // Where nobody else has the state, it would be lost: such a run moves once what its ranks have saved was taken.
    const auto keepsState = [&](const auto& link) { return link->placement.host != host && link->canContinue(); };
    if (std::none_of(m_workers.begin(), m_workers.end(), keepsState)) return false;
    const auto spare = m_hosts.standIn(host, error);
    if (!spare) return false;
    const auto note = [](std::vector<int>& ranks, int rank) {
        if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
    };
    for (auto& link : m_workers) {
        if (link->placement.host != host) continue;
        if (std::find(left.begin(), left.end(), link->rank()) == left.end()) endRank(*link);
        note(lost, link->rank());
        note(left, link->rank());
        link->placement.host = *spare;
    }
    return true;
}

// Those that are replaced leave the list.
Result<void> Supervisor::replaceLost(std::vector<int>& lost, const std::set<HostName>& givenUpSoon) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    for (; !lost.empty(); lost.erase(lost.begin())) {
        const int rank = lost.front();
        const auto placement = m_workers.at(rank).placement;
        const bool isUrgent = givenUpSoon.contains(placement.host);
        TY_ASSIGN(auto link, startLink(placement, isUrgent ? monotonicSeconds() + kAnswerSeconds : kNever));
        link->joining = true;
        m_journal.state().setWorker(link->state);
        m_workers.replace(rank, std::move(link));
    }
    startHere();
    return {};
}

void Supervisor::dropRanks(const std::vector<int>& lost) {
    m_workers.drop(lost);
    placeRanks();
}

// The survivors continue without the lost ranks, which are tried again later as long as restarts are left.
void Supervisor::leaveOut(const std::vector<int>& lost) {
    dropRanks(lost);
    m_recovery.forgetNewcomers();
    m_journal.state().notice +=
        "; " + std::to_string(m_workers.size()) + " ranks continue without those that cannot be replaced";
    m_journal.log(-1, "warning", m_journal.state().notice);
    m_size.leftOut(monotonicSeconds(), m_recovery.hasRestarts());
    announceGroup();
}

// Before the run ends or goes back to a checkpoint for a loss, the others form a last group. It takes no step: it
// reports what it has not yet reported, saves, and ends.
bool Supervisor::saveBySurvivors() {
    const Cause cause = m_failures.causes().front();
    const bool wanted = !m_stop || (m_stop.mode() == wire::StopMode::SaveAndStop && !m_stop.isForced());
    if (!wanted || m_savedAfter || m_workers.anyHasTrained() || !m_recovery.survivorsSave(cause, survivors(cause)))
        return false;
    const auto lost = endLost();
    if (lost.size() == m_workers.size()) return false;
    m_savedAfter = cause;
    m_stop.relaunched(); // the time to save begins anew
    beginGroup();
    const int ranks = m_journal.row().worldSize;
    dropRanks(lost);
    m_journal.row().worldSize = ranks; // what resumes has all of them again
    m_journal.warn(cause.rank, (cause.rank < 0 ? cause.error.text() : cause.name() + " " + cause.what) + " at step " +
                                   grouped(cause.step) + "; the others save their state");
    m_workers.sendAll(wire::Stop{wire::StopMode::SaveAndStop}); // known before they meet
    announceGroup();
    m_journal.publish();
    return true;
}

// The loss is what the run ends with all the same, or is restarted for, now from what was saved.
Supervisor::End Supervisor::endAfterSurvivors() {
    if (m_stop) return End::Stopped;
    m_failures.add(*m_savedAfter);
    return End::Failed;
}

// The time from the loss, or the wish, to the next step of the whole group, once it is known.
void Supervisor::noteRegrouped() {
    const auto seconds = m_workers.allTrain() ? m_size.endRegroup(monotonicSeconds()) : std::nullopt;
    if (!seconds) return;
    m_journal.log(-1, "info", "all ranks train again after " + std::to_string(std::lround(*seconds * 1000)) + " ms");
    answerResize();
}

} // namespace trainyard::run
