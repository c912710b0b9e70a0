// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to a run while it trained and shows in its curves: the marks of its charts. Only the run's supervisor
// writes it. Like the points, events of steps that a restart repeats are dropped; the log keeps all of them.
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/store/store.h"

#include <limits>
#include <string_view>

namespace trainyard::store {

enum class RunEventKind {
    Started,      // its workers began to train, for the first time
    Resumed,      // the same after it had ended: `step` is the checkpoint's
    Restarted,    // all workers began anew, from the checkpoint of `step`
    Replaced,     // a worker was lost and replaced while the others kept their state
    Workers,      // their number changed
    LearningRate, // it was set by hand
    RolledBack,   // the loss was not finite: back to the state of `step`, with a lower learning rate
    Unknown,      // a word in the database that this version does not know; never written
};
const char* toString(RunEventKind kind); // "learning_rate": the word in the database and in JSON
RunEventKind runEventKindFromString(std::string_view word);

// A row of the table run_events.
struct RunEventRow {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    std::int64_t id = 0; // grows in the order in which they happened
    RunEventKind kind = RunEventKind::Unknown;
    std::int64_t step = 0;                // the last one before it took effect
    double seconds = 0;                   // of training by then, as of a point
    double before = kNone, after = kNone; // learning rates, or numbers of workers (also of Started, Resumed, Restarted)
    int rank = -1;                        // that was replaced
    std::string reason{};                 // why, for people
    std::int64_t wallMs = 0;
};

// Rule: what changed a run's curves, and its words.
// One line for people: "learning rate 0.1 → 0.05". Window, terminal and exports share it.
Sentence describe(const RunEventRow& event);
// Whether a chart marks it: what every run begins with is not marked.
bool isMarked(const RunEventRow& event);

} // namespace trainyard::store
