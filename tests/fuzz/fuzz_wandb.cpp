// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as a log, and as the content of its only record, behind a checksum that is right.
#include "engine/imports/wandb_files.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

using namespace trainyard::imports;

namespace {

void readLog(const std::uint8_t* data, std::size_t size) {
    const FileOf file(data, size);
    const bool isLog = isWandbFile(file.path());
    const auto run = readWandbFile(file.path());
    if (run.ok()) requireSound(*run);
    else requireExplained(run.error());
    require(!run.ok() || isLog, "what is read is recognised");
}

std::vector<std::uint8_t> framed(const std::uint8_t* data, std::size_t size) {
    const std::size_t length = std::min<std::size_t>(size, 32'000);
    std::vector<std::uint8_t> log{':', 'W', '&', 'B', 0xE1, 0xBE, 0};
    std::vector<std::uint8_t> typed{1};
    typed.insert(typed.end(), data, data + length);
    const auto crc = static_cast<std::uint32_t>(::crc32(0, typed.data(), static_cast<uInt>(typed.size())));
    for (int byte = 0; byte < 4; ++byte) log.push_back(static_cast<std::uint8_t>(crc >> (8 * byte)));
    log.push_back(static_cast<std::uint8_t>(length));
    log.push_back(static_cast<std::uint8_t>(length >> 8));
    log.insert(log.end(), typed.begin(), typed.end());
    return log;
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    readLog(data, size);
    constexpr std::size_t kHeads = 14; // of the file and of its first record
    if (size > kHeads) {
        const auto log = framed(data + kHeads, size - kHeads);
        readLog(log.data(), log.size());
    }
    return 0;
}
