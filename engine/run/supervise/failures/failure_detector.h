// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure.h"
#include "engine/spec/run/run_spec.h"

#include <vector>

namespace trainyard::run {

using Ranks = std::vector<RankRecord*>; // of a group, by number

// Rule: which rank of a run that trains is slow or absent.
// Finds out which rank of a group cannot go on, or holds the others up, from what was seen of them and the time; keeps
// the causes that were found. Has no process and no clock: times (monotonic seconds) and counts are handed to it.
class FailureDetector {
public:
    struct Settings {
        double heartbeatSeconds = spec::Failure{}.heartbeatSeconds; // silent or still for longer is a failure
        bool program = false; // ranks of a program of its own, one of which may do something long alone
    };
    struct Pace {                    // of the whole group
        std::int64_t newestStep = 0; // of the newest point
        double trainSeconds = 0;     // until then
        bool paused = false;
        bool stopping = false; // the run is to end
    };
    struct Straggler {
        RankRecord* rank = nullptr;
        std::string notice;
    };
    explicit FailureDetector(const Settings& settings) : m_settings(settings) {}

    // A generation is launched: failures count from `now` on. `memoryKills`: how many processes the kernel has ended so
    // far.
    void watch(std::int64_t memoryKills, double now);
    void stopWatching() { m_watching = false; } // the ranks are meant to end
    bool watching() const { return m_watching; }

    // The causes that this group cannot go on, in the order of arrival.
    const std::vector<Cause>& causes() const { return m_causes; }
    const Cause& add(Cause cause) { return m_causes.emplace_back(std::move(cause)); }
    void forgetCauses() { m_causes.clear(); }
    // Whether the first cause is an error of a rank that may not have met the others: a way between hosts tells why.
    bool mayNotHaveMet() const;
    // Puts a cause in front that explains it, where the first is only the consequence of another rank's end (PeerLost).
    void preferTrueCause();

    // To be called before the record takes the beat.
    static void noteBeat(RankRecord& rank, const wire::Heartbeat& beat, double now);
    // The ranks that are silent, where the run is to end already after some seconds if others can save; when there is
    // no cause yet, the rank that is missing from a collective, the collective that no rank leaves, connections that
    // break while every rank lives, and a rank that does one thing without end. They are not added.
    std::vector<Cause> look(const Ranks& ranks, const Pace& pace, double now) const;
    // The ranks whose hosts are not heard, and that are not to be waited for: the others show that they do not train
    // on, or there is nothing to wait for. Where no rank is heard, nobody can tell; and one that alone has the state is
    // waited for.
    std::vector<RankRecord*> findForsaken(const Ranks& ranks, const Pace& pace, double now) const;
    // Each rank at most once: its others wait for it in every step. For a group that trains.
    static std::vector<Straggler> findStragglers(const Ranks& ranks, double now);

    // The kernel does not say which processes it killed for lack of memory; on this computer it reports how many.
    bool memoryLookDue(double now) const;
    void noteMemoryKills(std::int64_t count, double now);
    // True when there are more than some seconds ago. Counts each for one rank.
    bool claimMemoryKill(std::int64_t count);

private:
    double silenceOf(const RankRecord& rank, const Ranks& ranks, const Pace& pace, double now) const;
    std::vector<Cause> findSilent(const Ranks& ranks, const Pace& pace, double now) const;
    std::optional<Cause> findStall(const Ranks& ranks, const Pace& pace, double now) const;
    std::optional<Cause> findStuck(const Ranks& ranks, const Pace& pace, double now) const;
    std::optional<Cause> findLostLink(const Ranks& ranks, double now) const;

    Settings m_settings;
    std::vector<Cause> m_causes;
    bool m_watching = false;
    // At the last look and at the one before: a process may be long in dying of it.
    std::int64_t m_memoryKills = 0, m_memoryKillsBefore = 0;
    double m_memoryLook = 0; // when
};

} // namespace trainyard::run
