// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

// One word for a POSIX shell, between single quotation marks: read back it is exactly `text`.
std::string shellWord(std::string_view text);
// The same for a command that people read: without quotation marks where a shell needs none.
std::string shellArgument(std::string_view text);

} // namespace trainyard
