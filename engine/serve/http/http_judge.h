// SPDX-License-Identifier: GPL-3.0-or-later
// What the front refuses before anybody else sees it, from the header of a request alone.
#pragma once

#include "engine/serve/http/http_message.h"
#include "engine/serve/http/http_options.h"

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::serve {

// Whether the two are the same, in a time that depends on their lengths alone.
bool isSameSecret(std::string_view given, std::string_view secret);

// Rule: which names a service answers to.
// A page of another site can make a browser ask a name that leads to this computer, and then names that in Host.
// Allowed are the address that is listened on, with its port or without, all names of this computer where it listens
// on loopback, any address in digits where it listens on all of them, and options.allowedHosts. All are allowed on a
// Unix socket, and over TLS, where the name of such a page fails at the certificate.
bool isAllowedHost(std::string_view host, const HttpOptions& options, int port);
// A page may ask the service that it came from (Origin names the same host as Host), or stands in allowedOrigins.
// Programs that are no browsers send no Origin.
bool isAllowedOrigin(std::string_view origin, std::string_view host, const HttpOptions& options);

// How long the body is said to be.
struct BodyLength {
    std::optional<std::uint64_t> bytes; // 0 without a body; nothing: it comes in chunks
    std::optional<HttpAnswer> refusal;  // 400, 411, 413, 501
};
// Refused are two lengths, one that is no number, one beside chunks, none of a POST, another Transfer-Encoding than
// chunked, and more than the limit.
BodyLength bodyLengthOf(const HttpHead& head, const HttpLimits& limits);

// Nothing: the request may go on. Else 204 (OPTIONS), 400 (NUL, Host missing or twice), 401, 403, 405 (no GET, HEAD,
// POST or OPTIONS), 414, 431, 505 (`version` is neither "HTTP/1.1" nor "HTTP/1.0").
std::optional<HttpAnswer> judgeHead(const HttpHead& head, std::string_view version, std::size_t headerBytes,
                                    const HttpOptions& options, int port);

} // namespace trainyard::serve
