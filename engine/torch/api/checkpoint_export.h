// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace trainyard::train {

// exportModel() (engine/torch/worker/export.h) that throws, for files in which Result is the public one.
void exportCheckpoint(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                      const std::string& format, bool overwrite);

} // namespace trainyard::train
