// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

std::string toBase64(std::string_view bytes); // with padding
// Empty when the text is not base64, or longer than 1 MB.
std::string fromBase64(std::string_view text);

} // namespace trainyard
