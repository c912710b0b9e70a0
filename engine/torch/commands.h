// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of trainyard-worker that need no training loop. Each prints its result on stdout and its error on
// stderr, and returns the program's exit code. They throw nothing.
#pragma once

#include <string>
#include <vector>

namespace trainyard::train {

// describe: the catalog as JSON (spec::toJson).
int describeCommand();
// preview [FILE]: what a run file would train, as JSON; reads the run file from stdin without FILE or with "-".
int previewCommand(const std::vector<std::string>& args);
// export CHECKPOINT --format safetensors|state-dict --out PATH [--force]
int exportCommand(const std::vector<std::string>& args);

} // namespace trainyard::train
