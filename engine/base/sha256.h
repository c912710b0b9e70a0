// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace trainyard {

// SHA-256 (FIPS 180-4) in lower-case hexadecimal, as sha256sum prints it.
std::string sha256Hex(std::span<const std::byte> bytes);

} // namespace trainyard
