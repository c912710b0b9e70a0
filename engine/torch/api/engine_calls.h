// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the engine for files in which Result is the public one.
#pragma once

#include "trainyard/config.h"

#include <filesystem>
#include <functional>
#include <string>

namespace trainyard::train {

// Runs the function as this rank's and ends the process.
[[noreturn]] void serveRank(const std::function<void(const Config&)>& function);

// exportModel() (engine/torch/worker/export.h) that throws.
void exportCheckpoint(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                      const std::string& format, bool overwrite);

} // namespace trainyard::train
