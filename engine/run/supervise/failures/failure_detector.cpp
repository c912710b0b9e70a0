// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/failures/failure_detector.h"

#include "engine/base/text/amounts.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kHelloSeconds = 60;     // from launch to the first frame
constexpr double kNewcomerSeconds = 3;   // the same where the run is to end, and others wait for it to save
constexpr double kStepsOfPatience = 20;  // a stall is longer than this many usual steps
constexpr double kFirstPatience = 3;     // times as long, before the usual time of a step is known
constexpr double kStuckPatience = 15;    // times as long, for one thing that a rank does and nobody waits for
constexpr double kDeathSeconds = 0.25;   // for a death to be seen behind the connections that it breaks
constexpr double kAwaySeconds = 7;       // in which a link that is cut for a moment is back
constexpr double kStopAwaySeconds = 1;   // the same where the run is to end, and others have all that is to be saved
constexpr double kStillSeconds = 5;      // that the others have to stand still, and
constexpr double kStepsOfStillness = 3;  // so many usual steps, as some ranks compute faster than others
constexpr double kSlowRatio = 2;         // of the computing time in a step, against the others' median
constexpr double kLeastShare = 0.2;      // of a step that the slow rank computes: less does not delay the others
constexpr double kSlowSeconds = 15;      // for this long, so that a brief disturbance does not count
constexpr double kMemoryLookSeconds = 5; // a process that ends for lack of memory is gone in that time
constexpr const char* kLimitRemedy = "look at its log; failure.heartbeatSeconds sets the limit";

std::string ranksText(const std::vector<const RankRecord*>& ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i) text += (i ? ", " : "") + std::to_string(ranks[i]->rank());
    return text;
}

std::string shortText(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", number);
    return text.data();
}

std::string silenceText(double seconds) {
    return "no data has passed between the ranks for " + shortText(seconds) + " s";
}

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Cause absentCause(const RankRecord& rank, const std::string& what) {
    return {FailureCode::Absent,
            rank.rank(),
            rank.placement.host,
            rank.state.beat.step,
            what,
            runError("rank " + std::to_string(rank.rank()) + " " + what, {}, kLimitRemedy)
                .withCode(ErrorCode::WorkerSilent)};
}

// Every rank is alive and present. All keep their state and try again in a new group.
Cause linkCause(const RankRecord& first, const std::string& what) {
    Error error = runError("rank " + std::to_string(first.rank()) + " " + what, {},
                           "check the network and the firewalls between the hosts; failure.heartbeatSeconds sets "
                           "the limit")
                      .withCode(ErrorCode::ConnectionLost);
    return {FailureCode::LinkBroken, first.rank(), first.placement.host, first.state.beat.step, what, std::move(error)};
}

// What the ranks that have not finished do while none of them advances.
struct Standstill {
    double seconds = std::numeric_limits<double>::infinity(); // that all of them have not advanced for
    std::size_t active = 0, atRendezvous = 0;
    bool trained = true;                    // all of them, or they join a group that has
    std::vector<const RankRecord*> waiting; // in a collective
    const RankRecord* missing = nullptr;    // not in one: the first of them
};

// Nothing while one of them has not yet told what it does.
std::optional<Standstill> standstillOf(const Ranks& ranks, double now) {
    Standstill still;
    for (const auto* rank : ranks) {
        if (rank->finished) continue;
        if (rank->advancedAt < 0) return {};
        const auto activity = rank->state.beat.activity;
        still.seconds = std::min(still.seconds, now - rank->advancedAt);
        still.trained = still.trained && (rank->trained || rank->joining); // a joining rank does what the others do
        ++still.active;
        if (activity == wire::Activity::Rendezvous) ++still.atRendezvous;
        if (activity == wire::Activity::Collective) still.waiting.push_back(rank);
        else if (!still.missing) still.missing = rank;
    }
    return still;
}

// A new group meets, and a rank of the old one is still in a collective of that, which the word of the new group was to
// end. Its state is lost with it.
std::optional<Cause> findAbsentee(const Ranks& ranks, double limit) {
    for (const auto* rank : ranks) {
        const auto& beat = rank->state.beat;
        if (rank->finished || !rank->trained || rank->atRendezvous || beat.activity != wire::Activity::Collective)
            continue;
        return absentCause(*rank, "has not reached the rendezvous for " + shortText(limit) + " s: it is still in \"" +
                                      beat.doing + "\"");
    }
    return {};
}

