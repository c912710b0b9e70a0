// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace trainyard::store {

// The workspace that programs use where neither an option nor $TRAINYARD_WORKSPACE names another; empty where this user
// has no home folder. Makes no folder.
std::filesystem::path usualRoot();

} // namespace trainyard::store
