// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// The words of a command as a POSIX shell takes them apart: at blanks and line ends outside quotation marks; a \ at the
// end of a line continues it. Nothing is expanded. Input: a quotation mark that is never closed.
Result<std::vector<std::string>> splitWords(std::string_view text);

// The same words as text that splitWords() reads back.
std::string joinWords(const std::vector<std::string>& words);

} // namespace trainyard::program
