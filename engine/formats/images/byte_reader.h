// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a header at given places; what lies past the end reads as 0.
#pragma once

#include <cstdint>
#include <span>

namespace trainyard::formats {

struct LittleBytes {
    std::span<const std::uint8_t> bytes;

    std::uint32_t at(std::size_t place, int size) const {
        std::uint32_t value = 0;
        for (int i = size - 1; i >= 0; --i) {
            const std::size_t byte = place + static_cast<std::size_t>(i);
            value = value << 8 | (byte < bytes.size() ? bytes[byte] : 0u);
        }
        return value;
    }
    std::uint32_t two(std::size_t place) const { return at(place, 2); }
    std::uint32_t four(std::size_t place) const { return at(place, 4); }
};

} // namespace trainyard::formats
