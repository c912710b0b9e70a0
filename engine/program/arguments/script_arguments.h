// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/program/arguments/argument.h"

#include <filesystem>

namespace trainyard::program {

// What the Python script takes on its command line, read from its source and from the files of its project that it
// imports; nothing is run (ARGUMENTS.md). Bounded in time and memory. Input, with file, line and remedy: the script is
// missing, a folder, too large, not UTF-8, or no Python. Environment: it cannot be read. What is wrong with a file that
// it imports stands in `unread`.
Result<ScriptArguments> readArguments(const std::filesystem::path& script);

} // namespace trainyard::program
