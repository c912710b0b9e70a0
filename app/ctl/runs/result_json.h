// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of the terminal contract; scripts rely on its keys.
#pragma once

#include "engine/base/json_text.h"
#include "engine/store/run_query.h"

namespace trainyard::ctl {

// {run, name, status, metrics, best, checkpoint, best_checkpoint, checkpoints, path, forked_from, error, error_kind,
// error_code, notice, restarts, world_size, steps, epochs, workers, events, timing, estimate}
Result<Json> resultJson(store::RunQuery& query, const store::RunRow& row);
// {step, epoch, path, bytes, time, metrics, best, last}
Json checkpointJson(const store::CheckpointRow& row);
// {kind, step, time_s, before, after, rank, reason, text, time}: what the charts mark
Json eventJson(const store::RunEventRow& row);
// {sweep, trials[{run, params, status, metrics, best}], best_trial, best_params}
Result<Json> sweepJson(store::RunQuery& query, const store::SweepRow& sweep);

} // namespace trainyard::ctl
