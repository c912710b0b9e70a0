// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"
#include "engine/serve/http/http_options.h"

#include <sys/socket.h>

#include <optional>
#include <string>

namespace trainyard::serve {

// A connection that came in.
struct AcceptedSocket {
    UniqueFd fd;
    sockaddr_storage address{};
    socklen_t addressBytes = 0;
    std::string client; // whose it is, for the limit of one client; empty: of a Unix socket
};

// The socket that new connections come from: a port, a Unix socket of this user, or one that another program opened.
class HttpListener {
public:
    static Result<HttpListener> open(const HttpOptions& options);
    HttpListener(HttpListener&&) noexcept = default;
    HttpListener& operator=(HttpListener&&) noexcept = default;
    ~HttpListener();

    int fd() const { return m_fd.get(); }
    int port() const { return m_port; } // 0: a Unix socket
    // The next connection, or nothing: none waits. When the process has no more descriptors, one that is kept for this
    // takes the connection off the queue and closes it: its client learns at once, and the loop does not spin.
    std::optional<AcceptedSocket> accept();
    // How many connections were closed for that.
    std::size_t turnedAway() const { return m_turnedAway; }
    void close();

private:
    HttpListener() = default;

    UniqueFd m_fd, m_spare;
    int m_port = 0;
    std::filesystem::path m_path; // of its own Unix socket, removed at the end
    std::size_t m_turnedAway = 0;
};

// An answer in the bytes of HTTP/1.1 that ends its connection, for those that get no other.
std::string rawAnswer(int status, const char* reason, const std::string& body);

} // namespace trainyard::serve
