// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the messages that share a connection of the system's ssh (OpenSSH's PROTOCOL.mux, version 4).
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::remote::mux {

// What a master says.
enum class Kind { Hello, Opened, Refused, Exit, Other };

// A message of a master.
struct Message {
    Kind kind = Kind::Other;
    std::uint32_t code = 0; // Hello: the version; Exit: the exit code
    std::string reason;     // of a refusal
};

constexpr std::uint32_t kVersion = 4;

// Messages to a master, with their length first. The descriptors follow, each with a byte of its own: for a new
// session input, output and error stream, for a new connection input and output.
std::string hello();
std::string newSession(std::string_view command);
std::string newConnection(std::string_view address, int port);

// Collects bytes into whole messages.
class Reader {
public:
    void accept(std::string_view bytes) { m_bytes += bytes; }
    // Nothing until a message is complete. Environment: it is malformed, or too long.
    Result<std::optional<Message>> next();

private:
    std::string m_bytes;
};

} // namespace trainyard::remote::mux