// Some ranks wait in a collective: blames the rank that is not in it or, when all are in it, the link between them.
Cause collectiveCause(const Standstill& still, double limit) {
    const auto& first = *still.waiting.front();
    const auto where = first.state.beat.doing + " of step " + std::to_string(first.state.beat.step + 1);
    if (still.missing)
        return absentCause(*still.missing, "has not entered " + where + " for " + shortText(limit) + " s: it is in \"" +
                                               still.missing->state.beat.doing + "\", and " + ranksText(still.waiting) +
                                               (still.waiting.size() == 1 ? " waits" : " wait"));
    for (const auto* rank : still.waiting) {
        if (rank->state.beat.doing == first.state.beat.doing) continue;
        // The last message of a collective may have been lost to one of them, and the other gone on to the next.
        return linkCause(first, "waits in " + where + " while rank " + std::to_string(rank->rank()) + " waits in " +
                                    rank->state.beat.doing + ": they do not call the same collectives, or " +
                                    silenceText(limit));
    }
    return linkCause(first, "waits in " + where + ", as all others do: " + silenceText(limit));
}

bool isAway(const RankRecord* rank) { return rank->awaySince >= 0; }

// Whether those that are heard, and are not `missing`, wait for the rest: they have lost a peer, or have stood in
// collectives or at the rendezvous for that long.
bool othersWait(const Ranks& ranks, double limit, double now, const RankRecord* missing = nullptr) {
    bool waits = false;
    for (const auto* rank : ranks) {
        if (isAway(rank) || rank == missing || rank->finished) continue;
        if (rank->lostPeerAt >= 0 && now - rank->lostPeerAt >= kDeathSeconds) return true;
        const bool together = rank->state.beat.activity == wire::Activity::Collective ||
                              rank->state.beat.activity == wire::Activity::Rendezvous;
        if (!together || rank->advancedAt < 0 || now - rank->advancedAt < limit) return false;
        waits = true;
    }
    return waits;
}

// Of those that are heard. What the others have is lost with them.
bool anyKeepsState(const Ranks& ranks) {
    return std::ranges::any_of(ranks, [](const auto* rank) { return rank->canContinue() && !isAway(rank); });
}

bool anyCanSave(const Ranks& ranks, double now) {
    return std::ranges::any_of(ranks, [now](const auto* rank) {
        return rank->canContinue() && !rank->finished && !isAway(rank) && now - rank->lastSign < kAwaySeconds;
    });
}

} // namespace

void FailureDetector::watch(std::int64_t memoryKills, double now) {
    m_memoryLook = now;
    m_memoryKills = m_memoryKillsBefore = memoryKills;
    m_causes.clear();
    m_watching = true;
}

bool FailureDetector::mayNotHaveMet() const {
    return !m_causes.empty() && m_causes.front().code == FailureCode::Reported &&
           m_causes.front().error.kind == ErrorKind::Run;
}

namespace {

bool isConsequence(const Cause& cause) { return cause.error.code == ErrorCode::PeerLost && !endsProcess(cause.code); }

} // namespace

bool FailureDetector::onlyPeersLost() const { return std::ranges::all_of(m_causes, isConsequence); }

void FailureDetector::preferTrueCause() {
    if (m_causes.empty()) return;
    if (mayNotHaveMet()) {
        const auto noWay = std::ranges::find(m_causes, FailureCode::NoWay, &Cause::code);
        if (noWay != m_causes.end()) return std::iter_swap(m_causes.begin(), noWay);
    }
    if (!isConsequence(m_causes.front())) return;
    const auto found = std::find_if_not(m_causes.begin(), m_causes.end(), isConsequence);
    if (found != m_causes.end()) std::iter_swap(m_causes.begin(), found);
}

void FailureDetector::noteBeat(RankRecord& rank, const wire::Heartbeat& beat, double now) {
    const auto& before = rank.state.beat;
    if (rank.advancedAt < 0 || beat.step != before.step || beat.doing != before.doing) rank.advancedAt = now;
}

std::vector<Cause> FailureDetector::look(const Ranks& ranks, const Pace& pace, double now) const {
    auto found = findSilent(ranks, pace, now);
    if (!found.empty() || !m_causes.empty() || std::ranges::any_of(ranks, isAway)) return found;
    auto cause = findStall(ranks, pace, now);
    if (!cause) cause = findLostLink(ranks, now);
    if (!cause) cause = findStuck(ranks, pace, now);
    if (cause) found.push_back(std::move(*cause));
    return found;
}

