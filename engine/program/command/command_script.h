// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// Rule: which word of a command is the user's own program.
// The first one where it names a file, seen from `folder`; else, behind an interpreter, the first that is no option and
// names one: "train.jl" of `julia -t 4 train.jl`. Nothing where neither does.
std::optional<std::size_t> scriptWord(const std::vector<std::string>& command, const std::filesystem::path& folder);

} // namespace trainyard::program
