// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace trainyard::train {

// What is exported, and to where.
struct ExportOptions {
    // safetensors; state-dict: a dictionary that Python's torch.load opens; torchscript: the model itself, see
    // trained_model.h
    std::string format = "safetensors";
    bool overwrite = false;
};

// Writes the model of a checkpoint alone, with its own parameter names (for ResNets those of torchvision). Atomic.
// Input: unknown format, the target exists and overwrite is off, a damaged checkpoint. Environment: disk.
Result<void> exportModel(const std::filesystem::path& checkpoint, const std::filesystem::path& out,
                         const ExportOptions& options);

} // namespace trainyard::train
