// SPDX-License-Identifier: GPL-3.0-or-later
// A request and its answer, without the sockets between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::serve {

// Numbers requests from 1 on; none is used twice.
using RequestId = std::uint64_t;

// HEAD is Get to handlers: the front leaves the body out. OPTIONS is answered by the front.
enum class HttpMethod { Get, Post, Head, Options, Other };

// What comes before the body. Views are valid during HttpHandler::head() only.
struct HttpHead {
    HttpMethod method = HttpMethod::Get;
    std::string_view path;                                              // as sent, before any "?": begins with "/"
    std::string_view query;                                             // as sent, behind the "?"
    std::vector<std::pair<std::string_view, std::string_view>> headers; // in the order of the request
    std::optional<std::uint64_t> bodyBytes; // Content-Length, 0 without a body; nothing: it comes in chunks

    // The value of the first header of that name, in any case; empty when there is none.
    std::string_view header(std::string_view name) const;
    // How often there is one.
    std::size_t count(std::string_view name) const;
};

// An answer; the front adds Content-Length, Date and Connection.
struct HttpAnswer {
    int status = 200;
    std::string contentType = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers; // X-Model-Version, Server-Timing, Retry-After, Allow, …
};

// Bytes behind a body in memory of the front that may be read, too: zeros.
inline constexpr std::size_t kBodyPadding = 64;

// Where a body goes, or why it is not wanted.
struct BodyPlan {
    std::optional<HttpAnswer> answer; // at once; the body is not kept
    std::span<std::byte> into;        // else it goes there and may fill it; the memory must live until body() or gone()
    std::size_t most = 0;             // else, where `into` is empty: up to so many bytes into memory of the front
};

// Who answers requests. All is called from HttpFront::run().
class HttpHandler {
public:
    virtual ~HttpHandler() = default;

    // The headers of a request are in, and token, Host, Origin, method and lengths are judged.
    virtual BodyPlan head(RequestId id, const HttpHead& head) = 0;
    // All of the body is there: in BodyPlan::into, or in `body`, valid during the call, with kBodyPadding bytes behind
    // it. HttpFront::answer() may be called at once or later. Called for requests without a body, too, unless head()
    // answered.
    virtual void body(RequestId id, std::span<const std::byte> body) = 0;
    // The client hung up, or did not send the body in time: nothing will be sent, and the memory is not used any more.
    // Not called after answer().
    virtual void gone(RequestId id) = 0;
};

// An answer that is an error: status, and errorBody().
HttpAnswer errorAnswer(int status, std::string message, std::string where = {}, std::string remedy = {});

} // namespace trainyard::serve
