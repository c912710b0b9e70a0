// SPDX-License-Identifier: GPL-3.0-or-later
// Where a service listens, who may speak to it, and how much of what it takes.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// Each limit has its test with small values; the defaults are those of services.
struct HttpLimits {
    std::size_t headerBytes = 16 * 1024;
    std::size_t bodyBytes = 16u << 20; // of any request; a handler may want less
    double headerSeconds = 5;          // from the first byte of a request to the end of its header
    double bodySeconds = 10;           // from there to the end of the body, and to send an answer …
    double secondsPerMegabyte = 1;     // … and so much more for each megabyte of it
    double idleSeconds = 60;           // of a connection without a request
    std::size_t connections = 1024;
    std::size_t connectionsOfClient = 64; // of one address; connections of a Unix socket have none
};

// Certificate and private key as PEM files; both empty: no TLS.
struct HttpTls {
    std::filesystem::path certificateFile, keyFile;
};

// What HttpFront is made from.
struct HttpOptions {
    std::string host = "127.0.0.1";
    int port = 0;                     // 0: a free one; HttpFront::port() says which
    std::filesystem::path unixSocket; // not empty: listens there instead, for this user
    int inheritedFd = -1;             // of LISTEN_FDS: listens on it instead; the front owns it
    HttpTls tls;
    HttpLimits limits;
    std::string token;                       // every request needs it, but for `openPaths`; empty: none does
    std::vector<std::string> allowedHosts;   // names in Host besides those of judgeHost()
    std::vector<std::string> allowedOrigins; // of pages of other sites: "https://lab.example"
    std::vector<std::string> openPaths = {"/healthz", "/readyz", "/v2/health/live", "/v2/health/ready"};
};

// Rule: what a service needs to listen beyond this computer.
// Input: `host` is no loopback address and there is neither TLS nor `plaintext`, or there is no token; the port is
// none.
Result<void> checkHttpOptions(const HttpOptions& options, bool plaintext);

} // namespace trainyard::serve
