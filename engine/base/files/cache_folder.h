// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace trainyard {

// $XDG_CACHE_HOME/trainyard, or ~/.cache/trainyard: what can be made anew. Empty when neither is known. It need not
// exist.
std::filesystem::path cacheFolder();

} // namespace trainyard
