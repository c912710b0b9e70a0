// SPDX-License-Identifier: GPL-3.0-or-later
// One request to a server that a person runs, over TCP, TLS or a Unix socket.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::fetch {

struct HttpPost {
    std::string url;                  // http:// or https://, with the path
    std::string unixSocket;           // the path of the socket; empty: TCP
    std::string certificate;          // PEM: the one that the server has to show, whatever its name; empty: as usual
    std::vector<std::string> headers; // "Content-Type: text/csv"
    std::string_view body;
    double seconds = 60;
};

// The answer, whatever its status.
struct HttpPosted {
    int status = 0;
    std::string body;                                // 64 MB at most
    std::vector<std::string> headers;                // "name: value", names in lower case
    std::string header(std::string_view name) const; // empty: there is none
};

// No redirection is followed. Environment: nobody answers, with libcurl's words; or libcurl is not there.
Result<HttpPosted> postHttp(const HttpPost& post);

} // namespace trainyard::fetch
