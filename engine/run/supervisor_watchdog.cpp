// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that give signs of life and yet hold the others up: one that never comes to a collective, and one that is slow.
#include "engine/run/supervisor.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace trainyard::run {
namespace {

constexpr double kStepsOfPatience = 20;  // a stall is longer than so many usual steps
constexpr double kSlowRatio = 2;         // of the computing time in a step, against the others' median
constexpr double kLeastShare = 0.2;      // of a step that the slow rank computes: less holds nobody up
constexpr double kSlowSeconds = 15;      // for so long, so that a short disturbance is no straggler

// Where a rank waits for the others, as progress reports name it.
bool isCollective(const std::string& doing) {
    return doing.starts_with("all-reduce") || doing.starts_with("reduce ") || doing.starts_with("share ") ||
           doing.starts_with("wait for the ");
}

std::string ranksText(const std::vector<const WorkerLink*>& links) {
    std::string text = links.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < links.size(); ++i) text += (i ? ", " : "") + std::to_string(links[i]->rank());
    return text;
}

std::string shortText(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", number);
    return text.data();
}

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

void Supervisor::noteBeat(WorkerLink& link, const wire::Heartbeat& beat, double now) {
    const auto& before = link.state.beat;
    if (link.advancedAt < 0 || beat.step != before.step || beat.doing != before.doing) link.advancedAt = now;
}

// Everybody stands still for long, some of them in a collective: who is not in it is the one to name. A rank in
// validation or at a checkpoint may take its time; the collectives themselves have a deadline too.
void Supervisor::judgeStall(double now) {
    if (m_paused || !m_causes.empty() || m_lastPointStep < 1) return;
    if (m_setup.launch.program) return; // one rank of a program may well do something long alone
    const double usual = m_state.trainSeconds / static_cast<double>(m_lastPointStep);
    const double limit = std::max(m_setup.spec.failure.heartbeatSeconds, kStepsOfPatience * usual);
    std::vector<const WorkerLink*> waiting;
    WorkerLink* missing = nullptr;
    for (auto& link : m_links) {
        if (link->finished) continue;
        if (!link->trained || link->advancedAt < 0 || now - link->advancedAt < limit) return;
        if (isCollective(link->state.beat.doing)) waiting.push_back(link.get());
        else if (!missing) missing = link.get();
    }
    if (waiting.empty()) return;
    const auto where = waiting.front()->state.beat.doing + " of step " +
                       std::to_string(waiting.front()->state.beat.step + 1);
    if (missing && missing->phase != wire::Phase::Train) return;
    if (missing) {
        const std::string what = "has not entered " + where + " for " + shortText(limit) + " s: it is in \"" +
                                 missing->state.beat.doing + "\", and " + ranksText(waiting) +
                                 (waiting.size() == 1 ? " waits" : " wait");
        Error error = runError("rank " + std::to_string(missing->rank()) + " " + what, {},
                               "look at its log; failure.heartbeatSeconds sets the limit");
        return noteCause(*missing, {missing->rank(), missing->name(), missing->state.beat.step, what,
                                    std::move(error), true, true});
    }
    for (const auto* link : waiting) {
        if (link->state.beat.doing == waiting.front()->state.beat.doing) continue;
        auto& other = *m_links[static_cast<std::size_t>(link->rank())];
        const std::string what = "waits in " + link->state.beat.doing + " while rank " +
                                 std::to_string(waiting.front()->rank()) + " waits in " + where +
                                 ": they do not call the same collectives";
        return noteCause(other, {other.rank(), other.name(), other.state.beat.step, what,
                                 runError("rank " + std::to_string(other.rank()) + " " + what), true, true});
    }
}

// A synchronous step takes all ranks the same time, so the shares of it that they compute tell who makes the others wait.
void Supervisor::judgeStragglers(double now) {
    if (m_links.size() < 2 || m_state.phase != wire::Phase::Train) return;
    for (auto& link : m_links) {
        std::vector<double> others;
        for (const auto& other : m_links)
            if (other != link) others.push_back(other->state.beat.computeShare);
        const double share = link->state.beat.computeShare, median = medianOf(std::move(others));
        const bool slow = median > 0 && share > kLeastShare && share >= kSlowRatio * median;
        if (!slow) {
            link->slowSince = -1;
            continue;
        }
        if (link->slowSince < 0) link->slowSince = now;
        if (link->slowNoted || now - link->slowSince < kSlowSeconds) continue;
        link->slowNoted = true;
        m_state.notice = link->name() + " is slow: it computes " + shortText(share / median) +
                         " times as long in each step as the others, who wait for it";
        logLine(link->rank(), "warning", m_state.notice);
        publish();
    }
}

} // namespace trainyard::run
