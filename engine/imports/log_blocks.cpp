// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/log_blocks.h"

#include <zlib.h>

#include <cstring>

namespace trainyard::imports {
namespace {

constexpr std::size_t kLogBlock = 32768, kPartHead = 7, kMostLogRecord = std::size_t{256} << 20;

struct PartHead {
    std::uint32_t crc = 0;
    std::uint16_t length = 0;
    unsigned char type = 0;
};

PartHead headAt(const char* bytes) {
    PartHead head;
    std::memcpy(&head.crc, bytes, 4); // little-endian, as every processor that this runs on
    std::memcpy(&head.length, bytes + 4, 2);
    std::memcpy(&head.type, bytes + 6, 1);
    return head;
}

// CRC-32 of zlib over the type and the data; LevelDB itself has CRC-32C here.
std::uint32_t crcOf(const char* typeAndData, std::size_t size) {
    return static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(typeAndData), static_cast<uInt>(size)));
}

} // namespace

bool isLogHead(std::string_view bytes) { return bytes.starts_with(std::string_view(":W&B\xE1\xBE\0", kLogHead)); }

void LogBlocks::lose(std::int64_t at, const char* what) {
    m_lost({m_file + ", byte " + std::to_string(at), what, "copy the file again; what stands before is imported"});
    m_open = false;
}

void LogBlocks::join(Part part, std::string_view data, std::int64_t at, const Told& told) {
    const bool begins = part == Part::Whole || part == Part::First;
    if (begins && m_open) lose(m_recordAt, "the end of a record is missing");
    if (!begins && !m_open) return lose(at, "the beginning of a record is missing");
    if (part == Part::Whole) return told(data, at);
    if (begins) {
        m_record.clear();
        m_recordAt = at;
    }
    if (m_record.size() + data.size() > kMostLogRecord) return lose(m_recordAt, "a record has more than 256 MiB");
    m_record += data;
    m_open = part != Part::Last;
    if (!m_open) told(m_record, m_recordAt);
}

// As far as parts of the block are whole.
void LogBlocks::readParts(const Told& told) {
    while (m_at + kPartHead <= m_block.size()) {
        const PartHead head = headAt(m_block.data() + m_at);
        const std::int64_t place = m_blockAt + static_cast<std::int64_t>(m_at);
        const std::size_t next = m_at + kPartHead + head.length;
        const bool isReserved = head.type == 0 && head.length == 0 && head.crc == 0;
        if (isReserved || next > kLogBlock) {
            if (!isReserved) lose(place, "the length of a record is wrong");
            m_at = kLogBlock; // the rest of the block
            return;
        }
        if (next > m_block.size()) return;
        if (head.crc != crcOf(m_block.data() + m_at + 6, 1u + head.length)) {
            lose(place, "the checksum of a record is wrong");
        } else if (head.type < 1 || head.type > 4) {
            lose(place, "a record is of an unknown type");
        } else {
            join(static_cast<Part>(head.type), std::string_view(m_block).substr(m_at + kPartHead, head.length), place,
                 told);
        }
        m_at = next;
    }
}

Error LogBlocks::noLog() const {
    return inputError("is not a W&B log: it does not begin with :W&B, 0xBEE1 and version 0", m_file,
                      "name the file run-….wandb of an offline run");
}

Result<void> LogBlocks::add(std::string_view bytes, const Told& told) {
    while (!bytes.empty()) {
        const auto piece = bytes.substr(0, kLogBlock - m_block.size());
        m_block += piece;
        bytes.remove_prefix(piece.size());
        if (m_blockAt == 0 && m_at == 0) {
            if (m_block.size() < kLogHead) return {};
            if (!isLogHead(m_block)) return noLog();
            m_at = kLogHead;
        }
        readParts(told);
        if (m_block.size() < kLogBlock) continue;
        m_blockAt += static_cast<std::int64_t>(kLogBlock);
        m_block.clear();
        m_at = 0;
    }
    return {};
}

Result<void> LogBlocks::end() {
    if (m_blockAt == 0 && m_at == 0) return noLog();
    if (m_at < m_block.size())
        lose(m_blockAt + static_cast<std::int64_t>(m_at), m_block.size() - m_at < kPartHead
                                                              ? "the file is cut off within the head of a record"
                                                              : "the file is cut off within a record");
    else if (m_open) lose(m_recordAt, "the end of a record is missing");
    return {};
}

} // namespace trainyard::imports
