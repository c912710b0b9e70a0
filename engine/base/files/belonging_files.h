// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace trainyard {

// Rule: which files belong to a file that is named, and go with it to hosts.
// Those of these that lie beside it: merges.txt of a tokenizer (a .json), adapter_config.json of an
// adapter_model.safetensors.
std::vector<std::filesystem::path> filesBelongingTo(const std::filesystem::path& file);

} // namespace trainyard
