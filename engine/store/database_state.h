// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

// Of the file and what is in it.
enum class DatabaseState { Absent, Whole, Damaged };

// Looks at every page of a workspace's database, however large it is. Environment where that cannot be told now: it is
// locked, or may not be read.
Result<DatabaseState> databaseState(const Workspace& workspace);

// Moves the database with its log into a folder of its own in the workspace, which is returned: a workspace with that
// root reads what is still whole. Environment.
Result<std::filesystem::path> moveDatabaseAside(const Workspace& workspace);

} // namespace trainyard::store
