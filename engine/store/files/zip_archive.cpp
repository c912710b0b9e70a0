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
constexpr std::uint64_t kMaxRecords = 1u << 20, kMaxDirectory = 128u << 20;
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

private:
    std::span<const std::byte> m_bytes;
};

Error damaged(const std::string& what, const std::string& where, std::uint64_t at) {
    return inputError(what, where + ", byte " + std::to_string(at), kSaveAgain);
}

// A piece of an archive in memory, and where it begins there.
struct Piece {
    std::vector<std::byte> bytes;
    std::uint64_t begin = 0;
    Bytes read() const { return Bytes(bytes); }
};

// The piece must lie within the file.
Result<Piece> pieceOf(const ZipSource& file, std::uint64_t begin, std::uint64_t size) {
    Piece piece{std::vector<std::byte>(static_cast<std::size_t>(size)), begin};
    TY_TRY(file.read(begin, piece.bytes));
    return piece;
}

bool fits(const ZipSource& file, std::uint64_t at, std::uint64_t count) {
    return at <= file.size && count <= file.size - at;
}

struct Directory {
    std::uint64_t begin = 0, size = 0, records = 0;
};

// The end record is the last thing in the file, but for a comment whose length it gives.
std::optional<std::uint64_t> endRecord(const Bytes& tail) {
    if (tail.size() < kEndSize) return std::nullopt;
    const std::uint64_t first = tail.size() - std::min<std::uint64_t>(tail.size(), kEndSize + 0xffff);
    for (std::uint64_t at = tail.size() - kEndSize + 1; at-- > first;)
        if (tail.u32(at) == kEndSign && at + kEndSize + tail.u16(at + 20) == tail.size()) return at;
    return std::nullopt;
}

Error notAnArchive(const ZipSource& file, const std::string& where) {
    const auto head = pieceOf(file, 0, std::min<std::uint64_t>(file.size, 4));
    if (!head) return head.error();
    const bool cut = head->read().u32(0) == kLocalSign;
    return inputError(cut ? "is a zip archive that was cut off: its directory is missing"
                          : "is not a zip archive, which a saved module is",
                      where, cut ? kSaveAgain : "name a file of torch.jit.save");
}

Result<Directory> findDirectory(const ZipSource& file, const std::string& where) {
    if (file.size == 0) return inputError("is empty", where, kSaveAgain);
    const std::uint64_t tailSize = std::min<std::uint64_t>(file.size, kLocatorSize + kEndSize + 0xffff);
    TY_ASSIGN(const Piece tail, pieceOf(file, file.size - tailSize, tailSize));
    const Bytes bytes = tail.read();
    const auto found = endRecord(bytes);
    if (!found) return notAnArchive(file, where);
    const std::uint64_t end = tail.begin + *found;
    Directory directory{bytes.u32(*found + 16), bytes.u32(*found + 12), bytes.u16(*found + 10)};
    if (*found >= kLocatorSize && bytes.u32(*found - kLocatorSize) == kLocatorSign) {
        const std::uint64_t at = bytes.u64(*found - kLocatorSize + 8);
        const Error wrong = damaged("the place of the zip64 directory is wrong", where, end - kLocatorSize);
        if (!fits(file, at, kEnd64Size)) return wrong;
        TY_ASSIGN(const Piece end64, pieceOf(file, at, kEnd64Size));
        if (end64.read().u32(0) != kEnd64Sign) return wrong;
        directory = {end64.read().u64(48), end64.read().u64(40), end64.read().u64(32)};
    }
    if (!fits(file, directory.begin, directory.size) || directory.begin + directory.size > end)
        return damaged("the zip directory lies outside of the file", where, end);
    if (directory.size > kMaxDirectory)
        return damaged("the zip directory has " + std::to_string(directory.size) + " bytes, the limit is " +
                           std::to_string(kMaxDirectory),
                       where, directory.begin);
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

// Compares a record with its own header, which stands before its content, and finds the content.
Result<void> findContent(const ZipSource& file, ZipRecord& record, const std::string& where) {
    const std::string named = "the record \"" + printable(record.name) + "\" ";
    const std::uint64_t nameSize = record.name.size();
    const Error elsewhere = damaged(named + "is not where the directory says", where, record.header);
    if (!fits(file, record.header, kLocalSize + nameSize)) return elsewhere;
    TY_ASSIGN(const Piece header, pieceOf(file, record.header, kLocalSize + nameSize));
    const Bytes local = header.read();
    if (local.u32(0) != kLocalSign || local.u16(26) != nameSize || local.text(kLocalSize, nameSize) != record.name)
        return elsewhere;
    record.offset = record.header + kLocalSize + nameSize + local.u16(28);
    if (!fits(file, record.offset, record.stored) || (record.method == 0 && record.stored != record.size))
        return damaged(named + "does not fit in the file", where, record.header);
    return {};
}

Result<ZipRecord> readEntry(const ZipSource& source, const Piece& directory, std::uint64_t& at,
                            const std::string& where) {
    const Bytes file = directory.read();
    const Error broken = damaged("the zip directory is damaged", where, directory.begin + at);
    if (file.size() - at < kEntrySize || file.u32(at) != kEntrySign) return broken;
    const std::uint64_t nameSize = file.u16(at + 28), extra = file.u16(at + 30), comment = file.u16(at + 32);
    if (nameSize + extra + comment > file.size() - at - kEntrySize) return broken;
    ZipRecord record;
    record.name = file.text(at + kEntrySize, nameSize);
    record.method = file.u16(at + 10);
    record.crc = file.u32(at + 16);
    record.stored = file.u32(at + 20);
    record.size = file.u32(at + 24);
    record.header = file.u32(at + 42);
    readZip64(file, at + kEntrySize + nameSize, at + kEntrySize + nameSize + extra, record);
    const std::string named = "the record \"" + printable(record.name) + "\" ";
    if (file.u16(at + 8) & 1u) return damaged(named + "is encrypted", where, directory.begin + at);
    if (record.method != 0 && record.method != 8)
        return damaged(named + "is packed in an unknown way (" + std::to_string(record.method) + ")", where,
                       directory.begin + at);
    TY_TRY(findContent(source, record, where));
    at += kEntrySize + nameSize + extra + comment;
    return record;
}

Result<void> checkApart(const std::vector<ZipRecord>& records, std::uint64_t end, const std::string& where) {
    std::vector<const ZipRecord*> order;
    for (const ZipRecord& record : records) order.push_back(&record);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->header < b->header; });
    std::uint64_t free = 0;
    for (const ZipRecord* record : order) {
        if (record->header < free || record->offset + record->stored > end)
            return damaged("the record \"" + printable(record->name) + "\" overlaps with what is beside it", where,
                           record->header);
        free = record->offset + record->stored;
    }
    return {};
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

