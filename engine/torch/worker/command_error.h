// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>

namespace trainyard::train {

// How a subcommand of trainyard-worker ends that failed before it printed a result: the sentence on stderr for people,
// the object of engine/base/error_json.h on stdout for the program that called. `samples`: of training, where they were
// read before it failed: its member "samples"; 0: it has none. Returns the exit code.
int failCommand(const Error& error, std::int64_t samples = 0);

} // namespace trainyard::train
