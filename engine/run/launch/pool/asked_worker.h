// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/capture.h"

namespace trainyard::run {

// What the worker program prints for a command that needs no training loop ("fits", "export", …), as capture() gives
// it. Where a pool of that program runs (worker_pool.h), it forks the process that answers, which saves the start of
// LibTorch; none is started for it. Its threads, limits, folder and environment are those of a program started here.
// What computes predictions is started all the same: their last bits were seen to differ in a forked process.
Result<Captured> askWorker(const std::filesystem::path& worker, const std::vector<std::string>& arguments,
                           double seconds);

} // namespace trainyard::run
