// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

// Quotes a word for any login shell (sh, bash, zsh, fish, csh): it reads back as exactly `word`. Input: a NUL byte.
// csh alone cannot read a word with a line break; shellCommand() can send one to it.
Result<std::string> shellQuote(std::string_view word);

// A command line that runs `arguments` under /bin/sh with `environment` added, whatever the login shell is. It
// holds no line break, even where an argument or a value does. Before the program starts, the line "\n<marker> PID\n"
// goes to its output and its error stream: what a talkative shell profile printed lies before it. The process leads
// its own group, so `kill -- -PID` ends all of it.
// Input when an argument holds a NUL byte or a variable's name is not one.
Result<std::string> shellCommand(const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment, const std::string& marker);

} // namespace trainyard::remote
