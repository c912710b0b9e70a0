// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/clock.h"
#include "engine/wire/frame.h"
#include "engine/wire/messages.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <optional>

namespace trainyard::test {

// The first frame of a worker, on a descriptor that does not block. Nothing when another one comes, the channel ends,
// or nothing comes for half a minute.
inline std::optional<wire::Hello> helloOf(int frameFd) {
    wire::Decoder decoder;
    std::array<std::byte, 4096> buffer;
    for (const double until = monotonicSeconds() + 30; monotonicSeconds() < until;) {
        pollfd ready{frameFd, POLLIN, 0};
        ::poll(&ready, 1, 100);
        const auto got = ::read(frameFd, buffer.data(), buffer.size());
        if (got == 0) return std::nullopt;
        if (got < 0) continue;
        decoder.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
        const auto frame = decoder.next();
        if (!frame) return std::nullopt;
        if (!*frame) continue;
        const auto message = wire::decodeMessage(**frame);
        const auto* hello = message ? std::get_if<wire::Hello>(&*message) : nullptr;
        return hello ? std::optional(*hello) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace trainyard::test
