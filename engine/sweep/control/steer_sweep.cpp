// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/control/steer_sweep.h"

#include "engine/base/clock.h"
#include "engine/run/launch/spawn.h"
#include "engine/store/run_query.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace trainyard::sweep {
namespace {

using Verb = Steering::Verb;

constexpr double kAnswerSeconds = 10;
constexpr auto kLook = std::chrono::milliseconds(10);

// Requests that only a supervisor can carry out.
bool needsSupervisor(Verb verb) {
    return verb == Verb::Stop || verb == Verb::Kill || verb == Verb::Pause || verb == Verb::Finish;
}

// Takes all open requests in the place of the supervisor, whose lock is held.
Result<void> takeInItsPlace(const store::Workspace& workspace, store::RunQuery& query, store::SweepRow& row) {
    TY_ASSIGN(row, query.sweep(row.id)); // as its supervisor has left it
    TY_ASSIGN(const auto spec, specOf(row));
    TY_ASSIGN(auto journal, SweepJournal::open(query, row.id, spec));
    TY_ASSIGN(const auto rows, query.trials(row.id));
    const auto runOf = [&rows](int trial) {
        const auto found = std::ranges::lower_bound(rows, trial, {}, &store::RunRow::trial);
        return found == rows.end() || found->trial != trial ? std::string() : found->id;
    };
    store::KeptStore store(workspace, {.check = store::Store::Check::Now});
    TY_ASSIGN([[maybe_unused]] const bool any, journal.takeRequests(store, runOf));
    if (!journal.judge().isOpenEnded()) row.trials = journal.judge().planned();
    TY_ASSIGN(store::Store * writer, store.writer());
    return writer->updateSweep(row);
}

// One that is over trains on for a greater number of trials, too.
bool startsAgain(const Steering& asked, wire::RunStatus status) {
    const bool over = status == wire::RunStatus::Finished || status == wire::RunStatus::Failed;
    return asksForTraining(asked.verb) || (asked.trials && over);
}

Result<void> startSupervisor(const store::Workspace& workspace, store::SweepRow& row, const store::RunLock& lock) {
    row.status = wire::RunStatus::Queued;
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_TRY(store->updateSweep(row));
    TY_ASSIGN([[maybe_unused]] const auto pid,
              run::spawnSupervisor("supervise-sweep", workspace.sweepFolder(row.id), run::Detachment::Full, &lock));
    return {};
}

} // namespace

Result<Steered> steerSweep(const store::Workspace& workspace, const std::string& sweep, Steering asked) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto row, query->sweep(sweep));
    TY_TRY(mustBeSupervisedHere(workspace, row));
    const auto folder = workspace.sweepFolder(row.id);
    if (needsSupervisor(asked.verb) && !store::RunLock::isHeld(folder))
        return inputError(std::string("is not running: it is ") + wire::toString(row.status), "sweep " + row.name,
                          row.status == wire::RunStatus::Finished ? "add trials to continue it"
                                                                  : "resume it first: trainyardctl resume " + row.id)
            .withCode(ErrorCode::NotRunning);
    if (asked.verb == Verb::Resume && !store::RunLock::isHeld(folder)) {
        TY_ASSIGN(const auto spec, specOf(row));
        TY_ASSIGN(const auto journal, SweepJournal::open(*query, row.id, spec));
        if (!journal.judge().isPaused()) {
            TY_TRY(resumeSweep(workspace, row.id));
            return Steered{-1, true};
        }
    }
    TY_ASSIGN(const auto request,
              store::addSweepRequest(
                  workspace, row.id,
                  {.trial = asked.trial, .body = bodyOf(asked), .author = authorHere(), .wallMs = wallClockMs()}));
    std::optional<store::RunLock> lock; // held: there is no supervisor, or there was none a moment ago
    for (const double deadline = monotonicSeconds() + kAnswerSeconds; monotonicSeconds() < deadline;) {
        TY_ASSIGN(const auto text, query->requestAnswer(request));
        if (!text.empty()) {
            TY_ASSIGN(const int trial, answerFrom(text));
            const bool starts = lock && startsAgain(asked, row.status);
            if (starts) TY_TRY(startSupervisor(workspace, row, *lock));
            return Steered{trial, starts};
        }
        if (!lock && !store::RunLock::isHeld(folder)) {
            auto taken = store::RunLock::acquire(folder);
            if (taken) lock.emplace(std::move(*taken));
        }
        if (lock) TY_TRY(takeInItsPlace(workspace, *query, row));
        else std::this_thread::sleep_for(kLook);
    }
    return environmentError("its supervisor has not answered in 10 s", "sweep " + row.name,
                            "the request is kept, and carried out as soon as possible");
}

} // namespace trainyard::sweep
