// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/batch_table.h"
#include "engine/serve/values/model_signature.h"
#include "engine/torch/worker/trained_model.h"

#include <string>

namespace trainyard::train {

// What a service can serve: a checkpoint, or a TorchScript file that says what it takes in its "modelInfo.json", as
// exports do (SERVING.md); `given` takes its place where it is missing. Without its optimizer. Input: it is neither, or
// nothing says what it takes; a checkpoint of a program.
Result<TrainedModel> loadServed(const std::string& file, const std::string& given);

// What it takes and gives.
serve::ModelSignature signatureOf(const TrainedModel& trained, const std::string& name, const std::string& version);

// Calls the model with made-up samples, batch by batch of 1, 2, 4 … `most` rows, until each has its kernels, and says
// how long each size takes (the quickest of some). Some tens of milliseconds for a small model; sizes that take longer
// than two seconds are left out. Throws what LibTorch throws.
serve::BatchTable warmUpServed(const TrainedModel& trained, int most);

// How many rows each batch has where neighbours must change no bit: the fewest that cost at most half as much again for
// each row as the cheapest batch of `table`, and in which every row of samples that were drawn gets the same bits
// wherever it stands and whatever stands beside it, as was tried. 1: there is no such batch; rows are computed alone.
int fixedBatch(const TrainedModel& trained, const serve::BatchTable& table);

} // namespace trainyard::train
