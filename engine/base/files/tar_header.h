// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks that tar archives are made of (POSIX ustar; sizes from 8 GiB on in base 256, as GNU tar writes them).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

inline constexpr std::int64_t kTarBlock = 512;
inline constexpr std::size_t kTarNameBytes = 100; // a longer name takes an entry of its own
using TarBlock = std::array<unsigned char, kTarBlock>;

// What a header says of its entry.
struct TarHeader {
    std::string path;       // as the archive has it: never to be used as a path unchecked
    std::int64_t bytes = 0; // -1: it cannot be read
    unsigned char type = '0';
    bool isFile() const { return type == '0' || type == 0; }
};

// Whether the block is all zeros, as at the end of an archive.
bool isTarEnd(const TarBlock& block);
// None: its checksum is wrong.
std::optional<TarHeader> readTarHeader(const TarBlock& block);

// Of a path, the first 100 bytes. The same files give the same bytes: owner, group and time are 0.
TarBlock tarHeaderOf(std::string_view path, std::int64_t bytes, unsigned char type = '0', std::int64_t mode = 0644);
// What comes before the content of a file: its header, and before that its path where it has more than 100 bytes, as
// GNU tar writes it.
std::string tarBegin(std::string_view path, std::int64_t bytes, std::int64_t mode = 0644);
// What fills the last block of a content.
std::int64_t tarPaddingOf(std::int64_t bytes);

} // namespace trainyard