// For how long a rank may be silent. One that others wait for when the run is to end must not cost them the time that
// is left for saving: what ends the run (a scheduler, the loss of a node) may not wait long.
double FailureDetector::silenceOf(const RankRecord& rank, const Ranks& ranks, const Pace& pace, double now) const {
    const bool isSoon = pace.stopping && !m_settings.program && anyCanSave(ranks, now);
    if (!rank.greeted) return isSoon && rank.joining ? kNewcomerSeconds : kHelloSeconds;
    // The step of a node that is lost goes on for Slurm, for minutes.
    const bool isOfNode =
        spec::isSlurmHost(rank.placement.host) && !m_settings.program && othersWait(ranks, kStillSeconds, now, &rank);
    return isSoon || isOfNode ? std::min(m_settings.heartbeatSeconds, kAwaySeconds) : m_settings.heartbeatSeconds;
}

std::vector<Cause> FailureDetector::findSilent(const Ranks& ranks, const Pace& pace, double now) const {
    std::vector<Cause> found;
    for (const auto* rank : ranks) {
        if (rank->finished || rank->failureNoted || isAway(rank)) continue;
        const double limit = silenceOf(*rank, ranks, pace, now);
        if (now - rank->lastSign < limit) continue;
        const auto& doing = rank->state.beat.doing;
        const std::string in = !rank->greeted ? "its start" : doing.empty() ? wire::toString(rank->phase) : doing;
        const std::string what = "has been silent for " + shortText(limit) + " s in " + in;
        const std::int64_t step = std::max(rank->state.beat.step, pace.newestStep);
        const char* remedy = limit < m_settings.heartbeatSeconds ? "look at its log and its host" : kLimitRemedy;
        Error error =
            runError("rank " + std::to_string(rank->rank()) + " " + what + " at step " + grouped(step), {}, remedy)
                .withCode(ErrorCode::WorkerSilent);
        found.push_back({FailureCode::Silent, rank->rank(), rank->placement.host, step, what, std::move(error)});
    }
    return found;
}

// No rank has advanced for long, and some wait in a collective. Large transfers go in parts, so their progress is
// visible. A rank in validation or at a checkpoint may take its time; the collectives themselves have a deadline too.
std::optional<Cause> FailureDetector::findStall(const Ranks& ranks, const Pace& pace, double now) const {
    if (pace.paused || ranks.size() < 2) return {};
    double limit = m_settings.heartbeatSeconds;
    if (pace.newestStep >= 1)
        limit = std::max(limit, kStepsOfPatience * pace.trainSeconds / static_cast<double>(pace.newestStep));
    const auto still = standstillOf(ranks, now);
    if (!still || still->seconds < limit) return {};
    if (still->active > 1 && still->atRendezvous == still->active)
        return linkCause(*ranks.front(), "waits in the rendezvous, as all ranks do: " + silenceText(limit));
    if (still->atRendezvous > 0)
        if (auto absentee = findAbsentee(ranks, limit)) return absentee;
    // One rank of a program may well do something long alone.
    if (still->waiting.empty() || m_settings.program) return {};
    if (!still->trained || pace.newestStep < 1) {
        // Ranks load at their own pace, and the usual time of a collective is not known yet.
        limit *= kFirstPatience;
        if (still->missing || still->seconds < limit) return {};
    }
    if (still->missing && still->missing->phase != wire::Phase::Train) return {};
    return collectiveCause(*still, limit);
}

