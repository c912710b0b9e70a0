// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/serve/http/http_message.h"
#include "engine/serve/http/http_options.h"

#include <memory>
#include <string>

namespace trainyard::serve {

// An HTTP/1.1 server in one thread, driven by the caller's loop: HTTP.md. Refuses by itself what breaks a limit or has
// no token; all else goes to the handler.
class HttpFront {
public:
    // Listens from then on. `handler` must outlive it. Environment: the port is taken, libmicrohttpd is
    // missing, the certificate cannot be read. Input: as checkHttpOptions(options, true).
    static Result<std::unique_ptr<HttpFront>> open(HttpOptions options, HttpHandler& handler);
    ~HttpFront(); // closes every connection

    // Readable (poll, epoll) when run() has something to do.
    int fd() const;
    // Does what can be done without waiting.
    void run();
    // Seconds until run() must be called though fd() is not readable, from 0 (at once) to 60.
    double nextTimeout() const;

    // Answers a request that is not gone. Another id is passed over: its client hung up in the meantime.
    void answer(RequestId id, HttpAnswer answer);

    // Requests need this one from now on.
    void useToken(std::string token);
    // No new connections from now on; those that are open end with their next answer, idle ones at once.
    void stopListening();
    std::size_t connections() const;
    // Requests that were given to the handler and are neither answered nor gone.
    std::size_t pending() const;
    // The port it listens on; 0: a Unix socket.
    int port() const;
    // "http://127.0.0.1:8080", "https://…", or "unix:/path".
    std::string url() const;

private:
    class Private;
    explicit HttpFront(std::unique_ptr<Private> made);
    std::unique_ptr<Private> d;
};

} // namespace trainyard::serve
