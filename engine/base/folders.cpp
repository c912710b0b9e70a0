// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/folders.h"

#include <cstdlib>

namespace trainyard {

std::filesystem::path datasetHome() {
    const char* dataHome = std::getenv("XDG_DATA_HOME");
    if (dataHome && *dataHome) return std::filesystem::path(dataHome) / "trainyard/datasets";
    const char* home = std::getenv("HOME");
    if (home && *home) return std::filesystem::path(home) / ".local/share/trainyard/datasets";
    return {};
}

} // namespace trainyard
