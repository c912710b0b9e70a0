// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/command_script.h"

#include <algorithm>

namespace trainyard::program {

std::optional<std::size_t> scriptWord(const std::vector<std::string>& command, const std::filesystem::path& folder) {
    const auto isFile = [&](const std::string& word) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(folder / word, ignored);
    };
    if (command.empty()) return std::nullopt;
    if (command.front().find('/') != std::string::npos) { // no program of $PATH
        if (isFile(command.front()) && !std::filesystem::path(command.front()).is_absolute()) return 0;
    }
    for (std::size_t at = 1; at < command.size(); ++at)
        if (!command[at].empty() && command[at].front() != '-' && isFile(command[at])) return at;
    return std::nullopt;
}

} // namespace trainyard::program
