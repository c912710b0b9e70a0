// SPDX-License-Identifier: GPL-3.0-or-later
// What a run was trained on, in its folder: data.json has the members of `modelInfo` (CHECKPOINT.md in engine/torch)
// and `notes`, a list of sentences; data-errors.jsonl a line {"file", "error"} for each file that was left out.
#pragma once

#include "engine/base/json_text.h"
#include "engine/run/record/run_folder.h"
#include "engine/wire/messages.h"

namespace trainyard::run {

// Environment: they cannot be written. Without files that were left out there is no second one.
Result<void> writeDataFiles(const RunFolder& folder, const wire::DataRead& read,
                            Outlives outlives = Outlives::PowerLoss);

// data.json as it stands; null: there is none.
Json readDataFile(const RunFolder& folder);

// "3 classes, 1,200 samples to train on, 300 for validation": for people; empty where the file tells nothing.
std::string dataText(const Json& data);

// The file that the run's first weights came from ("weights" in data.json), and its digest: "weights resnet18.pth,
// SHA-256 5c106cde386e"; empty: there was none.
std::string weightsText(const Json& data);

} // namespace trainyard::run
