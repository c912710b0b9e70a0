// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/markup.h"

#include "engine/base/text/printable.h"

namespace trainyard {

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
