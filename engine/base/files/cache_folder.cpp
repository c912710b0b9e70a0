// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/cache_folder.h"

#include <cstdlib>

namespace fs = std::filesystem;

namespace trainyard {

fs::path cacheFolder() {
    if (const char* given = std::getenv("XDG_CACHE_HOME"); given && *given == '/') return fs::path(given) / "trainyard";
    if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "trainyard";
    return {};
}

} // namespace trainyard
