// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/judge/trial_rules.h"
#include "engine/sweep/trials/slots.h"
#include "engine/sweep/trials/trial_hosts.h"
#include "engine/sweep/trials/trial_rows.h"

#include <algorithm>
#include <limits>
#include <map>

namespace trainyard::sweep {

// The runs of a sweep's trials: begun or resumed here in slots, or adopted from an earlier supervisor of the sweep.
class TrialRuns {
public:
    // `program`: as StartOptions::program, of every trial.
    TrialRuns(std::shared_ptr<store::KeptStore> store, spec::SweepSpec spec, store::SweepRow sweep,
              std::optional<run::RankProgram> program)
        : m_store(std::move(store)), m_workspace(m_store->workspace()), m_spec(std::move(spec)),
          m_sweep(std::move(sweep)), m_program(std::move(program)), m_hosts(hostsOfTrials(m_spec)),
          m_slots(m_workspace.sweepFolder(m_sweep.id), m_spec.reuse) {}

    void resize(std::size_t trials);
    std::size_t size() const { return m_trials.size(); }
    const std::vector<std::string>& ids() const { return m_ids; } // by trial; empty: not begun
    bool isDone(std::size_t trial) const { return m_trials[trial].standing.done; }
    bool isComplete(std::size_t trial) const { return m_trials[trial].standing.complete; }
    bool isRunning(std::size_t trial) const;
    int begun() const { return static_cast<int>(m_ids.size() - std::count(m_ids.begin(), m_ids.end(), std::string())); }

    // Whether the row claims to be active but has no supervisor.
    bool isDead(const TrialRow& row) const;
    // Takes back the trials that slots have let go of, and those that wait at one while fewer than `slots` have any.
    void reap(int slots);
    std::vector<int> fds() const { return m_slots.fds(); } // readable when there is one
    // What the store says of the trial of this row; one that never began is marked as failed unless `stopping`.
    Result<void> look(TrialRow& row, const Judge::Trial& judged, bool stopping);
    // Makes one that has ended one that has failed.
    Result<void> fail(TrialRow& row, const Error& error);
    // Whether a host has room for one trial more; `slots`: trials side by side; `claimed`: as of TrialHosts.
    bool haveRoom(int slots, int claimed = 0) const;
    // How many of the `open` trials have lost their host and claim another before new ones. One that tries the host
    // again, which may still be away, does so until it trains.
    int claims(const Judge& judge, const std::set<int>& open) const;
    // Makes the run of a trial that has none, on a host with room, but for its row: nothing begins yet. Values that do
    // not go together: the trial fails at once.
    Result<void> make(std::size_t trial, const spec::Params& params, const SlotCount& count);
    // Holds room on a host for a trial with a run, which begins next: no other one takes it.
    void reserve(std::size_t trial, const SlotCount& count);
    bool haveMade() const { return !m_made.empty(); }
    // Writes the rows of those made. Once that is committed, they begin in slots; else they are undone.
    Result<void> writeMade(store::Store& store);
    Result<void> beginMade(const SlotCount& count);
    bool madeAnyUnfit() const; // whose values do not go together
    void discardMade();        // and gives the reserved room back
    // A run that a trial has, again: in a slot, and on the host that was reserved.
    Result<void> begin(std::size_t trial, const SlotCount& count);
    // Whether the next trials may wait at slots that have one, as the last one was so short that a slot would be idle
    // for much of the time; not where that one failed or was stopped, as the sweep may end of it, where an earlier
    // supervisor's trials are still being trained, or hosts are chosen.
    bool mayGiveAhead(int running) const;
    // Takes back those that wait at slots. They have runs and are begun again, or are settled by look().
    void takeBack() { takeBack(std::numeric_limits<int>::max()); }
    bool isTakenBack(std::size_t trial) const { return m_takenBack.contains(static_cast<int>(trial)); }
    // Once; one that cannot be told yet, as its supervisor is only starting, is told at a later call. One that waits at
    // a slot is taken back.
    void tellToStop(std::size_t trial, wire::StopMode mode);
    // However its run has ended, it is to go on.
    void forgetEnd(std::size_t trial);

private:
    struct Trial {
        std::filesystem::path folder; // of the run: the sweep may keep its runs outside the workspace
        TrialStanding standing{};
        bool begunHere = false;
        bool toldToStop = false;
        int slotsLost = 0; // that died with it
    };
    Result<void> end(TrialRow& row, wire::RunStatus status, std::int64_t finishedMs, const Error& error) const;
    struct Made {
        int trial = -1;
        store::RunRow row;
        std::optional<run::PreparedRun> run{}; // none: it has failed
    };
    Result<run::NewRun> makeRun(std::size_t trial, const spec::Params& params, const std::string& host);
    std::string hostFor(int trial, const SlotCount& count);
    Result<void> findHost(const TrialRow& row);
    void leaveHost(const TrialRow& row);
    void hold(int trial, run::PreparedRun run);
    Result<void> give(int trial, run::PreparedRun run, const SlotCount& count);
    void takeBack(int slots);
    bool isSettled(const std::string& run, const Error& error) const;
    store::RunRow unfitRow(std::size_t trial, const spec::Params& params, const Error& error) const;

    std::shared_ptr<store::KeptStore> m_store;
    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    store::SweepRow m_sweep;
    std::optional<run::RankProgram> m_program;
    TrialHosts m_hosts;
    Slots m_slots;
    std::map<int, run::PreparedRun> m_takenBack; // by trial
    std::vector<Made> m_made;
    std::vector<int> m_reserved;   // trials that have a host since this tick
    int m_lastEnded = -1;          // the trial that left its slot last
    bool m_lastFinished = false;   // as its row says
    double m_lastSeconds = kNever; // in its slot
    std::vector<Trial> m_trials;
    std::vector<std::string> m_ids;
};

} // namespace trainyard::sweep
