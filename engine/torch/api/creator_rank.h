// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/api/rank_session.h" // first: the engine says Result<T>, the public headers Result
#include "trainyard/creator.h"

namespace trainyard::train {

// A rank of a CreatorTrainer: makes everything, then does what the driver asks for; ends the process.
[[noreturn]] void serveCreators(const CreatorOptions& options);

} // namespace trainyard::train
