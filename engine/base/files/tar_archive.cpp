// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/tar_archive.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTarBlock = 512;
using TarBlock = std::array<unsigned char, kTarBlock>;
constexpr std::size_t kNameBytes = 100, kSizeAt = 124, kSizeBytes = 12, kSumAt = 148, kTypeAt = 156;

// Octal digits, with spaces before and a space or NUL behind; -1 for anything else.
std::int64_t octalAt(const TarBlock& block, std::size_t at, std::size_t size) {
    std::int64_t number = -1;
    for (std::size_t i = at; i < at + size; ++i) {
        const unsigned char c = block[i];
        if (c == ' ' && number < 0) continue;
        if ((c == ' ' || c == 0) && number >= 0) return number;
        if (c < '0' || c > '7') return -1;
        number = std::max<std::int64_t>(number, 0) * 8 + (c - '0');
    }
    return number;
}

void putOctal(TarBlock& block, std::size_t at, std::size_t digits, std::int64_t number) {
    for (std::size_t i = digits; i-- > 0; number /= 8) block[at + i] = static_cast<unsigned char>('0' + number % 8);
}

// -1: it cannot be read.
std::int64_t sizeOf(const TarBlock& block) {
    if (block[kSizeAt] != 0x80) return octalAt(block, kSizeAt, kSizeBytes);
    std::int64_t number = 0;
    for (std::size_t i = 1; i < kSizeBytes; ++i) {
        if (number >> 48 != 0) return -1;
        number = number << 8 | block[kSizeAt + i];
    }
    return number;
}

void putSize(TarBlock& block, std::int64_t bytes) {
    if (bytes < std::int64_t{1} << 33) return putOctal(block, kSizeAt, kSizeBytes - 1, bytes);
    block[kSizeAt] = 0x80;
    for (std::size_t i = kSizeBytes; i-- > 1; bytes >>= 8) block[kSizeAt + i] = static_cast<unsigned char>(bytes & 255);
}

// The sum of all bytes, the field of the sum itself taken for spaces.
std::int64_t sumOf(const TarBlock& block) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < block.size(); ++i) sum += i >= kSumAt && i < kSumAt + 8 ? ' ' : block[i];
    return sum;
}

std::string textAt(const TarBlock& block, std::size_t at, std::size_t size) {
    const std::string_view field(reinterpret_cast<const char*>(block.data()) + at, size);
    return std::string(field.substr(0, std::min(field.find('\0'), field.size())));
}

// Of a path, the first 100 bytes.
TarBlock headerOf(std::string_view path, std::int64_t bytes, unsigned char type = '0', std::int64_t mode = 0644) {
    TarBlock block{};
    path = path.substr(0, kNameBytes);
    std::copy(path.begin(), path.end(), block.begin());
    putOctal(block, 100, 7, mode);
    putOctal(block, 108, 7, 0); // owner and group
    putOctal(block, 116, 7, 0);
    putSize(block, bytes);
    putOctal(block, 136, 11, 0); // the time: the same files give the same bytes
    block[kTypeAt] = type;
    std::memcpy(block.data() + 257,
                "ustar\0"
                "00",
                8);
    putOctal(block, kSumAt, 6, sumOf(block));
    block[kSumAt + 7] = ' ';
    return block;
}

std::int64_t paddingOf(std::int64_t bytes) { return (kTarBlock - bytes % kTarBlock) % kTarBlock; }

Result<void> appendZeros(const ByteSink& sink, std::int64_t bytes) {
    const std::vector<std::byte> zeros(static_cast<std::size_t>(bytes));
    return sink(zeros);
}

Error cutShort(const fs::path& file) {
    return environmentError("ended before its size, or cannot be read", file.string(),
                            "try again when nothing writes to it");
}

// The member's header and its content.
Result<void> appendMember(const TarMember& member, std::int64_t bytes, const ByteSink& sink) {
    const TarBlock header = headerOf(member.path, bytes);
    TY_TRY(sink(std::as_bytes(std::span(header))));
    std::ifstream in(member.file, std::ios::binary);
    std::vector<std::byte> piece(1u << 18);
    std::int64_t left = bytes;
    for (; in && left > 0;) {
        in.read(reinterpret_cast<char*>(piece.data()),
                std::min<std::int64_t>(left, static_cast<std::int64_t>(piece.size())));
        TY_TRY(sink(std::span(piece).first(static_cast<std::size_t>(in.gcount()))));
        left -= in.gcount();
    }
    if (left > 0) return cutShort(member.file);
    return appendZeros(sink, paddingOf(bytes));
}

void append(std::string& text, const TarBlock& block) {
    text.append(reinterpret_cast<const char*>(block.data()), block.size());
}

} // namespace

Result<TarReader> TarReader::open(const fs::path& archive) {
    TY_ASSIGN(FileReader reader, FileReader::open(archive));
    return TarReader(std::move(reader));
}

