// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/quoted.h"

#include "engine/base/text/printable.h"

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

std::string markupText(std::string_view text) {
    std::string safe;
    for (const char each : printable(text, std::string::npos)) switch (each) {
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '&': safe += "&amp;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default: safe += each;
        }
    return safe;
}

std::string markupLines(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const auto end = text.find_first_of("\n\t");
        safe += markupText(text.substr(0, end));
        if (end == text.npos) break;
        safe += text[end];
        text.remove_prefix(end + 1);
    }
    return safe;
}

} // namespace trainyard
