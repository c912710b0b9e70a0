// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/tar_archive.h"

#include "engine/base/files/tar_header.h"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

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
    const TarBlock header = tarHeaderOf(member.path, bytes);
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
    return appendZeros(sink, tarPaddingOf(bytes));
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
    if (isTarEnd(block)) return std::optional<TarEntry>();
    auto header = readTarHeader(block);
    if (!header) return fail("is not a tar archive, or its header here is damaged");
    if (header->bytes < 0) return fail("has a tar header without a readable size");
    TarEntry entry{std::move(header->path), header->bytes, header->isFile()};
    m_left = entry.bytes;
    m_padding = tarPaddingOf(entry.bytes);
    return std::optional(std::move(entry));
}

Result<void> TarReader::read(const ByteSink& sink) { return pass(std::exchange(m_left, 0), &sink); }

Result<void> TarStream::begin(const TarMember& member) {
    std::error_code failure;
    m_left = static_cast<std::int64_t>(fs::file_size(member.file, failure));
    m_file = std::ifstream(member.file, std::ios::binary);
    if (failure || !m_file) return environmentError("cannot be read", member.file.string());
    m_padding = tarPaddingOf(m_left);
    const bool runs = (fs::status(member.file, failure).permissions() & fs::perms::owner_exec) != fs::perms::none;
    m_pending += tarBegin(member.path, m_left, runs ? 0755 : 0644);
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
        if (member.path.size() > kTarNameBytes)
            return inputError("has a name too long for an archive", member.path, "give it a shorter name");
        std::error_code failure;
        const auto bytes = static_cast<std::int64_t>(fs::file_size(member.file, failure));
        if (failure)
            return inputError("cannot be found: " + failure.message(), member.file.string())
                .withCode(ErrorCode::FileMissing);
        sizes.push_back(bytes);
        all += kTarBlock + bytes + tarPaddingOf(bytes);
    }
    return writeFileAtomic(archive, static_cast<std::size_t>(all), [&](const ByteSink& sink) -> Result<void> {
        for (std::size_t at = 0; at < members.size(); ++at) TY_TRY(appendMember(members[at], sizes[at], sink));
        return appendZeros(sink, 2 * kTarBlock);
    });
}

} // namespace trainyard
