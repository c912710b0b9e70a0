// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/shell_word.h"

namespace trainyard {

std::string shellWord(std::string_view text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string shellArgument(std::string_view text) {
    static constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,@+%";
    const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
    return plain ? std::string(text) : shellWord(text);
}

} // namespace trainyard
