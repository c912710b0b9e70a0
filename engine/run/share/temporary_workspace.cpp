// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/temporary_workspace.h"

#include <cstdlib>
#include <filesystem>

namespace trainyard::run {

namespace fs = std::filesystem;

Result<TemporaryWorkspace> TemporaryWorkspace::make(const std::string& name, const fs::path& place) {
    std::error_code failed;
    const auto usual = fs::temp_directory_path(failed);
    const fs::path parent = !place.empty() ? place : failed ? fs::path("/tmp") : usual;
    std::string folder = (parent / (name + "-XXXXXX")).string();
    if (!::mkdtemp(folder.data())) return systemError("a temporary folder cannot be made", folder);
    TY_ASSIGN(auto workspace, store::Workspace::open(folder));
    return TemporaryWorkspace(std::move(workspace));
}

TemporaryWorkspace::~TemporaryWorkspace() {
    std::error_code ignored;
    if (!m_workspace.root.empty()) fs::remove_all(m_workspace.root, ignored);
}

} // namespace trainyard::run
