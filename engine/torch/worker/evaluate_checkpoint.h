// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/worker/sample_reader.h"

#include <string>
#include <vector>

namespace trainyard::train {

// The metrics of a checkpoint's model on one part of its dataset ("train", "validation" or "test"), with the members of
// EVALUATION.md and those of the checkpoint, `step` and `epoch`, and `notes` on the data, such as how it has changed
// since the training; on the CPU, in bf16 where the run trained in it, else
// in fp32. Blocks. Input: the dataset has no such part, does not load, or is
// another one by now (CheckpointMisfit).
Result<std::string> evaluationJson(const TrainedModel& trained, KeptDataset& datasets, const std::string& part);

// A list of such objects, one per checkpoint, with the member `checkpoint`; the dataset is loaded once.
Result<std::string> evaluationsJson(const std::vector<std::string>& checkpoints, const std::string& part);

} // namespace trainyard::train
