// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/script/probe.h"

#include <torch/script.h>

namespace trainyard::script {

// What a module does with samples of a run, in both modes.
struct Findings {
    std::vector<std::int64_t> inputShape, outputShape; // of two samples
    std::string outputType;
    Batches batches;
    std::vector<std::string> notices;
};

// Calls the module with two samples and with three, in training mode (backward too) and in evaluation mode, and with
// one to see whether it takes that. Input: what it gives cannot be trained with, or it fails, in words for its author.
// Environment: no memory. Runs code of the module.
Result<Findings> tryOut(torch::jit::Module& module, const Use& use);

} // namespace trainyard::script
