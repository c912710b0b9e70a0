// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of the terminal contract; scripts rely on its keys.
#pragma once

#include "engine/store/run_query.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::ctl {

// {run, name, status, metrics, best, checkpoint, best_checkpoint, checkpoints, path, forked_from, error, error_kind,
// error_code, notice, restarts, world_size, steps, epochs, workers, events, timing, estimate}
Result<nlohmann::ordered_json> resultJson(store::RunQuery& query, const store::RunRow& row);
// {step, epoch, path, bytes, time, metrics, best, last}
nlohmann::ordered_json checkpointJson(const store::CheckpointRow& row);
// {kind, step, time_s, before, after, rank, reason, text, time}: what the charts mark
nlohmann::ordered_json eventJson(const store::RunEventRow& row);
// {sweep, trials[{run, params, status, metrics, best}], best_trial, best_params}
Result<nlohmann::ordered_json> sweepJson(store::RunQuery& query, const store::SweepRow& sweep);

} // namespace trainyard::ctl
