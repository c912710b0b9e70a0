// SPDX-License-Identifier: GPL-3.0-or-later
// Sockets between one user's processes: SOCK_SEQPACKET, in a folder that only this user may enter (checkPrivate).
#pragma once

#include "engine/base/unique_fd.h"

#include <filesystem>

namespace trainyard::run {

// Whether the kernel has room for such a path; without it nothing can listen there.
bool fitsSocket(const std::filesystem::path& path);
// Listens there, replacing an existing file. Nothing if impossible.
UniqueFd listenAt(const std::filesystem::path& path);
// Nothing if there is no listener, or it belongs to another user.
UniqueFd connectToOwn(const std::filesystem::path& path);
// Whether nobody listens there any more. Does not wait: a stopped listener counts as alive.
bool isDeadSocket(const std::filesystem::path& path);
// Deletes sockets of killed programs in the folder, with the logs beside them. Leaves those of the last seconds, whose
// programs may be about to listen. Best effort.
void removeDeadSockets(const std::filesystem::path& folder);
// Whether the peer is a process of this user.
bool isOfThisUser(int socket);

} // namespace trainyard::run