// The CRC-32 of what the deflated bytes hold, which goes into `out` unless that is null; nothing where it is not `size`
// bytes long.
std::optional<std::uint32_t> inflated(const unsigned char* data, std::uint64_t stored, std::uint64_t size,
                                      std::string* out) {
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
        if (out != nullptr) out->append(reinterpret_cast<const char*>(piece.data()), got);
        total += got;
        if (state == Z_OK && got == 0) break; // the input ended early
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || total != size) return std::nullopt;
    return static_cast<std::uint32_t>(crc);
}

Error wrongContent(const ZipRecord& record, const std::string& where) {
    return damaged("the record \"" + printable(record.name) +
                       "\" is damaged: its bytes do not have the CRC-32 that the "
                       "archive gives for it",
                   where, record.offset);
}

Result<void> checkContent(std::span<const std::byte> file, const ZipRecord& record, const std::string& where) {
    const unsigned char* data = reinterpret_cast<const unsigned char*>(file.data()) + record.offset;
    const auto crc = record.method == 0 ? std::optional(crcOf(data, record.stored))
                                        : inflated(data, record.stored, record.size, nullptr);
    if (crc == record.crc) return {};
    return wrongContent(record, where);
}

} // namespace

Result<std::vector<ZipRecord>> readZipDirectory(const ZipSource& file, const std::string& where) {
    TY_ASSIGN(const Directory place, findDirectory(file, where));
    TY_ASSIGN(const Piece directory, pieceOf(file, place.begin, place.size));
    std::vector<ZipRecord> records;
    std::set<std::string> names;
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < place.records; ++i) {
        TY_ASSIGN(ZipRecord record, readEntry(file, directory, at, where));
        if (!names.insert(record.name).second)
            return damaged("the record \"" + printable(record.name) + "\" is there twice", where, record.header);
        records.push_back(std::move(record));
    }
    TY_TRY(checkApart(records, place.begin, where));
    return records;
}

Result<std::string> readZipRecord(const ZipSource& file, const ZipRecord& record, std::size_t mostBytes,
                                  const std::string& where) {
    const std::string named = "the record \"" + printable(record.name) + "\" ";
    if (record.size > mostBytes || record.stored > mostBytes)
        return inputError(named + "has " + std::to_string(record.size) + " bytes, the limit is " +
                              std::to_string(mostBytes),
                          where, "read the file with the program that wrote it");
    TY_ASSIGN(const Piece stored, pieceOf(file, record.offset, record.stored));
    const auto* data = reinterpret_cast<const unsigned char*>(stored.bytes.data());
    std::string content;
    std::optional<std::uint32_t> crc;
    if (record.method == 0) {
        content.assign(reinterpret_cast<const char*>(data), stored.bytes.size());
        crc = crcOf(data, record.stored);
    } else {
        crc = inflated(data, record.stored, record.size, &content);
    }
    if (crc != record.crc) return wrongContent(record, where);
    return content;
}

Result<std::vector<ZipRecord>> checkZip(std::span<const std::byte> bytes, const std::string& where) {
    const ZipSource file{bytes.size(), [&](std::uint64_t at, std::span<std::byte> out) -> Result<void> {
                             const auto piece = bytes.subspan(static_cast<std::size_t>(at), out.size());
                             std::copy(piece.begin(), piece.end(), out.begin());
                             return {};
                         }};
    TY_ASSIGN(auto records, readZipDirectory(file, where));
    for (const ZipRecord& record : records) TY_TRY(checkContent(bytes, record, where));
    return records;
}

} // namespace trainyard::store
