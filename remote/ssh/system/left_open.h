// SPDX-License-Identifier: GPL-3.0-or-later
// A sign-in on a terminal, or in the window, leaves the host's connection open for processes that cannot ask.
#pragma once

#include "engine/base/machine/mutex.h"
#include "remote/book/sign_in.h"

namespace trainyard::remote {

struct HostEntry;

// The socket of such a connection, which may not be there.
Result<std::filesystem::path> leftMaster(const HostEntry& host);
bool isLeftOpen(const HostEntry& host);

// Has the system's ssh sign in, on the terminal or with the answers of options.askSecret, and leaves the connection
// open for kLeftSeconds, or as long as it is used.
Result<void> leaveOpen(const HostEntry& host, const ConnectOptions& options);

Mutex& terminalMutex(); // held while ssh may ask: one question at a time

} // namespace trainyard::remote
