// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: what an export writes.
// The same bytes for terminal, window, worker and programs. The worker writes the formats that need LibTorch
// (state-dict, torchscript).
#pragma once

#include "engine/store/run_query.h"

#include <functional>

namespace trainyard::run {

// The model's tensors of a checkpoint under their own names, averaged ones where the run kept an average; what only
// training needs is left behind. The metadata says format, producer, step, epoch, modelInfo and metrics. Replaces
// `out`. `goesOn` is told how much is done, 0 to 1; false ends it with an error of kind Stopped, and `out` stays as it
// was. Input when the file is not a checkpoint with a model.
Result<void> exportSafetensors(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                               const std::function<bool(double share)>& goesOn = {});

// All points of a run, as metricsCsv(). Replaces `out`.
Result<void> exportCsv(store::RunQuery& query, const std::string& run, const std::filesystem::path& out);

// All points of a run as an event file in `folder`, which is made; TensorBoard reads the folder as a run. Returns the
// file, which it replaces: it is eventFileOf().
Result<std::filesystem::path> exportTensorBoard(store::RunQuery& query, const store::RunRow& row,
                                                const std::filesystem::path& folder);
std::filesystem::path eventFileOf(const store::RunRow& row, const std::filesystem::path& folder);

} // namespace trainyard::run
