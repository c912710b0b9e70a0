// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard::remote {

std::string hmacSha1(std::string_view key, std::string_view message); // 20 raw bytes
std::string toBase64(std::string_view bytes);                         // with padding
// Empty when the text is not base64.
std::string fromBase64(std::string_view text);

} // namespace trainyard::remote
