// SPDX-License-Identifier: GPL-3.0-or-later
// What the front knows of each open connection and of the request on it.
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/serve/http/connection_clock.h"
#include "engine/serve/http/http_listener.h"
#include "engine/serve/http/http_message.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

struct MHD_Connection;

namespace trainyard::serve {

// A request from its header to the end of its answer.
struct FrontRequest {
    RequestId id = 0;
    std::span<std::byte> into; // where the body goes; empty: into `own`
    std::string own;
    std::size_t most = 0, expected = 0, received = 0; // bytes of the body; `expected` is a guess where it has no length
    std::optional<HttpAnswer> answer;                 // not sent yet
    bool isDropped = false;                           // the body is read, but not kept: it is refused
    bool isComplete = false;                          // the body is there
    bool isSuspended = false;                         // libmicrohttpd waits for resume
    bool isGone = false;                              // nothing will be sent

    // Keeps more of the body, or drops it. False: it is longer than wanted.
    bool take(std::span<const char> bytes);
    // All of it, with kBodyPadding bytes behind it where it is in `own`.
    std::span<const std::byte> body();
};

// An open connection.
struct FrontConnection {
    FrontConnection(int socket, MHD_Connection* of, std::string from, const HttpLimits& limits, double now)
        : fd(socket), handle(of), client(std::move(from)), clock(limits, now) {}

    int fd; // libmicrohttpd's
    MHD_Connection* handle;
    std::string client, target; // whose it is; the address of the newest request, as sent
    ConnectionClock clock;
    std::optional<FrontRequest> request;
    UniqueFd lingering; // a copy of fd: what is refused is still being sent
};

// All open connections, counted by client.
class ConnectionBook {
public:
    enum class Room { Free, Full, ClientFull };

    explicit ConnectionBook(const HttpLimits& limits) : m_limits(&limits) {}

    // Whether one more may come from that client.
    Room roomFor(const std::string& client) const;
    FrontConnection& add(int fd, MHD_Connection* handle, std::string client, double now);
    void remove(const FrontConnection& connection);
    void each(const std::function<void(FrontConnection&)>& visit);
    std::size_t size() const { return m_open.size(); }

private:
    const HttpLimits* m_limits;
    std::unordered_map<int, std::unique_ptr<FrontConnection>> m_open; // by descriptor
    std::map<std::string, std::size_t> m_ofClient;
};

// Sockets of requests that were refused while their bodies came. Closed with unread bytes, a socket takes back the
// answer that its client has not read yet (a reset), so the rest is read and dropped, for a while.
class LingeringSockets {
public:
    static constexpr double kSeconds = 2;
    static constexpr std::size_t kMost = 64;

    void add(UniqueFd socket, double now);
    // Reads what came; closes those that ended or had their time.
    void sweep(double now);
    bool isEmpty() const { return m_sockets.empty(); }
    void clear() { m_sockets.clear(); }

private:
    struct Lingering {
        UniqueFd socket;
        double until;
    };
    std::vector<Lingering> m_sockets;
};

} // namespace trainyard::serve
