// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that give signs of life and yet hold the others up: one that never comes to a collective, and one that is slow.
#include "engine/run/supervise/supervisor.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace trainyard::run {
namespace {

constexpr double kStepsOfPatience = 20;                  // a stall is longer than so many usual steps
constexpr double kFirstPatience = 3;                     // times as long, while nobody knows what a step usually takes
constexpr double kSlowRatio = 2;                         // of the computing time in a step, against the others' median
constexpr double kLeastShare = 0.2;                      // of a step that the slow rank computes: less holds nobody up
constexpr double kSlowSeconds = 15;                      // for so long, so that a short disturbance is no straggler
constexpr const char* kMeeting = "meet the other ranks"; // as a rank says it

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

std::string silenceText(double seconds) {
    return "nothing has come through between the ranks for " + shortText(seconds) + " s";
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

// Everybody stands still for long, some of them in a collective: who is not in it is the one to name, and when all are
// in one, what is between them. What is large goes in parts, so that it is seen to advance. A rank in validation or at a
// checkpoint may take its time; the collectives themselves have a deadline too.
void Supervisor::judgeStall(double now) {
    if (m_paused || !m_causes.empty() || m_links.size() < 2) return;
    const double patience = m_setup.spec.failure.heartbeatSeconds;
    double limit = patience;
    if (m_lastPointStep >= 1)
        limit = std::max(limit, kStepsOfPatience * m_state.trainSeconds / static_cast<double>(m_lastPointStep));
    std::vector<const WorkerLink*> waiting;
    WorkerLink* missing = nullptr;
    bool trained = m_lastPointStep >= 1;
    double still = std::numeric_limits<double>::infinity(); // seconds
    std::size_t active = 0, meeting = 0;
    for (auto& link : m_links) {
        if (link->finished) continue;
        if (link->advancedAt < 0) return;
        still = std::min(still, now - link->advancedAt);
        trained = trained && (link->trained || link->joining); // who joins does what the others do
        ++active;
        if (link->state.beat.doing == kMeeting) ++meeting;
        if (isCollective(link->state.beat.doing)) waiting.push_back(link.get());
        else if (!missing) missing = link.get();
    }
    if (still < limit) return;
    if (active > 1 && meeting == active)
        return noteBrokenLink(*m_links.front(), "waits to meet the other ranks, as they do: " + silenceText(limit));
    if (meeting > 0 && noteAbsentee(limit)) return;
    // One rank of a program may well do something long alone.
    if (waiting.empty() || m_setup.launch.program) return;
    if (!trained) { // loading takes each rank as long as it takes, and nobody knows yet how long a collective does
        limit *= kFirstPatience;
        if (missing || still < limit) return;
    }
    const std::string silence = silenceText(limit);
    const auto& first = *waiting.front();
    const auto where = first.state.beat.doing + " of step " + std::to_string(first.state.beat.step + 1);
    if (missing && missing->phase != wire::Phase::Train) return;
    if (missing) {
        const std::string what = "has not entered " + where + " for " + shortText(limit) + " s: it is in \"" +
                                 missing->state.beat.doing + "\", and " + ranksText(waiting) +
                                 (waiting.size() == 1 ? " waits" : " wait");
        Error error = runError("rank " + std::to_string(missing->rank()) + " " + what, {},
                               "look at its log; failure.heartbeatSeconds sets the limit")
                          .withCode(ErrorCode::WorkerSilent);
        return noteCause(
            *missing, {missing->rank(), missing->name(), missing->state.beat.step, what, std::move(error), true, true});
    }
    for (const auto* link : waiting) {
        if (link->state.beat.doing == first.state.beat.doing) continue;
        // The last message of a collective may have been lost to one of them, and the other gone on to the next.
        return noteBrokenLink(first, "waits in " + where + " while rank " + std::to_string(link->rank()) +
                                         " waits in " + link->state.beat.doing +
                                         ": they do not call the same collectives, or " + silence);
    }
    noteBrokenLink(first, "waits in " + where + ", as all others do: " + silence);
}

// A new group meets, and a rank of the old one is still in a collective of that, which the word of the new group was to
// end. Its state is lost with it.
bool Supervisor::noteAbsentee(double limit) {
    for (auto& link : m_links) {
        if (link->finished || !link->trained || link->meets || !isCollective(link->state.beat.doing)) continue;
        const std::string what = "has not come to meet the other ranks for " + shortText(limit) +
                                 " s: it is still in \"" + link->state.beat.doing + "\"";
        Error error = runError("rank " + std::to_string(link->rank()) + " " + what, {},
                               "look at its log; failure.heartbeatSeconds sets the limit")
                          .withCode(ErrorCode::WorkerSilent);
        noteCause(*link, {link->rank(), link->name(), link->state.beat.step, what, std::move(error), true, true});
        return true;
    }
    return false;
}

// Nobody has died and nobody is missing. All keep their state and try again in a new group.
void Supervisor::noteBrokenLink(const WorkerLink& first, const std::string& what) {
    Error error = runError("rank " + std::to_string(first.rank()) + " " + what,
                           first.name() + ", step " + std::to_string(first.state.beat.step),
                           "check the network and the firewalls between the hosts; failure.heartbeatSeconds sets "
                           "the limit")
                      .withCode(ErrorCode::ConnectionLost);
    logLine(first.rank(), "error", error.text());
    m_causes.push_back({first.rank(), first.name(), first.state.beat.step, what, std::move(error), false, true});
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
