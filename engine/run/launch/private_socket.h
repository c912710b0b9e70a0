// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets of one user's processes: SOCK_SEQPACKET, in a folder that nobody else may enter (checkPrivate).
#pragma once

#include "engine/base/unique_fd.h"

#include <filesystem>

namespace trainyard::run {

// False where the kernel has no room for such a path; then nothing can listen there.
bool fitsSocket(const std::filesystem::path& path);
// Listens there, in the place of what was there. Nothing when that is not possible.
UniqueFd listenAt(const std::filesystem::path& path);
// Nothing when there is no listener, or it is another user's.
UniqueFd connectToOwn(const std::filesystem::path& path);
// Whether nobody listens there any more. Does not wait: a process that listens and is stopped counts as alive.
bool isDeadSocket(const std::filesystem::path& path);
// Deletes the sockets in the folder that nobody listens at any more, with the log beside each: of programs that were
// killed. Leaves those of the last seconds, which may be about to listen. Best effort.
void removeDeadSockets(const std::filesystem::path& folder);
// Whether the other end is a process of this user.
bool isOfThisUser(int socket);

} // namespace trainyard::run
