// SPDX-License-Identifier: GPL-3.0-or-later
// One frame format for worker pipes, attach sockets and SSH channels. The bytes are described in FORMAT.md.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::wire {

inline constexpr std::size_t kHeaderSize = 12;
inline constexpr std::size_t kMaxPayload = 16u << 20;

struct Frame {
    std::uint8_t type = 0;
    std::vector<std::byte> payload; // CBOR
};

// Header and payload, ready to send. The payload must not exceed kMaxPayload.
std::vector<std::byte> encode(std::uint8_t type, std::span<const std::byte> payload);

// Takes bytes in pieces of any size and gives whole frames. Total: any input yields frames, "not yet" or an error,
// never a crash, and memory stays below one frame however large a length claims to be. After an error the stream is
// beyond repair and every further call returns the same error.
class Decoder {
public:
    void feed(std::span<const std::byte> bytes);
    Result<std::optional<Frame>> next();

private:
    std::vector<std::byte> m_buffer;
    std::size_t m_start = 0;
    std::uint64_t m_offset = 0; // of m_start in the stream, for messages
    std::optional<Error> m_error;
};

} // namespace trainyard::wire
