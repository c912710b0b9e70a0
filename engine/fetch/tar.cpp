// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/tar.h"

#include "engine/base/atomic_file.h"
#include "engine/base/file_reader.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace trainyard::fetch {

namespace {

constexpr std::int64_t kBlock = 512;
using Block = std::array<unsigned char, kBlock>;

struct Header {
    std::string name; // its last part
    std::int64_t bytes = 0;
    bool isFile = false;
};

// Octal digits, with spaces before and a space or NUL behind; -1 for anything else.
std::int64_t octal(const Block& block, std::size_t at, std::size_t size) {
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

// The sum of all bytes, the field of the sum itself taken for spaces.
std::int64_t sumOf(const Block& block) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < block.size(); ++i) sum += i >= 148 && i < 156 ? ' ' : block[i];
    return sum;
}

Result<Header> parse(const Block& block, const FileReader& reader) {
    const std::int64_t bytes = octal(block, 124, 12);
    if (octal(block, 148, 8) != sumOf(block)) return reader.fail("is not a tar archive, or its header here is damaged");
    if (bytes < 0) return reader.fail("has a tar header without a readable size");
    const std::string_view field(reinterpret_cast<const char*>(block.data()), 100);
    const std::string_view name = field.substr(0, std::min(field.find('\0'), field.size()));
    const unsigned char type = block[156];
    return Header{std::string(name.substr(name.find_last_of('/') + 1)), bytes, type == '0' || type == 0};
}

Result<void> pass(FileReader& reader, std::int64_t bytes, const ByteSink* sink) {
    std::vector<std::byte> piece(1u << 16);
    while (bytes > 0) {
        const auto size = std::min<std::int64_t>(bytes, static_cast<std::int64_t>(piece.size()));
        TY_TRY(reader.read(piece.data(), size));
        if (sink) TY_TRY((*sink)(std::span(piece).first(static_cast<std::size_t>(size))));
        bytes -= size;
    }
    return {};
}

} // namespace

Result<void> unpackTar(const std::filesystem::path& archive, const std::vector<Member>& members,
                       const std::filesystem::path& folder) {
    TY_ASSIGN(FileReader reader, FileReader::open(archive));
    std::set<std::string> written;
    for (Block block{}; written.size() < members.size();) {
        TY_ASSIGN(const std::int64_t more, reader.readSome(block.data(), 1));
        if (more == 0) break;
        TY_TRY(reader.read(block.data() + 1, kBlock - 1));
        if (std::all_of(block.begin(), block.end(), [](unsigned char c) { return c == 0; })) break; // the end mark
        TY_ASSIGN(const Header header, parse(block, reader));
        const auto member = std::find_if(members.begin(), members.end(),
                                         [&](const Member& each) { return header.isFile && each.name == header.name; });
        const std::int64_t padding = (kBlock - header.bytes % kBlock) % kBlock;
        if (member == members.end()) {
            TY_TRY(pass(reader, header.bytes, nullptr));
            TY_TRY(pass(reader, padding, nullptr));
            continue;
        }
        if (header.bytes != member->bytes)
            return reader.fail(member->name + " has " + std::to_string(header.bytes) +
                               " bytes in the archive instead of " + std::to_string(member->bytes));
        if (!written.insert(member->name).second) return reader.fail(member->name + " is there twice");
        TY_TRY(writeFileAtomic(folder / member->name, static_cast<std::size_t>(header.bytes),
                               [&](const ByteSink& sink) { return pass(reader, header.bytes, &sink); }));
        TY_TRY(pass(reader, padding, nullptr));
    }
    for (const Member& member : members)
        if (!written.contains(member.name)) return reader.fail("ends without " + member.name);
    return {};
}

} // namespace trainyard::fetch
