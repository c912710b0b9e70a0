// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::serve {

// An answer.
struct HttpReply {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers; // names in lower case
    std::string body;
    std::string header(std::string_view name) const; // empty: there is none
};

// A connection to a service on this computer, kept from one request to the next; without TLS. For the bench and for
// tests: it reads what Trainyard's own server writes, at most 64 MB. Each call waits `seconds` at most.
class ServiceHttp {
public:
    // `url`: "http://127.0.0.1:8100" or "unix:/path". Input: another kind of address. Environment: nobody listens.
    static Result<ServiceHttp> connect(const std::string& url);

    // `headers`: whole lines, each with "\r\n" behind it. Environment: the connection was lost, or no answer came in
    // time; the connection is of no use then.
    Result<HttpReply> ask(std::string_view method, std::string_view path, std::string_view headers,
                          std::string_view body, double seconds = 30);
    // The halves of it, for requests one behind another: writes all of a request; reads one answer.
    Result<void> send(std::string_view request, double seconds);
    Result<HttpReply> receive(double seconds);
    int fd() const { return m_fd.get(); }

    // A whole request as bytes.
    static std::string requestOf(std::string_view method, std::string_view path, std::string_view headers,
                                 std::string_view body);

private:
    explicit ServiceHttp(UniqueFd fd) : m_fd(std::move(fd)) {}
    Result<bool> fill(double deadline); // false: the other side has closed

    UniqueFd m_fd;
    std::string m_bytes; // read and not yet used
};

} // namespace trainyard::serve
