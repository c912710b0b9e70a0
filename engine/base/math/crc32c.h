// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace trainyard {

// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), as in RFC 3720. `seed` chains pieces: crc32c(b, crc32c(a)).
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed = 0);

} // namespace trainyard
