// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks replaced while the others keep their state: a lost rank costs no step.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>

namespace trainyard::run {
namespace {

constexpr double kMaxBackoff = 5;
constexpr double kGoneSeconds = 2;     // for a killed rank to be gone
constexpr int kJoinsTried = 3;         // replacements in a row, before the others go on without
constexpr double kLaunchSeconds = 60;  // in which a rank that cannot be launched is tried again
constexpr double kDeathSeconds = 0.25; // for a death to be seen behind the connections that it breaks

// It lives and holds a state that others can take over.
bool canGoOn(const WorkerLink& link) {
    return link.rejoins && link.trained && !link.exit && !link.failureNoted && !link.channelClosed();
}

} // namespace

// Pauses before ranks that failed without getting anywhere are tried again.
double Supervisor::backoff(const Cause& cause) const {
    const bool progressed = m_generationFirstStep >= 0 && cause.step > m_generationFirstStep;
    if (progressed || m_restartsUsed == 0) return 0;
    return std::min(kMaxBackoff, 0.25 * (1 << std::min(m_restartsUsed, 5)));
}

// Ranks that lose connections and nobody that has died: a link between hosts, most likely.
void Supervisor::judgeLostPeers(double now) {
    if (!m_causes.empty()) return;
    double first = now;
    bool all = true;
    WorkerLink* teller = nullptr;
    for (auto& link : m_links) {
        if (link->lostPeerAt < 0) all = all && link->finished;
        else if (link->lostPeerAt <= first) {
            first = link->lostPeerAt;
            teller = link.get();
        }
    }
    if (!teller) return;
    const double limit = all ? kDeathSeconds : m_setup.spec.failure.heartbeatSeconds;
    if (now - first < limit) return;
    Error error = runError("the connection between the ranks broke, and no rank has died", teller->name(),
                           "check the network between the hosts")
                      .withCode(ErrorCode::ConnectionLost);
    m_causes.push_back({teller->rank(), teller->name(), teller->state.beat.step, "lost its connection to another rank",
                        std::move(error), false, true});
}

// Ends and collects the ranks that cannot go on: the dead, the failed, the hung, and those without a state to give.
// Returns their numbers.
std::vector<int> Supervisor::endLost() {
    std::vector<int> lost;
    for (auto& link : m_links) {
        if (!link->exit) link->exit = link->process().exitStatus();
        if (canGoOn(*link)) continue;
        lost.push_back(link->rank());
        endRank(*link);
    }
    return lost;
}

void Supervisor::endRank(WorkerLink& link) {
    link.failureNoted = true; // whatever its channel still holds
    link.process().signal(SIGKILL);
    const double until = monotonicSeconds() + kGoneSeconds;
    while (!(link.exit = link.process().exitStatus()) && monotonicSeconds() < until) ::poll(nullptr, 0, 1);
    for (auto& line : link.readLog()) logLine(link.rank(), "info", std::move(line));
}

bool Supervisor::mayShrink(std::size_t left) const {
    const int least = m_setup.spec.scaling.elastic.min;
    return least > 0 && left >= static_cast<std::size_t>(least);
}

// Replaces what was lost, or goes on without it when that has failed and the run allows it.
bool Supervisor::regroup() {
    if (m_setup.launch.program) return false; // a program of its own starts again from its checkpoint
    const Cause cause = m_causes.front();
    const auto goOn = std::count_if(m_links.begin(), m_links.end(), [](const auto& link) { return canGoOn(*link); });
    const bool anyFinished =
        std::any_of(m_links.begin(), m_links.end(), [](const auto& link) { return link->finished; });
    const bool failedJoin =
        std::any_of(m_links.begin(), m_links.end(), [](const auto& link) { return link->joining && !link->trained; });
    m_failedJoins = failedJoin ? m_failedJoins + 1 : 0;
    bool replace = m_restartsUsed < m_setup.spec.failure.maxRestarts && m_failedJoins < kJoinsTried;
    const bool shrinks = mayShrink(static_cast<std::size_t>(goOn));
    if (!replace && !shrinks) replace = m_restartsUsed < m_setup.spec.failure.maxRestarts;
    if (!cause.retry || anyFinished || goOn == 0 || (!replace && !shrinks)) return false;
    m_regroupBegan = monotonicSeconds();
    if (!m_firstCause) m_firstCause = cause;
    const double until = m_regroupBegan + (replace ? backoff(cause) : 0);
    while (!m_stop && monotonicSeconds() < until) pump(until);
    const auto lost = endLost();
    if (m_stop || lost.size() == m_links.size()) return false;

    beginGroup();
    m_state.notice = cause.name + " " + cause.what + " at step " + std::to_string(cause.step) +
                     "; the others keep their state, no step is lost";
    logLine(cause.rank, "warning", m_state.notice);
    if (!replace) {
        leaveOut(lost);
    } else {
        ++m_restartsUsed;
        ++m_state.restarts;
        announceGroup(); // they let go of the old group while the others start
        // With nobody that may be left out, the others wait: too many processes or open files are often so for a moment.
        const bool patient = !mayShrink(m_links.size() - lost.size());
        if (const auto replaced = replaceWhenPossible(lost, patient ? kLaunchSeconds : 0); !replaced) {
            m_causes.push_back({-1, {}, m_state.step, "could not be launched", replaced.error(), false, true});
            if (!mayShrink(m_links.size() - lost.size())) return false;
            m_causes.clear();
            ++m_generation;
            leaveOut(lost);
        }
    }
    syncRow();
    publish();
    return true;
}

void Supervisor::beginGroup() {
    ++m_generation;
    m_generationFirstStep = m_state.step;
    m_causes.clear();
    m_rendezvous.clear();
}

void Supervisor::announceGroup() {
    for (auto& link : m_links) {
        if (!canGoOn(*link)) continue;
        const auto& place = link->place();
        link->lostPeerAt = -1;
        link->meets = false;
        link->advancedAt = -1; // it gets its time in the new group
        link->phase = wire::Phase::Rendezvous;
        link->send(wire::Regroup{m_generation, place.rank, static_cast<int>(m_links.size()), place.localRank,
                                 place.localWorldSize});
        // It may have heard what it has not done; what it has done is in the state that all go on with.
        if (place.rank == 0) repeatCommands(*link, std::numeric_limits<std::int64_t>::max());
    }
}

Result<void> Supervisor::replaceWhenPossible(std::vector<int> lost, double seconds) {
    const double until = monotonicSeconds() + seconds;
    for (double pause = 0.25;; pause = std::min(kMaxBackoff, 2 * pause)) {
        auto replaced = replaceLost(lost);
        if (replaced || m_stop || monotonicSeconds() + pause > until) return replaced;
        m_state.notice = "rank " + std::to_string(lost.front()) + " cannot be launched: " + replaced.error().text() +
                         "; the others keep their state while it is tried again";
        logLine(lost.front(), "warning", m_state.notice);
        publish();
        for (const double next = monotonicSeconds() + pause; !m_stop && monotonicSeconds() < next;) pump(next);
    }
}

// Those that are replaced leave the list.
Result<void> Supervisor::replaceLost(std::vector<int>& lost) {
    for (; !lost.empty(); lost.erase(lost.begin())) {
        const int rank = lost.front();
        auto& slot = m_links[static_cast<std::size_t>(rank)];
        TY_ASSIGN(auto link, startLink(slot->place()));
        slot = std::move(link);
        slot->joining = true;
        m_state.workers[static_cast<std::size_t>(rank)] = slot->state;
    }
    startHere();
    return {};
}

// The others go on without. What is left out is tried again later, as long as restarts are left for that.
void Supervisor::leaveOut(const std::vector<int>& lost) {
    std::erase_if(m_links,
                  [&](const auto& link) { return std::find(lost.begin(), lost.end(), link->rank()) != lost.end(); });
    placeRanks();
    m_failedJoins = 0;
    m_state.notice += "; " + std::to_string(m_links.size()) + " ranks go on without what cannot be replaced";
    logLine(-1, "warning", m_state.notice);
    tryLaterToGrow();
    announceGroup();
}

// The time from the loss, or the wish, to the next step of the whole group, once it is known.
void Supervisor::noteRegrouped() {
    const bool all =
        std::all_of(m_links.begin(), m_links.end(), [](const auto& link) { return link->phase == wire::Phase::Train; });
    if (m_regroupBegan < 0 || !all) return;
    const double seconds = monotonicSeconds() - m_regroupBegan;
    m_regroupBegan = -1;
    logLine(-1, "info", "all ranks train again after " + std::to_string(std::lround(seconds * 1000)) + " ms");
    answerResize();
}

} // namespace trainyard::run
