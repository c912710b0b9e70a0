// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace trainyard {

// Whether the disk of this folder, which need not exist yet, takes no more files, however much space is free: all its
// inodes are used.
bool isOutOfInodes(const std::filesystem::path& folder);

// What to do about a call that failed in this folder with that errno for lack of room: "free some space". Empty where
// it failed for something else.
std::string roomRemedy(int code, const std::filesystem::path& folder);

// Environment for a file or folder that could not be made. `what` is the beginning of the sentence: "cannot create the
// run's folder".
Error notMadeError(const std::string& what, const std::filesystem::path& path, const std::error_code& failure);

} // namespace trainyard
