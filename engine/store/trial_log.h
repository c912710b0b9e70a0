// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to the trials of a sweep and what was decided about them. Only the sweep's supervisor writes it.
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

// Something that happened to a sweep (engine/sweep/event.h).
struct TrialEventRow {
    std::int64_t number = 0; // from 0
    std::string kind{};      // slot_free started report ended failed passed tick adopted
    int trial = -1;
    double t = 0, loss = 0;       // epochs or steps; smaller is better
    std::string params{}, memo{}; // of adopted: the parameters to go on with, and the trial whose state it was
    std::int64_t wallMs = 0;
};

// What holds of a trial that a scheduler did not let train to its end.
struct TrialDecisionRow {
    int trial = -1;
    std::string decision; // stopped, paused, resumed, adopts
    std::string rule;     // the scheduler
    double rung = 0, loss = 0, cut = 0;
    int place = 0, places = 0;
};

// A line that stays with a trial's run (RunQuery::notice).
struct TrialNotice {
    std::string run, text;
};

// What belongs together: all of it is in the database, or nothing.
struct TrialRecord {
    std::vector<TrialEventRow> events;
    std::vector<TrialDecisionRow> decisions; // each takes the place of the trial's one before
    std::vector<TrialNotice> notices;
    bool empty() const { return events.empty() && decisions.empty() && notices.empty(); }
};

// Writes a record in one transaction. Environment when the database cannot be written.
Result<void> appendTrialRecord(const Workspace& workspace, const std::string& sweep, const TrialRecord& record);

} // namespace trainyard::store
