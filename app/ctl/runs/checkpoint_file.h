// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

#include <filesystem>

namespace trainyard::ctl {

// A file is taken as one if it is there and has a checkpoint's ending; else the checkpoint of a run, RUN[@CHECKPOINT].
// Input: neither.
Result<std::filesystem::path> checkpointFileOf(const Session& session, const std::string& given);

} // namespace trainyard::ctl
