// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to the trials of a sweep and what was decided about them. Only the sweep's supervisor writes it.
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

// Something that happened to a sweep (engine/sweep/values/event.h).
struct TrialEventRow {
    std::int64_t number = 0; // from 0
    std::string kind{};      // slot_free started report ended failed passed tick steered adopted
    int trial = -1;
    double t = 0, loss = 0;       // epochs or steps; smaller is better
    std::string params{}, memo{}; // of adopted: the parameters to go on with, and the trial whose state it was
    std::int64_t wallMs = 0;
    std::string author{}; // of steered: who asked for it, user@host
};

// What was decided of a trial, or of a sweep as a whole (Ended, Failed, Resumed).
enum class TrialDecision {
    Stopped,
    Paused,
    Resumed,
    Ended,
    Killed,
    Adopts,
    Failed,
    Unknown, // a word in the database that this version does not know; never written
};
const char* toString(TrialDecision decision); // "stopped": the word in the database
TrialDecision trialDecisionFromString(std::string_view word);

// The last decision about a trial that a scheduler did not let train to its end.
struct TrialDecisionRow {
    int trial = -1;
    TrialDecision decision = TrialDecision::Unknown;
    std::string rule; // the scheduler, or who asked for it: user@host
    double rung = 0, loss = 0, cut = 0;
    int place = 0, places = 0;
};

// A line that stays with a trial's run (RunQuery::notice).
struct TrialNotice {
    std::string run, text;
};

// A user's request to a sweep (engine/sweep/values/steering.h). Any process may write it; the sweep's supervisor
// answers.
struct SweepRequestRow {
    std::int64_t id = 0;
    int trial = -1;
    std::string body, author;
    std::int64_t wallMs = 0;
    std::string answer{}; // empty: none yet
};
// What became of a request (engine/sweep/values/steering.h).
struct RequestAnswer {
    std::int64_t request = 0;
    std::string text;
};

// What belongs together: all of it is in the database, or nothing.
struct TrialRecord {
    std::vector<TrialEventRow> events;
    std::vector<TrialDecisionRow> decisions; // each takes the place of the trial's one before
    std::vector<TrialNotice> notices;
    std::vector<RequestAnswer> answers{};
    bool empty() const { return events.empty() && decisions.empty() && notices.empty() && answers.empty(); }
};

// Store::appendTrialRecord for a caller that writes only once. Environment when the database cannot be written.
Result<void> appendTrialRecord(const Workspace& workspace, const std::string& sweep, const TrialRecord& record);

// Keeps a request for the sweep's supervisor; its number.
Result<std::int64_t> addSweepRequest(const Workspace& workspace, const std::string& sweep, const SweepRequestRow& row);

} // namespace trainyard::store
