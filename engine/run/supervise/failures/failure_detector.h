// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure.h"
#include "engine/spec/run/run_spec.h"

#include <vector>

namespace trainyard::run {

using Ranks = std::vector<RankRecord*>; // of a group, by number

// Rule: which rank of a run that trains is slow or absent.
// Finds the rank of a group that cannot continue, or holds the others up, from the records of all ranks and the time;
// keeps the causes it found. Has no process and no clock: the caller passes times (monotonic seconds) and counts.
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
    // Whether the first cause is an error of a rank that may never have met the others: a blocked link may be why.
    bool mayNotHaveMet() const;
    // Whether all causes are only consequences of another rank's end (PeerLost), which is not known yet.
    bool onlyPeersLost() const;
    // Puts a cause in front that explains it, where the first is only the consequence of another rank's end (PeerLost).
    void preferTrueCause();

    // To be called before the record takes the beat.
    static void noteBeat(RankRecord& rank, const wire::Heartbeat& beat, double now);
    // The silent ranks (in a run that is to end, after a few seconds if others can save); when there is no cause yet,
    // also the rank that is missing from a collective, the collective that no rank leaves, connections that break while
    // every rank lives, and a rank with one endless activity. They are not added.
    std::vector<Cause> look(const Ranks& ranks, const Pace& pace, double now) const;
    // The ranks of silent hosts that nobody should wait for: the others show that they no longer train, or there is
    // nothing to wait for. If no rank is heard, nobody can tell; and a rank that alone has the state is always waited
    // for.
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
    // At the last check and at the one before: a process may take long to die of it.
    std::int64_t m_memoryKills = 0, m_memoryKillsBefore = 0;
    double m_memoryLook = 0; // when
};

} // namespace trainyard::run
