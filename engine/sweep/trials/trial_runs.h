// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/trials/slots.h"
#include "engine/sweep/trials/trial_hosts.h"
#include "engine/sweep/trials/trial_rules.h"
#include "engine/sweep/trials/trial_table.h"

#include <limits>

namespace trainyard::sweep {

// The runs of a sweep's trials: begun or resumed here in slots, or adopted from an earlier supervisor of the sweep.
class TrialRuns {
public:
    // `trials` outlives this object. `program`: as StartOptions::program, of every trial.
    TrialRuns(TrialTable& trials, std::shared_ptr<store::KeptStore> store, spec::SweepSpec spec, store::SweepRow sweep,
              std::optional<run::RankProgram> program)
        : m_trials(trials), m_store(std::move(store)), m_workspace(m_store->workspace()), m_spec(std::move(spec)),
          m_sweep(std::move(sweep)), m_program(std::move(program)), m_hosts(hostsOfTrials(m_spec)),
          m_slots(m_workspace.sweepFolder(m_sweep.id), m_spec.reuse) {}

    bool isRunning(const TrialEntry& trial) const;
    // Whether the row claims to be active but has no supervisor.
    bool isDead(const TrialEntry& trial) const;
    // Takes back the trials that slots have let go of, and those that wait at one while fewer than `slots` have any.
    void reap(int slots);
    std::vector<int> fds() const { return m_slots.fds(); } // readable when there is one
    // How far a trial with a run has come; one that never began is marked as failed unless `stopping`.
    Result<void> look(TrialEntry& trial, const Judge::Trial& judged, bool stopping);
    // Makes one that has ended one that has failed.
    Result<void> fail(TrialEntry& trial, const Error& error);
    // Whether a host has room for one trial more; `slots`: trials side by side; `claimed`: as of TrialHosts.
    bool haveRoom(int slots, int claimed = 0) const;
    // How many of the open trials have lost their host and claim another before new ones. One that tries the host
    // again, which may still be away, does so until it trains.
    int claims(const Judge& judge) const;
    // Gives a trial that begins next what it needs: a host with room, where hosts are chosen, and a run, but for its
    // row, if it has none. Values that do not go together: the trial fails at once.
    Result<void> prepare(TrialEntry& trial, const spec::Params& params, const SlotCount& count);
    bool haveNew() const; // of the prepared ones: runs without a row
    // Writes their rows. Once that is committed, the prepared trials begin in slots; else they are undone.
    Result<void> writeNew(store::Store& store);
    Result<void> beginPrepared(const SlotCount& count);
    bool haveUnfit() const; // of the prepared ones: values that do not go together
    void discardPrepared();
    // Whether the next trials may wait at slots that have one, as the last one was so short that a slot would be idle
    // for much of the time; not where that one failed or was stopped, as the sweep may end of it, where an earlier
    // supervisor's trials are still being trained, or hosts are chosen.
    bool mayGiveAhead(int running) const;
    // Takes back those that wait at slots. They have runs and are begun again, or are settled by look().
    void takeBack() { takeBack(std::numeric_limits<int>::max()); }
    // Once; one that cannot be told yet, as its supervisor is only starting, is told at a later call. One that waits at
    // a slot is taken back.
    void tellToStop(TrialEntry& trial, wire::StopMode mode);

private:
    struct Prepared {
        TrialEntry* trial = nullptr;
        bool placed = false;                   // on a host, since it was prepared
        std::optional<store::RunRow> row{};    // of one that had no run
        std::optional<run::PreparedRun> run{}; // with that row; none: it has failed
        bool isUnfit() const { return row && !run; }
    };
    Result<void> end(TrialEntry& trial, wire::RunStatus status, std::int64_t finishedMs, const Error& error);
    Result<run::NewRun> makeRun(int trial, const spec::Params& params);
    bool placeOnHost(int trial, const SlotCount& count);
    void leaveHost(int trial, bool lost = false);
    Result<void> findHost(const TrialEntry& trial);
    void hold(TrialEntry& trial, run::PreparedRun run);
    Result<void> give(TrialEntry& trial, run::PreparedRun run, const SlotCount& count);
    Result<void> resume(TrialEntry& trial, const SlotCount& count);
    void takeBack(int slots);
    bool isSettled(const std::string& run, const Error& error) const;
    store::RunRow unfitRow(int trial, const spec::Params& params, const Error& error) const;

    TrialTable& m_trials;
    std::shared_ptr<store::KeptStore> m_store;
    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    store::SweepRow m_sweep;
    std::optional<run::RankProgram> m_program;
    TrialHosts m_hosts;
    Slots m_slots;
    std::vector<Prepared> m_prepared; // that begin in this tick
    int m_lastEnded = -1;             // the trial that left its slot last
    bool m_lastFinished = false;      // as its row says
    double m_lastSeconds = kNever;    // in its slot
};

} // namespace trainyard::sweep
