// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

namespace trainyard::train {

// How a subcommand of trainyard-worker ends that failed before it printed a result: the sentence on stderr for people,
// the object of engine/base/error_json.h on stdout for the program that called. Returns the exit code.
int failCommand(const Error& error);

} // namespace trainyard::train
