// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shell_word.h"

namespace trainyard {

std::string shellWord(std::string_view text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace trainyard
