// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/belonging_files.h"

namespace trainyard {

std::vector<std::filesystem::path> filesBelongingTo(const std::filesystem::path& file) {
    const bool isAdapter = file.filename() == "adapter_model.safetensors";
    const bool isVocabulary = file.extension() == ".json" && !file.string().ends_with(".index.json"); // of any name
    if (!isAdapter && !isVocabulary) return {};
    std::error_code ignored;
    const auto beside = file.parent_path() / (isAdapter ? "adapter_config.json" : "merges.txt");
    if (!std::filesystem::is_regular_file(beside, ignored)) return {};
    return {beside};
}

} // namespace trainyard
