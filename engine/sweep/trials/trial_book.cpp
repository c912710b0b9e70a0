// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_book.h"

#include <cmath>
#include <limits>

namespace trainyard::sweep {
namespace {

double finite(double value) { return std::isfinite(value) ? value : 0; }

} // namespace

void TrialBook::resize(std::size_t trials) {
    while (m_trials.size() < trials) {
        const auto number = static_cast<int>(m_trials.size());
        m_trials.emplace_back().number = number;
    }
}

std::vector<TrialEntry*> TrialBook::withRun() {
    std::vector<TrialEntry*> trials;
    for (TrialEntry& trial : m_trials)
        if (trial.hasRun()) trials.push_back(&trial);
    return trials;
}

Result<void> TrialBook::read(store::RunQuery& query) {
    const bool first = m_last < 0;
    const auto takeOurs = [&](const store::RunRow& row) {
        if (row.sweep != m_sweep || row.trial < 0 || static_cast<std::size_t>(row.trial) >= m_trials.size()) return;
        learn((*this)[row.trial], row);
        open(row.trial);
    };
    TY_ASSIGN(const auto changes, query.changesAfter(first ? std::numeric_limits<std::int64_t>::max() : m_last));
    if (first) TY_TRY(query.eachTrial(m_sweep, takeOurs));
    for (const auto& row : changes.runs) takeOurs(row);
    m_last = changes.last;
    return {};
}

void TrialBook::learn(TrialEntry& trial, const store::RunRow& row) {
    m_trainSeconds += finite(row.trainSeconds) - finite(trial.trainSeconds);
    m_epochs += finite(row.epoch) - finite(trial.epoch);
    trial.learn(row);
}

std::vector<TrialEntry*> TrialBook::open() {
    std::vector<TrialEntry*> trials;
    for (const int trial : m_open) trials.push_back(&(*this)[trial]);
    return trials;
}

std::vector<TrialEntry*> TrialBook::openWithRun() {
    auto trials = open();
    std::erase_if(trials, [](const TrialEntry* trial) { return !trial->hasRun(); });
    return trials;
}

bool TrialBook::closeUnless(const std::function<bool(const TrialEntry&)>& isOpen) {
    return std::erase_if(m_open, [&](int number) {
               TrialEntry& trial = (*this)[number];
               if (isOpen(trial)) return false;
               trial.watch.reset();
               return true;
           }) > 0;
}

} // namespace trainyard::sweep
