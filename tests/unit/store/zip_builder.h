// SPDX-License-Identifier: GPL-3.0-or-later
// Makes small zip archives, right ones and wrong ones.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::test {

struct ZipEntry {
    std::string name, content;
    std::uint32_t crcOff = 0; // added to the true CRC-32
    std::uint16_t method = 0; // as the directory says; the content is stored as it is
    std::uint16_t flags = 0;
    std::uint32_t sizeOff = 0; // added to the sizes in the directory
};

inline std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 255u);
    return text;
}

inline std::uint32_t crcOf(const std::string& content) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

inline std::string zipOf(const std::vector<ZipEntry>& entries) {
    std::string file, directory;
    for (const ZipEntry& entry : entries) {
        const std::uint64_t at = file.size();
        const std::string sums = little(crcOf(entry.content) + entry.crcOff, 4) +
                                 little(entry.content.size() + entry.sizeOff, 4) +
                                 little(entry.content.size() + entry.sizeOff, 4);
        const std::string common = little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) + little(0, 4) +
                                   sums + little(entry.name.size(), 2) + little(0, 2);
        file += "PK\x03\x04" + common + entry.name + entry.content;
        directory += "PK\x01\x02" + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                     little(at, 4) + entry.name;
    }
    const std::uint64_t begin = file.size(), count = entries.size();
    return file + directory + "PK\x05\x06" + little(0, 4) + little(count, 2) + little(count, 2) +
           little(directory.size(), 4) + little(begin, 4) + little(0, 2);
}

} // namespace trainyard::test