Result<void> TarReader::pass(std::int64_t bytes, const ByteSink* sink) {
    std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::int64_t>(bytes, 1 << 16)));
    while (bytes > 0) {
        const auto size = std::min<std::int64_t>(bytes, static_cast<std::int64_t>(piece.size()));
        TY_TRY(m_reader.read(piece.data(), size));
        if (sink) TY_TRY((*sink)(std::span(piece).first(static_cast<std::size_t>(size))));
        bytes -= size;
    }
    return {};
}

Result<std::optional<TarEntry>> TarReader::next() {
    TY_TRY(pass(m_left + m_padding, nullptr));
    m_left = m_padding = 0;
    TarBlock block{};
    TY_ASSIGN(const std::int64_t more, m_reader.readSome(block.data(), 1));
    if (more == 0) return std::optional<TarEntry>();
    TY_TRY(m_reader.read(block.data() + 1, kTarBlock - 1));
    if (std::all_of(block.begin(), block.end(), [](unsigned char c) { return c == 0; }))
        return std::optional<TarEntry>(); // the end mark
    if (octalAt(block, kSumAt, 8) != sumOf(block)) return fail("is not a tar archive, or its header here is damaged");
    TarEntry entry{textAt(block, 0, kNameBytes), sizeOf(block), block[kTypeAt] == '0' || block[kTypeAt] == 0};
    if (entry.bytes < 0) return fail("has a tar header without a readable size");
    if (textAt(block, 257, 6) == "ustar")
        if (const std::string folder = textAt(block, 345, 155); !folder.empty()) entry.path = folder + "/" + entry.path;
    m_left = entry.bytes;
    m_padding = paddingOf(entry.bytes);
    return std::optional(std::move(entry));
}

Result<void> TarReader::read(const ByteSink& sink) { return pass(std::exchange(m_left, 0), &sink); }

Result<void> TarStream::begin(const TarMember& member) {
    std::error_code failure;
    m_left = static_cast<std::int64_t>(fs::file_size(member.file, failure));
    m_file = std::ifstream(member.file, std::ios::binary);
    if (failure || !m_file) return environmentError("cannot be read", member.file.string());
    m_padding = paddingOf(m_left);
    if (member.path.size() > kNameBytes) { // an entry of its own holds the path, with a NUL behind it
        const auto bytes = static_cast<std::int64_t>(member.path.size()) + 1;
        append(m_pending, headerOf("././@LongLink", bytes, 'L'));
        m_pending += member.path;
        m_pending.append(static_cast<std::size_t>(1 + paddingOf(bytes)), '\0');
    }
    const bool runs = (fs::status(member.file, failure).permissions() & fs::perms::owner_exec) != fs::perms::none;
    append(m_pending, headerOf(member.path, m_left, '0', runs ? 0755 : 0644));
    return {};
}

Result<std::size_t> TarStream::read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const auto room = buffer.subspan(filled);
        if (!m_pending.empty()) {
            const std::size_t count = m_pending.copy(room.data(), room.size());
            m_pending.erase(0, count);
            filled += count;
        } else if (m_left > 0) {
            m_file.read(room.data(), std::min<std::int64_t>(m_left, static_cast<std::int64_t>(room.size())));
            if (m_file.gcount() == 0) return cutShort(m_members[m_next - 1].file);
            filled += static_cast<std::size_t>(m_file.gcount());
            m_left -= m_file.gcount();
            if (m_left == 0) m_pending.assign(static_cast<std::size_t>(m_padding), '\0');
        } else if (m_next < m_members.size()) {
            TY_TRY(begin(m_members[m_next++]));
        } else if (!m_ended) {
            m_ended = true;
            m_pending.assign(2 * kTarBlock, '\0');
        } else {
            break;
        }
    }
    return filled;
}

Result<void> writeTar(const fs::path& archive, const std::vector<TarMember>& members) {
    std::vector<std::int64_t> sizes;
    std::int64_t all = 2 * kTarBlock;
    for (const TarMember& member : members) {
        if (member.path.size() > kNameBytes)
            return inputError("has a name too long for an archive", member.path, "give it a shorter name");
        std::error_code failure;
        const auto bytes = static_cast<std::int64_t>(fs::file_size(member.file, failure));
        if (failure)
            return inputError("cannot be found: " + failure.message(), member.file.string())
                .withCode(ErrorCode::FileMissing);
        sizes.push_back(bytes);
        all += kTarBlock + bytes + paddingOf(bytes);
    }
    return writeFileAtomic(archive, static_cast<std::size_t>(all), [&](const ByteSink& sink) -> Result<void> {
        for (std::size_t at = 0; at < members.size(); ++at) TY_TRY(appendMember(members[at], sizes[at], sink));
        return appendZeros(sink, 2 * kTarBlock);
    });
}

} // namespace trainyard
