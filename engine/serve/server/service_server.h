// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace trainyard::serve {

// Serves models until it is asked to stop: `trainyardctl supervise-service FOLDER`, FOLDER being that of the service,
// whose lock it holds (SERVING.md). SIGTERM and SIGINT drain it. Returns the exit code of the terminal contract. No
// process is left when it returns, nor when it is killed: the kernel ends its replicas then.
int superviseService(const std::filesystem::path& folder);

} // namespace trainyard::serve
