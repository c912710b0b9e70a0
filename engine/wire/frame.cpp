// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/frame.h"

#include "engine/base/math/crc32c.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace trainyard::wire {
namespace {

constexpr std::array<std::uint8_t, 2> kMagic{'T', 'Y'};
constexpr std::uint8_t kFrameVersion = 1;
constexpr std::size_t kCrcOffset = 8;

void put32(std::byte* at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<std::byte>(value >> (8 * i));
}

std::uint32_t get32(const std::byte* at) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(at[i]) << (8 * i);
    return value;
}

// What is wrong with a header, or nothing. Looks at the fixed bytes first: garbage is told apart from a bad length.
std::string headerProblem(const std::byte* header) {
    if (std::to_integer<std::uint8_t>(header[0]) != kMagic[0] || std::to_integer<std::uint8_t>(header[1]) != kMagic[1])
        return "these bytes are not a frame (something else writes to this channel)";
    if (const auto version = std::to_integer<int>(header[2]); version != kFrameVersion)
        return "frame version " + std::to_string(version) + " is not known (this program reads version 1)";
    if (const std::uint32_t length = get32(header + 4); length > kMaxPayload)
        return "a payload of " + std::to_string(length) + " bytes is over the limit of " + std::to_string(kMaxPayload);
    return {};
}

} // namespace

std::vector<std::byte> encode(std::uint8_t type, std::span<const std::byte> payload) {
    assert(payload.size() <= kMaxPayload);
    std::vector<std::byte> frame(kHeaderSize + payload.size());
    frame[0] = std::byte{kMagic[0]};
    frame[1] = std::byte{kMagic[1]};
    frame[2] = std::byte{kFrameVersion};
    frame[3] = std::byte{type};
    put32(&frame[4], static_cast<std::uint32_t>(payload.size()));
    std::copy(payload.begin(), payload.end(), frame.begin() + kHeaderSize);
    const std::span<const std::byte> head(frame.data(), kCrcOffset);
    put32(&frame[kCrcOffset], crc32c(payload, crc32c(head)));
    return frame;
}

void Decoder::feed(std::span<const std::byte> bytes) {
    if (m_error) return;
    if (m_start > 0 && m_start >= m_buffer.size() / 2) { // keeps the cost of moving below that of reading
        m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_start));
        m_start = 0;
    }
    m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

Result<std::optional<Frame>> Decoder::next() {
    if (m_error) return *m_error;
    const auto broken = [this](std::string problem) {
        m_error = inputError(std::move(problem), "byte " + std::to_string(m_offset) + " of the channel");
        m_buffer = {};
        m_start = 0;
        return *m_error;
    };
    const std::size_t available = m_buffer.size() - m_start;
    const std::byte* header = m_buffer.data() + m_start;
    if (available < kHeaderSize) return std::optional<Frame>{};
    if (std::string problem = headerProblem(header); !problem.empty()) return broken(std::move(problem));
    const std::size_t length = get32(header + 4);
    if (available < kHeaderSize + length) return std::optional<Frame>{};

    const std::span<const std::byte> payload(header + kHeaderSize, length);
    if (crc32c(payload, crc32c({header, kCrcOffset})) != get32(header + kCrcOffset))
        return broken("a frame of " + std::to_string(length) + " bytes fails its checksum");
    Frame frame{std::to_integer<std::uint8_t>(header[3]), {payload.begin(), payload.end()}};
    m_start += kHeaderSize + length;
    m_offset += kHeaderSize + length;
    return std::optional<Frame>(std::move(frame));
}

} // namespace trainyard::wire
