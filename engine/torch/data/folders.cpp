// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/folders.h"

#include "engine/base/files/folders.h"

namespace trainyard::data {

std::vector<std::filesystem::path> datasetFolders(const std::string& name, const std::string& chosen) {
    if (!chosen.empty()) return {chosen};
    std::vector<std::filesystem::path> folders;
    if (const auto home = datasetHome(); !home.empty()) folders.push_back(home / name);
    folders.push_back(std::filesystem::path("/usr/share/datasets") / name);
    return folders;
}

} // namespace trainyard::data
