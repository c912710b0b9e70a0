// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::program {

// Rule: which files are programs of their own, and no scripts of Python, and by which words they are run.
// Machine code that may be executed, and a text whose "#!" names another interpreter than Python: the file alone, or
// that interpreter before it where the text may not be executed. Empty for others, for a name that ends as a script of
// Python's does, and where the file cannot be read.
std::vector<std::string> ownProgram(const std::filesystem::path& file);

} // namespace trainyard::program
