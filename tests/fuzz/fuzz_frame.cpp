// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/messages.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <algorithm>

using namespace trainyard::wire;

// The bytes as a stream in uneven pieces, and, behind the checksum that would stop most of them, as a payload.
TRAINYARD_FUZZ_TARGET(data, size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    Decoder decoder;
    for (std::size_t at = 0, piece = 1; at < size; at += piece, piece = piece % 61 + 7) {
        decoder.feed(bytes.subspan(at, std::min(piece, size - at)));
        for (;;) {
            auto frame = decoder.next();
            if (!frame.ok() || !*frame) break;
            (void)decodeMessage(**frame).ok();
        }
    }
    if (size == 0) return 0;
    const auto message = decodeMessage({data[0], {bytes.begin() + 1, bytes.end()}});
    if (!message.ok()) return 0;
    const std::vector<std::byte> encoded = encodeMessage(*message);
    Decoder again;
    again.feed(encoded);
    auto frame = again.next();
    require(frame.ok() && frame->has_value(), "an encoded message is a whole frame");
    const auto back = decodeMessage(**frame);
    require(back.ok() && encodeMessage(*back) == encoded, "a message that was read comes back the same");
    return 0;
}
