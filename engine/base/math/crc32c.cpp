// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace trainyard {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the state after byte b and k zero bytes, so that eight bytes take one step ("slicing by 8").
constexpr Tables makeTables() {
    Tables tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t state = b;
        for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0x82F63B78u : 0u);
        tables[0][b] = state;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b)
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xFF];
    return tables;
}
constexpr Tables kTables = makeTables();

std::uint64_t load64(const std::byte* p) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    return word;
}

std::uint32_t byTable(std::uint32_t state, const std::byte* p, std::size_t size) {
    if constexpr (std::endian::native == std::endian::little) {
        for (; size >= 8; p += 8, size -= 8) {
            const std::uint64_t word = load64(p) ^ state;
            state = 0;
            for (std::size_t k = 0; k < 8; ++k) state ^= kTables[7 - k][(word >> (8 * k)) & 0xFF];
        }
    }
    for (; size > 0; ++p, --size)
        state = (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(*p)) & 0xFF];
    return state;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(std::uint32_t state, const std::byte* p,
                                                              std::size_t size) {
    std::uint64_t wide = state;
    for (; size >= 8; p += 8, size -= 8) wide = _mm_crc32_u64(wide, load64(p));
    auto narrow = static_cast<std::uint32_t>(wide);
    for (; size > 0; ++p, --size) narrow = _mm_crc32_u8(narrow, std::to_integer<unsigned char>(*p));
    return narrow;
}
#endif

} // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed) {
#if defined(__x86_64__)
    static const bool hasInstruction = __builtin_cpu_supports("sse4.2") != 0;
    if (hasInstruction) return ~byInstruction(~seed, bytes.data(), bytes.size());
#endif
    return ~byTable(~seed, bytes.data(), bytes.size());
}

} // namespace trainyard
