// SPDX-License-Identifier: GPL-3.0-or-later
// A file of a project, read and copied as it was found.
#pragma once

#include "engine/program/code/code_files.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::program {

// Whether the file that is open is still the one that was found, and unchanged since.
bool isUnchanged(int fd, const CodeFile& found);

// The SHA-256 of what is in it, in hexadecimal; nothing: it is not as it was found any more. Environment: it cannot be
// read.
Result<std::optional<std::string>> contentOf(const std::filesystem::path& project, const CodeFile& found);

// Makes `to`, which must not exist, a copy of it with its permissions and its time: a reflink where the disk has it.
// False: it is not as it was found any more. Environment: it cannot be read, or there is no room.
Result<bool> copyCode(const std::filesystem::path& project, const CodeFile& found, const std::filesystem::path& to);

} // namespace trainyard::program
