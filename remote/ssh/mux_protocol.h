// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the messages by which a connection of the system's ssh is shared (OpenSSH's PROTOCOL.mux, version 4).
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

// Messages to a master, with their length before them. After a new session come the descriptors of its input, output
// and error stream, after a new connection those of its input and output, each with a byte of its own.
std::string hello();
std::string newSession(std::string_view command);
std::string newConnection(std::string_view address, int port);

// Takes bytes as they come, and gives whole messages.
class Reader {
public:
    void accept(std::string_view bytes) { m_bytes += bytes; }
    // Nothing until a message is whole. Environment: it is malformed, or longer than any can be.
    Result<std::optional<Message>> next();

private:
    std::string m_bytes;
};

} // namespace trainyard::remote::mux
