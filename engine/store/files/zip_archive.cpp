// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/zip_archive.h"

#include "engine/base/text/printable.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace trainyard::store {
namespace {

constexpr std::uint64_t kEndSize = 22, kEnd64Size = 56, kLocatorSize = 20, kEntrySize = 46, kLocalSize = 30;
constexpr std::uint32_t kEndSign = 0x06054b50, kEnd64Sign = 0x06064b50, kLocatorSign = 0x07064b50,
                        kEntrySign = 0x02014b50, kLocalSign = 0x04034b50;
constexpr std::uint64_t kMaxRecords = 1u << 20;
constexpr const char* kSaveAgain = "copy or save the file again";

// Little-endian numbers at checked places: reading past the end gives zero, and callers check sizes first.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    std::uint64_t size() const { return m_bytes.size(); }
    bool holds(std::uint64_t at, std::uint64_t count) const { return at <= size() && count <= size() - at; }
    std::uint64_t number(std::uint64_t at, unsigned count) const {
        std::uint64_t value = 0;
        if (!holds(at, count)) return 0;
        for (unsigned i = count; i-- > 0;) value = (value << 8) | std::to_integer<std::uint64_t>(m_bytes[at + i]);
        return value;
    }
    std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
    std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
    std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }
    std::string text(std::uint64_t at, std::uint64_t count) const {
        return {reinterpret_cast<const char*>(m_bytes.data()) + at, static_cast<std::size_t>(count)};
    }
    const unsigned char* data(std::uint64_t at) const {
        return reinterpret_cast<const unsigned char*>(m_bytes.data()) + at;
    }

private:
    std::span<const std::byte> m_bytes;
};

Error damaged(const std::string& what, const std::string& where, std::uint64_t at) {
    return inputError(what, where + ", byte " + std::to_string(at), kSaveAgain);
}

struct Directory {
    std::uint64_t begin = 0, size = 0, records = 0;
};

// The end record is the last thing in the file, but for a comment whose length it gives.
std::optional<std::uint64_t> endRecord(const Bytes& file) {
    if (file.size() < kEndSize) return std::nullopt;
    const std::uint64_t first = file.size() - std::min<std::uint64_t>(file.size(), kEndSize + 0xffff);
    for (std::uint64_t at = file.size() - kEndSize + 1; at-- > first;)
        if (file.u32(at) == kEndSign && at + kEndSize + file.u16(at + 20) == file.size()) return at;
    return std::nullopt;
}

Result<Directory> findDirectory(const Bytes& file, const std::string& where) {
    if (file.size() == 0) return inputError("is empty", where, kSaveAgain);
    const auto end = endRecord(file);
    if (!end)
        return inputError(file.u32(0) == kLocalSign ? "is a zip archive that was cut off: its directory is missing"
                                                    : "is not a zip archive, which a saved module is",
                          where, file.u32(0) == kLocalSign ? kSaveAgain : "name a file of torch.jit.save");
    Directory directory{file.u32(*end + 16), file.u32(*end + 12), file.u16(*end + 10)};
    if (*end >= kLocatorSize && file.u32(*end - kLocatorSize) == kLocatorSign) {
        const std::uint64_t at = file.u64(*end - kLocatorSize + 8);
        if (!file.holds(at, kEnd64Size) || file.u32(at) != kEnd64Sign)
            return damaged("the place of the zip64 directory is wrong", where, *end - kLocatorSize);
        directory = {file.u64(at + 48), file.u64(at + 40), file.u64(at + 32)};
    }
    if (!file.holds(directory.begin, directory.size) || directory.begin + directory.size > *end)
        return damaged("the zip directory lies outside of the file", where, *end);
    if (directory.records > kMaxRecords || directory.records * kEntrySize > directory.size)
        return damaged("the zip directory is too short for its " + std::to_string(directory.records) + " records",
                       where, directory.begin);
    return directory;
}

// Sizes and place of a record that need more than 32 bits stand in an extra field, in this order.
void readZip64(const Bytes& file, std::uint64_t at, std::uint64_t end, ZipRecord& record) {
    while (end - at >= 4) {
        const std::uint16_t id = file.u16(at), length = file.u16(at + 2);
        at += 4;
        if (length > end - at) return;
        if (id == 1) {
            std::uint64_t next = at;
            for (std::uint64_t* field : {&record.size, &record.stored, &record.header})
                if (*field == 0xffffffff && next + 8 <= at + length) {
                    *field = file.u64(next);
                    next += 8;
                }
            return;
        }
        at += length;
    }
}

