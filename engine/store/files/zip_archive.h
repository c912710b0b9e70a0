// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives as LibTorch writes them (stored or deflated records, zip64): read only to be sure that they are whole,
// because LibTorch 1.13 loads a record with a flipped bit without a word.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard::store {

struct ZipRecord {
    std::string name;
    std::uint64_t header = 0; // offset of the local header
    std::uint64_t offset = 0; // of the stored bytes
    std::uint64_t stored = 0; // bytes in the file
    std::uint64_t size = 0;   // bytes of content
    std::uint32_t crc = 0;    // CRC-32 of the content
    std::uint16_t method = 0; // 0 stored, 8 deflated
};

// The records of an archive, every one checked: within the file, apart from the others, its name given once, its
// content of the size and with the CRC-32 that the directory says. Total: any bytes give records or an error, and no
// more memory than a fraction of the archive is taken. Kind Input; `where` (the file) and the record are named.
Result<std::vector<ZipRecord>> checkZip(std::span<const std::byte> file, const std::string& where);

} // namespace trainyard::store
