// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/kept_store.h"

#include <string>

namespace trainyard::run {

// Removes all checkpoints of a run without a supervisor, unless one of them is pinned; its curves stay, and a resume
// trains from the beginning. False: the run has a supervisor now. May be repeated after a crash, or a loss of power,
// which is not waited for. Environment: the store cannot be written.
Result<bool> dropCheckpoints(store::KeptStore& store, const std::string& run, const std::filesystem::path& folder);

} // namespace trainyard::run
