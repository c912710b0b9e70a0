// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::run {

// An export as its loading program needs it.
struct ExportedModel {
    std::filesystem::path file; // the export
    std::string format;         // safetensors, state-dict, torchscript
    std::string modelInfo;      // JSON, as in the checkpoint's metadata
    std::string loss;           // its name, which says what outputs are
};

// Writes short programs beside the export that load it: FILE.py, and for torchscript and state-dict FILE.cpp. They run
// as they are and show what comes out, or what there is. Gives their paths. Environment: disk.
Result<std::vector<std::filesystem::path>> writeSnippets(const ExportedModel& exported);

// A program in Python that loads the tensors of a safetensors file that lies beside it. Where there is none it has
// `trainyardctl` write it, with these words and --out FILE.
std::string exportingLoader(const std::string& file, const std::vector<std::string>& exportWords);

} // namespace trainyard::run
