// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/printed_choice.h"
#include "engine/store/store.h"

namespace trainyard::run {

// Takes a name that a program prints as a metric, or drops it, in the run's own run file. While the program runs on
// this computer it holds within a second, from the next line on; what was told before stays. Returns the choice that
// stood there. Input: an unknown run, or one that is no program's. Environment: the file cannot be read or written.
Result<program::PrintedChoice> choosePrinted(const store::Workspace& workspace, const RunId& run,
                                             const std::string& name, program::PrintedChoice choice);

} // namespace trainyard::run
