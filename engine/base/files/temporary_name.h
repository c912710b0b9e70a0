// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace trainyard {

// How a file is called that takes the place of another once it is whole (atomic_file.h): ".tmp.ID.PID.NUMBER".
std::string temporaryName();
// The process that such a file is of; 0: it is no such name.
pid_t ownerOfTemporary(std::string_view name);

// Deletes those in the folder whose process on this computer is gone and that nobody has written to for some seconds: a
// process of another computer that shares the folder writes all the time. Best effort.
void removeAbandonedTemporaries(const std::filesystem::path& folder);

} // namespace trainyard