Result<ZipRecord> readEntry(const Bytes& file, std::uint64_t& at, std::uint64_t end, const std::string& where) {
    if (end - at < kEntrySize || file.u32(at) != kEntrySign) return damaged("the zip directory is damaged", where, at);
    const std::uint64_t nameSize = file.u16(at + 28), extra = file.u16(at + 30), comment = file.u16(at + 32);
    if (nameSize + extra + comment > end - at - kEntrySize) return damaged("the zip directory is damaged", where, at);
    ZipRecord record;
    record.name = file.text(at + kEntrySize, nameSize);
    record.method = file.u16(at + 10);
    record.crc = file.u32(at + 16);
    record.stored = file.u32(at + 20);
    record.size = file.u32(at + 24);
    record.header = file.u32(at + 42);
    readZip64(file, at + kEntrySize + nameSize, at + kEntrySize + nameSize + extra, record);
    const std::string named = "the record \"" + printable(record.name) + "\" ";
    if (file.u16(at + 8) & 1u) return damaged(named + "is encrypted", where, at);
    if (record.method != 0 && record.method != 8)
        return damaged(named + "is packed in an unknown way (" + std::to_string(record.method) + ")", where, at);
    if (!file.holds(record.header, kLocalSize) || file.u32(record.header) != kLocalSign ||
        file.u16(record.header + 26) != nameSize || !file.holds(record.header + kLocalSize, nameSize) ||
        file.text(record.header + kLocalSize, nameSize) != record.name)
        return damaged(named + "is not where the directory says", where, record.header);
    record.offset = record.header + kLocalSize + nameSize + file.u16(record.header + 28);
    if (!file.holds(record.offset, record.stored) || (record.method == 0 && record.stored != record.size))
        return damaged(named + "does not fit in the file", where, record.header);
    at += kEntrySize + nameSize + extra + comment;
    return record;
}

std::uint32_t crcOf(const unsigned char* data, std::uint64_t size) {
    uLong crc = crc32(0, nullptr, 0);
    while (size > 0) {
        const auto piece = static_cast<uInt>(std::min<std::uint64_t>(size, 1u << 30));
        crc = crc32(crc, data, piece);
        data += piece;
        size -= piece;
    }
    return static_cast<std::uint32_t>(crc);
}

// The CRC-32 of what the deflated bytes hold, unless that is not `size` bytes long.
std::optional<std::uint32_t> inflatedCrc(const unsigned char* data, std::uint64_t stored, std::uint64_t size) {
    if (stored > 0xffffffff) return std::nullopt;
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
    stream.next_in = const_cast<unsigned char*>(data); // zlib's own interface; it is only read
    stream.avail_in = static_cast<uInt>(stored);
    std::array<unsigned char, 1 << 14> piece;
    std::uint64_t total = 0;
    uLong crc = crc32(0, nullptr, 0);
    int state = Z_OK;
    while (state == Z_OK && total <= size) {
        stream.next_out = piece.data();
        stream.avail_out = piece.size();
        state = inflate(&stream, Z_NO_FLUSH);
        const auto got = static_cast<uInt>(piece.size() - stream.avail_out);
        crc = crc32(crc, piece.data(), got);
        total += got;
        if (state == Z_OK && got == 0) break; // the input ended early
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || total != size) return std::nullopt;
    return static_cast<std::uint32_t>(crc);
}

Result<void> checkContent(const Bytes& file, const ZipRecord& record, const std::string& where) {
    const unsigned char* data = file.data(record.offset);
    const auto crc =
        record.method == 0 ? std::optional(crcOf(data, record.stored)) : inflatedCrc(data, record.stored, record.size);
    if (crc == record.crc) return {};
    return damaged("the record \"" + printable(record.name) +
                       "\" is damaged: its bytes do not have the CRC-32 that the "
                       "archive gives for it",
                   where, record.offset);
}

} // namespace

Result<std::vector<ZipRecord>> checkZip(std::span<const std::byte> bytes, const std::string& where) {
    const Bytes file(bytes);
    TY_ASSIGN(const Directory directory, findDirectory(file, where));
    std::vector<ZipRecord> records;
    std::set<std::string> names;
    std::uint64_t at = directory.begin;
    for (std::uint64_t i = 0; i < directory.records; ++i) {
        TY_ASSIGN(ZipRecord record, readEntry(file, at, directory.begin + directory.size, where));
        if (!names.insert(record.name).second)
            return damaged("the record \"" + printable(record.name) + "\" is there twice", where, record.header);
        records.push_back(std::move(record));
    }
    std::vector<const ZipRecord*> order;
    for (const ZipRecord& record : records) order.push_back(&record);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->header < b->header; });
    std::uint64_t free = 0;
    for (const ZipRecord* record : order) {
        if (record->header < free || record->offset + record->stored > directory.begin)
            return damaged("the record \"" + printable(record->name) + "\" overlaps with what is beside it", where,
                           record->header);
        free = record->offset + record->stored;
    }
    for (const ZipRecord& record : records) TY_TRY(checkContent(file, record, where));
    return records;
}

} // namespace trainyard::store
