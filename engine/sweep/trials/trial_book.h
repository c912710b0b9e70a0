// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/trials/trial_entry.h"

#include <deque>
#include <functional>
#include <set>

namespace trainyard::sweep {

// All trials of a sweep, by number. Reads the rows of their runs once, and then only changed ones. Entries keep their
// addresses when more are added.
class TrialBook {
public:
    explicit TrialBook(std::string sweep) : m_sweep(std::move(sweep)) {}

    void resize(std::size_t trials);
    TrialEntry& operator[](int trial) { return m_trials[static_cast<std::size_t>(trial)]; }
    const TrialEntry& operator[](int trial) const { return m_trials[static_cast<std::size_t>(trial)]; }
    auto begin() const { return m_trials.begin(); }
    auto end() const { return m_trials.end(); }
    std::vector<TrialEntry*> withRun();
    double trainSeconds() const { return m_trainSeconds; } // of all trials, as is the next one
    double epochs() const { return m_epochs; }

    // Reads the changes in the store since the last call; their trials are open. Ignores runs with numbers outside the
    // sweep.
    Result<void> read(store::RunQuery& query);
    void learn(TrialEntry& trial, const store::RunRow& row);

    // Opens a trial: it may need something. Closed trials are skipped, however many there are.
    void open(int trial) { m_open.insert(trial); }
    const std::set<int>& openNumbers() const { return m_open; }
    std::vector<TrialEntry*> open();
    std::vector<TrialEntry*> openWithRun();
    // Closes the other trials; whether there were any.
    bool closeUnless(const std::function<bool(const TrialEntry&)>& isOpen);

private:
    std::string m_sweep;
    std::deque<TrialEntry> m_trials;
    std::set<int> m_open;
    double m_trainSeconds = 0, m_epochs = 0;
    std::int64_t m_last = -1; // the newest change that was read; -1: none
};

} // namespace trainyard::sweep
