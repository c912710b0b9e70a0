// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/mux_protocol.h"

#include "engine/base/text/printable.h"

namespace trainyard::remote::mux {
namespace {

constexpr std::uint32_t kHello = 1, kNewSession = 0x10000002, kNewConnection = 0x10000008;
constexpr std::uint32_t kDenied = 0x80000002, kFailure = 0x80000003, kExit = 0x80000004, kOpened = 0x80000006;
constexpr std::uint32_t kRequest = 0;           // a connection to the master makes one request only
constexpr std::uint32_t kNoEscape = 0xffffffff; // no character ends the session
constexpr std::size_t kMaxMessage = 256u << 10; // as the master itself has it

class Writer {
public:
    Writer& number(std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8) m_bytes += static_cast<char>(value >> shift & 0xff);
        return *this;
    }
    Writer& text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        m_bytes += value;
        return *this;
    }
    std::string framed() const { return Writer().number(static_cast<std::uint32_t>(m_bytes.size())).m_bytes + m_bytes; }

private:
    std::string m_bytes;
};

// Takes numbers and texts from the front; `good` is false once there was too little.
struct Parser {
    std::string_view bytes;
    bool good = true;

    std::uint32_t number() {
        if (bytes.size() < 4) {
            good = false;
            return 0;
        }
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
        bytes.remove_prefix(4);
        return value;
    }
    std::string text() {
        const std::uint32_t size = number();
        if (size > bytes.size()) good = false;
        if (!good) return {};
        std::string value(bytes.substr(0, size));
        bytes.remove_prefix(size);
        return value;
    }
};

} // namespace

std::string hello() { return Writer().number(kHello).number(kVersion).framed(); }

std::string newSession(std::string_view command) {
    constexpr std::uint32_t kNo = 0; // terminal, X11, agent, subsystem
    return Writer()
        .number(kNewSession)
        .number(kRequest)
        .text({})
        .number(kNo)
        .number(kNo)
        .number(kNo)
        .number(kNo)
        .number(kNoEscape)
        .text({})
        .text(command)
        .framed();
}

std::string newConnection(std::string_view address, int port) {
    return Writer()
        .number(kNewConnection)
        .number(kRequest)
        .text({})
        .text(address)
        .number(static_cast<std::uint32_t>(port))
        .framed();
}

Result<std::optional<Message>> Reader::next() {
    Parser frame{m_bytes};
    const std::uint32_t size = frame.number();
    if (!frame.good) return std::optional<Message>();
    const Error malformed = environmentError("the system's ssh answers with something malformed");
    if (size > kMaxMessage) return malformed;
    if (frame.bytes.size() < size) return std::optional<Message>();
    Parser body{frame.bytes.substr(0, size)};
    Message message;
    const std::uint32_t type = body.number();
    const bool known = type == kHello || type == kDenied || type == kFailure || type == kExit || type == kOpened;
    if (type == kHello) {
        message.kind = Kind::Hello;
        message.code = body.number();
    } else if (known) {
        body.number(); // the request or session: there is one
        message.kind = type == kOpened ? Kind::Opened : type == kExit ? Kind::Exit : Kind::Refused;
        if (type == kExit) message.code = body.number();
        if (message.kind == Kind::Refused) message.reason = printable(body.text(), 300);
    }
    if (!body.good) return malformed;
    m_bytes.erase(0, 4 + size);
    return std::optional(std::move(message));
}

} // namespace trainyard::remote::mux
