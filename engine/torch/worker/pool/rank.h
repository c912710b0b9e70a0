// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// `trainyard-worker rank`: one rank of a run, told what to do by the frames on stdin and telling what happens by frames
// on what was stdout when it started; stdout itself becomes stderr, so that no stray print can reach the frames.
// Returns the program's exit code: 0 done, 1 the run failed, 2 bad input, 3 environment, 130 stopped by request.
// Ends the process when stdin ends. Takes no arguments. `asked`: when the process was asked to become a rank (monotonic
// seconds), if that was not its start.
int rankCommand(const std::vector<std::string>& arguments, std::optional<double> asked = {});

} // namespace trainyard::train
