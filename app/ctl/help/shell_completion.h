// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::ctl {

// "bash", "zsh", "fish"
const std::vector<std::string>& completedShells();
// The script that a shell sources: it asks `trainyardctl complete` for every word. Empty: no such shell.
const char* shellCompletion(const std::string& shell);

} // namespace trainyard::ctl
