// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives as LibTorch and Python write them: stored or deflated records, zip64.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
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

// An archive that is read where it is asked for, so that one of any size costs no memory, and one that another process
// cuts meanwhile no crash.
struct ZipSource {
    std::uint64_t size = 0;
    std::function<Result<void>(std::uint64_t at, std::span<std::byte> out)> read; // all of `out`, or an error
};

// The records of an archive as its directory has them, each within the file, apart from the others, and where its own
// header says the same; their content is not read. Total, and bounded: a directory of at most 128 MiB. Input, with the
// file and the record: it is damaged, or cut off (still being written). The errors of `read`.
Result<std::vector<ZipRecord>> readZipDirectory(const ZipSource& file, const std::string& where);

// The content of a record of that archive, unpacked; its CRC-32 is checked. Input: it is damaged, or of more than
// `mostBytes`: never more memory is taken.
Result<std::string> readZipRecord(const ZipSource& file, const ZipRecord& record, std::size_t mostBytes,
                                  const std::string& where);

// LibTorch 1.13 loads a record with a flipped bit without a word. So, before it does:
// The records of an archive, every one checked: within the file, apart from the others, its name given once, its
// content of the size and with the CRC-32 that the directory says. Total: any bytes give records or an error, and no
// more memory than a fraction of the archive is taken. Kind Input; `where` (the file) and the record are named.
Result<std::vector<ZipRecord>> checkZip(std::span<const std::byte> file, const std::string& where);

} // namespace trainyard::store
