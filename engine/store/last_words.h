// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <optional>

namespace trainyard::store {

// The file in a run's folder that its supervisor locks (RunLock). Its first line is that process, for people.
inline constexpr const char* kLockFile = "supervisor.lock";

// A supervisor that ends and cannot write its run's row leaves the reason behind its lock: the file has a block of the
// disk already, so that a full one takes the words, too. Best effort; they stay until the run has another supervisor.
void leaveLastWords(const std::filesystem::path& folder, const Error& reason);
// Nothing where the last supervisor left none.
std::optional<Error> lastWords(const std::filesystem::path& folder);

} // namespace trainyard::store
