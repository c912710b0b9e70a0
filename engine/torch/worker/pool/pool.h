// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <functional>
#include <string>
#include <vector>

namespace trainyard::train {

// `trainyard-worker pool SOCKET`: waits on descriptor 3, a listening socket that is bound to SOCKET, and forks a rank
// for each request (engine/run/launch/pool/pool_protocol.h). Ends after ten minutes without a client or a rank, or when
// the socket's file or the program on the disk is no longer this one. `shownAs`: this process's argv[1], which ranks
// overwrite, so that a list of processes tells them apart. `command`: the program's main() for all other words, which a
// forked process calls with the threads that a started one would have. Exit codes: 0 idle, 2 wrong arguments, 3 it
// cannot fork safely.
using PoolCommand = int (*)(const std::vector<std::string>& words);
int poolCommand(const std::vector<std::string>& arguments, char* shownAs, PoolCommand command);

// Takes every path of a first training step once, on one thread, so that ranks forked after it need not. Starts no
// thread and touches no accelerator. Throws what LibTorch throws.
void warmUp();

// For a process that is to become a rank of such a run: takes a step of it and makes its model, which the trainer then
// takes over (engine/torch/models/model_cache.h). Only of a built-in model of moderate size whose dataset is held here,
// and without an accelerator; else it does nothing. Some 50 ms; less when `hurry` is true at some time. Throws what
// LibTorch throws.
void warmUpFor(const spec::RunSpec& run, const std::function<bool()>& hurry);

} // namespace trainyard::train
