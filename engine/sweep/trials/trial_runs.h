// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_code.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/trials/slots.h"
#include "engine/sweep/trials/trial_book.h"
#include "engine/sweep/trials/trial_hosts.h"
#include "engine/sweep/trials/trial_rules.h"

#include <limits>

namespace trainyard::sweep {

// The runs of a sweep's trials: started or resumed in slots of this process, or adopted from an earlier supervisor.
class TrialRuns {
public:
    // `trials` outlives this object. `program`: as StartOptions::program, for every trial.
    TrialRuns(TrialBook& trials, std::shared_ptr<store::KeptStore> store, spec::SweepSpec spec, store::SweepRow sweep,
              std::optional<run::RankProgram> program)
        : m_trials(trials), m_store(std::move(store)), m_workspace(m_store->workspace()), m_spec(std::move(spec)),
          m_sweep(std::move(sweep)), m_program(std::move(program)),
          m_code(run::codeOfFile(m_workspace.sweepFolder(m_sweep.id) / "launch.json")), m_hosts(hostsOfTrials(m_spec)),
          m_slots(m_workspace.sweepFolder(m_sweep.id), m_spec.reuse) {}

    bool isRunning(const TrialEntry& trial) const;
    // Whether the row says active but there is no supervisor.
    bool isDead(const TrialEntry& trial) const;
    // Takes back trials that have left their slots, and waiting ones while fewer than `slots` slots are busy.
    void reap(int slots);
    std::vector<int> fds() const { return m_slots.fds(); } // readable when there is one
    // Updates the stage of a trial with a run; marks one that never began as failed, unless `stopping`.
    Result<void> look(TrialEntry& trial, const Judge::Trial& judged, bool stopping);
    // Marks a trial that has ended as failed.
    Result<void> fail(TrialEntry& trial, const Error& error);
    // Whether a host has room for one trial more; `slots`: trials side by side; `claimed`: as of TrialHosts.
    bool haveRoom(int slots, int claimed = 0) const;
    // The number of open trials that lost their host and get another one before new trials do. A trial that tries its
    // lost host again counts until it trains.
    int claims(const Judge& judge) const;
    // Prepares a trial that begins next: a host with room, if hosts are chosen, and a run without its row, if it has
    // none. Values that do not fit together fail the trial at once.
    Result<void> prepare(TrialEntry& trial, const spec::Params& params, const SlotCount& count);
    bool haveNew() const; // of the prepared ones: runs without a row
    // Writes their rows. The prepared trials begin in slots after the commit; if it fails, they are undone.
    Result<void> writeNew(store::Store& store);
    Result<void> beginPrepared(const SlotCount& count);
    bool haveUnfit() const; // of the prepared ones: values that do not go together
    void discardPrepared();
    // Prefetch: whether the next trials may wait at busy slots, because trials are so short that slots would idle. Off
    // after a failure or stop, which may end the sweep, while an earlier supervisor's trials run, and if hosts are
    // chosen.
    bool mayGiveAhead(int running) const;
    // Takes back the trials that wait at slots. They begin again, or look() settles them.
    void takeBack() { takeBack(std::numeric_limits<int>::max()); }
    // Tells each trial once. If its supervisor is only starting, a later call tells it. Takes back a trial that waits
    // at a slot.
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
    void leaveHost(int trial);
    Result<void> leaveItsHost(TrialEntry& trial);
    Result<void> findHost(const TrialEntry& trial);
    void hold(TrialEntry& trial, run::PreparedRun run);
    Result<void> give(TrialEntry& trial, run::PreparedRun run, const SlotCount& count);
    Result<void> resume(TrialEntry& trial, const SlotCount& count);
    void takeBack(int slots);
    bool isSettled(const std::string& run, const Error& error) const;
    store::RunRow unfitRow(int trial, const spec::Params& params, const Error& error) const;

    TrialBook& m_trials;
    std::shared_ptr<store::KeptStore> m_store;
    store::Workspace m_workspace;
    spec::SweepSpec m_spec;
    store::SweepRow m_sweep;
    std::optional<run::RankProgram> m_program;
    std::optional<run::RunCode> m_code; // the snapshot that all trials start from
    TrialHosts m_hosts;
    Slots m_slots;
    std::vector<Prepared> m_prepared; // that begin in this tick
    int m_lastEnded = -1;             // the trial that left its slot last
    bool m_lastFinished = false;      // as its row says
    double m_lastSeconds = kNever;    // in its slot
};

} // namespace trainyard::sweep