// Heartbeats come from a thread of their own, so a rank may be in a loop without end and look alive. Loading data and
// writing a checkpoint take as long as they take.
std::optional<Cause> FailureDetector::findStuck(const Ranks& ranks, const Pace& pace, double now) const {
    if (pace.paused || pace.stopping || m_settings.program) return {};
    double limit = kStuckPatience * m_settings.heartbeatSeconds;
    if (pace.newestStep >= 1)
        limit = std::max(limit, kStepsOfPatience * pace.trainSeconds / static_cast<double>(pace.newestStep));
    for (const auto* rank : ranks) {
        const auto& beat = rank->state.beat;
        const bool mayTakeLong = rank->phase == wire::Phase::LoadData || rank->phase == wire::Phase::Checkpoint;
        if (rank->finished || rank->advancedAt < 0 || mayTakeLong || beat.activity != wire::Activity::Work) continue;
        if (now - rank->advancedAt < limit) continue;
        const std::string what = "has made no progress for " + shortText(limit) + " s: it is in \"" + beat.doing + "\"";
        Error error =
            runError("rank " + std::to_string(rank->rank()) + " " + what + " of step " + std::to_string(beat.step + 1),
                     {},
                     "look for an endless loop there; if it takes that long, raise failure.heartbeatSeconds: the limit "
                     "is 15 times that")
                .withCode(ErrorCode::WorkerSilent);
        return Cause{FailureCode::Stuck, rank->rank(), rank->placement.host, beat.step, what, std::move(error)};
    }
    return {};
}

std::vector<RankRecord*> FailureDetector::findForsaken(const Ranks& ranks, const Pace& pace, double now) const {
    double limit = kStillSeconds;
    if (pace.newestStep >= 1)
        limit = std::max(limit, kStepsOfStillness * pace.trainSeconds / static_cast<double>(pace.newestStep));
    const bool waited = m_causes.empty() && !pace.paused && othersWait(ranks, limit, now);
    const double away = pace.stopping && anyCanSave(ranks, now) ? kStopAwaySeconds : kAwaySeconds;
    const bool isNeeded = !pace.stopping && !anyKeepsState(ranks);
    std::vector<RankRecord*> found;
    for (auto* rank : ranks) {
        if (!isAway(rank) || rank->exit || now - rank->awaySince < away || (isNeeded && rank->canContinue())) continue;
        if (pace.stopping || waited || !rank->trained) found.push_back(rank);
    }
    return found;
}

// Ranks lose connections although none has died: most likely a link between hosts.
std::optional<Cause> FailureDetector::findLostLink(const Ranks& ranks, double now) const {
    const RankRecord* first = nullptr;
    bool all = true;
    for (const auto* rank : ranks) {
        if (rank->lostPeerAt < 0) all = all && rank->finished;
        else if (!first || rank->lostPeerAt <= first->lostPeerAt) first = rank;
    }
    if (!first || now - first->lostPeerAt < (all ? kDeathSeconds : m_settings.heartbeatSeconds)) return {};
    Error error = runError("the connection between the ranks broke, and no rank has died", {},
                           "check the network between the hosts")
                      .withCode(ErrorCode::ConnectionLost);
    return Cause{FailureCode::LinkBroken,
                 first->rank(),
                 first->placement.host,
                 first->state.beat.step,
                 "lost its connection to another rank",
                 std::move(error)};
}

// A synchronous step takes all ranks the same time, so the rank with the largest compute share is the one the others
// wait for.
std::vector<FailureDetector::Straggler> FailureDetector::findStragglers(const Ranks& ranks, double now) {
    std::vector<Straggler> found;
    if (ranks.size() < 2 || std::ranges::any_of(ranks, isAway)) return found;
    for (auto* rank : ranks) {
        std::vector<double> others;
        for (const auto* other : ranks)
            if (other != rank) others.push_back(other->state.beat.computeShare);
        const double share = rank->state.beat.computeShare, median = medianOf(std::move(others));
        const bool slow = median > 0 && share > kLeastShare && share >= kSlowRatio * median;
        if (!slow) {
            rank->slowSince = -1;
            continue;
        }
        if (rank->slowSince < 0) rank->slowSince = now;
        if (rank->slowNoted || now - rank->slowSince < kSlowSeconds) continue;
        rank->slowNoted = true;
        found.push_back({rank, rank->name() + " is slow: it computes " + shortText(share / median) +
                                   " times as long in each step as the others, which wait for it"});
    }
    return found;
}

bool FailureDetector::memoryLookDue(double now) const { return now - m_memoryLook >= kMemoryLookSeconds; }

// What was ended long before a rank's end has nothing to do with it.
void FailureDetector::noteMemoryKills(std::int64_t count, double now) {
    m_memoryLook = now;
    m_memoryKillsBefore = std::exchange(m_memoryKills, count);
}

bool FailureDetector::claimMemoryKill(std::int64_t count) {
    m_memoryKills = count;
    return count > std::exchange(m_memoryKillsBefore, count);
}

} // namespace trainyard::run
