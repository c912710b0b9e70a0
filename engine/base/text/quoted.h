// SPDX-License-Identifier: GPL-3.0-or-later
// Text inside a language: a shell, HTML, SVG.
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// One word for a POSIX shell, between single quotation marks: read back it is exactly `text`.
std::string shellWord(std::string_view text);
// The same for a command that people read: without quotation marks where a shell needs none.
std::string shellArgument(std::string_view text);

// Rule: text of others in HTML and SVG.
// For content and quoted attributes: <, >, &, " and ' become entities. Invalid UTF-8, control characters and those
// that change the direction of writing are escaped as in printable(), so that no text can pass for another.
std::string markupText(std::string_view text);
// The same of several lines: line ends and tabs stay.
std::string markupLines(std::string_view text);

} // namespace trainyard
