// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/idx.h"

#include <array>

namespace trainyard::formats {

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{16} << 30;
constexpr unsigned kUnsignedByte = 0x08;

Result<std::vector<std::int64_t>> readHeader(FileReader& reader, std::size_t dimensions) {
    std::array<unsigned char, 4> magic{};
    TY_TRY(reader.read(magic.data(), 4));
    if (magic[0] != 0 || magic[1] != 0)
        return reader.fail("is not an IDX file: it starts with " + hexByte(magic[0]) + " " + hexByte(magic[1]) +
                           " instead of two zero bytes");
    if (magic[2] != kUnsignedByte)
        return reader.fail("has items of type code " + hexByte(magic[2]) +
                           "; only 0x08 (unsigned bytes) is known here");
    if (magic[3] != dimensions)
        return reader.fail("has " + std::to_string(magic[3]) + " dimensions instead of " + std::to_string(dimensions));
    std::vector<std::int64_t> sizes;
    std::int64_t bytes = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
        std::array<unsigned char, 4> raw{};
        TY_TRY(reader.read(raw.data(), 4));
        const std::int64_t size = (std::int64_t{raw[0]} << 24) | (raw[1] << 16) | (raw[2] << 8) | raw[3];
        if (size == 0) return reader.fail(i == 0 ? "has no items" : "has items of size zero");
        if (size > kMaxBytes / bytes)
            return reader.fail("its header asks for more than " + std::to_string(kMaxBytes >> 30) + " GiB");
        bytes *= size;
        sizes.push_back(size);
    }
    return sizes;
}

} // namespace

Result<std::vector<std::int64_t>> readIdxHeader(const std::filesystem::path& file, std::size_t dimensions) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    return readHeader(reader, dimensions);
}

Result<std::vector<std::int64_t>> readIdx(const std::filesystem::path& file, std::size_t dimensions,
                                          const Allocate& allocate) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    TY_ASSIGN(std::vector<std::int64_t> sizes, readHeader(reader, dimensions));
    std::int64_t bytes = 1;
    for (const std::int64_t size : sizes) bytes *= size;
    // Found before the memory is asked for: a header of some bytes must not cost gigabytes.
    if (const std::int64_t most = reader.mostLeft(); bytes > most)
        return reader.fail("is cut short: its header promises " + std::to_string(bytes) +
                           " bytes of items, and the file holds at most " + std::to_string(most));
    TY_TRY(reader.read(allocate(sizes), bytes));
    TY_TRY(reader.expectEnd("has bytes after the last item that its header counts"));
    return sizes;
}

} // namespace trainyard::formats
