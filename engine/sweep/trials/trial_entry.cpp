// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_entry.h"

namespace trainyard::sweep {

void TrialEntry::learn(const store::RunRow& row) {
    if (wire::isActive(row.status) || row.id != id || row.step != step || row.finishedMs != finishedMs) score.reset();
    const Error& failure = row.error;
    id = row.id;
    folder = row.folder;
    status = row.status;
    step = row.step;
    finishedMs = row.finishedMs;
    epoch = row.epoch;
    trainSeconds = row.trainSeconds;
    errorKind = failure.kind;
    errorCode = failure.code;
}

void TrialEntry::forgetEnd() {
    stage = Stage::Open;
    begunHere = toldToStop = false;
    score.reset();
}

} // namespace trainyard::sweep
