// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace trainyard::remote {

std::string sha256(std::string_view bytes);                            // 32 raw bytes
std::string hmacSha1(std::string_view key, std::string_view message);  // 20 raw bytes
std::string toHex(std::string_view bytes);
std::string toBase64(std::string_view bytes);                          // with padding
// Empty when the text is not base64.
std::string fromBase64(std::string_view text);

// SHA-256 of a file in hexadecimal, as sha256sum prints it.
Result<std::string> fileSha256(const std::filesystem::path& file);

} // namespace trainyard::remote
