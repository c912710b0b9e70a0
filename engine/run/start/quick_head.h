// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <string_view>

namespace trainyard::run {

// Rule: what a quick head is.
// The run that trains the last layer alone of a model that begins with weights: what the body puts out is computed
// once, so epochs cost next to nothing, and there is no augmentation. AdamW takes the place of SGD. The rest stays as
// it is, but for the length and a name of its own.
spec::RunSpec quickHead(const spec::RunSpec& spec);
bool isQuickHead(const spec::RunSpec& spec);
bool isQuickHead(std::string_view features); // by the run file's finetune.features

// How a fork goes on with all weights from a checkpoint at `epoch` of such a run: at a tenth of its learning rate, for
// kEpochsOfWhole more epochs.
spec::RunSpec trainedOn(spec::RunSpec fork, double epoch);

inline constexpr std::int64_t kEpochsOfHead = 10, kEpochsOfWhole = 5;

} // namespace trainyard::run
