// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/tar_header.h"

#include <algorithm>
#include <cstring>

namespace trainyard {
namespace {

constexpr std::size_t kSizeAt = 124, kSizeBytes = 12, kSumAt = 148, kTypeAt = 156;

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

void append(std::string& text, const TarBlock& block) {
    text.append(reinterpret_cast<const char*>(block.data()), block.size());
}

} // namespace

bool isTarEnd(const TarBlock& block) {
    return std::all_of(block.begin(), block.end(), [](unsigned char c) { return c == 0; });
}

std::optional<TarHeader> readTarHeader(const TarBlock& block) {
    if (octalAt(block, kSumAt, 8) != sumOf(block)) return std::nullopt;
    TarHeader header{textAt(block, 0, kTarNameBytes), sizeOf(block), block[kTypeAt]};
    if (textAt(block, 257, 6) == "ustar")
        if (const std::string folder = textAt(block, 345, 155); !folder.empty())
            header.path = folder + "/" + header.path;
    return header;
}

TarBlock tarHeaderOf(std::string_view path, std::int64_t bytes, unsigned char type, std::int64_t mode) {
    TarBlock block{};
    path = path.substr(0, kTarNameBytes);
    std::copy(path.begin(), path.end(), block.begin());
    putOctal(block, 100, 7, mode);
    putOctal(block, 108, 7, 0); // owner and group
    putOctal(block, 116, 7, 0);
    putSize(block, bytes);
    putOctal(block, 136, 11, 0);
    block[kTypeAt] = type;
    std::memcpy(block.data() + 257,
                "ustar\0"
                "00",
                8);
    putOctal(block, kSumAt, 6, sumOf(block));
    block[kSumAt + 7] = ' ';
    return block;
}

std::string tarBegin(std::string_view path, std::int64_t bytes, std::int64_t mode) {
    std::string begin;
    if (path.size() > kTarNameBytes) { // with a NUL behind it
        const auto size = static_cast<std::int64_t>(path.size()) + 1;
        append(begin, tarHeaderOf("././@LongLink", size, 'L'));
        begin += path;
        begin.append(static_cast<std::size_t>(1 + tarPaddingOf(size)), '\0');
    }
    append(begin, tarHeaderOf(path, bytes, '0', mode));
    return begin;
}

std::int64_t tarPaddingOf(std::int64_t bytes) { return (kTarBlock - bytes % kTarBlock) % kTarBlock; }

} // namespace trainyard
