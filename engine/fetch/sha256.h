// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace trainyard::fetch {

// The SHA-256 of a file as 64 hexadecimal digits. Environment: it cannot be read.
Result<std::string> sha256Of(const std::filesystem::path& file);

} // namespace trainyard::fetch
