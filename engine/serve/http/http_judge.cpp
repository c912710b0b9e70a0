// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/http_judge.h"

#include "engine/base/text/printable.h"
#include "engine/serve/values/loopback.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <openssl/crypto.h>
#include <strings.h>

namespace trainyard::serve {

namespace {

constexpr std::size_t kMaxTarget = 8 * 1024;

bool isSameWord(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// "name", "name:port", "[::1]:port": the name, without the brackets, and the port; -1: none; nothing: it is no host.
struct HostParts {
    std::string_view name;
    int port = -1;
};
std::optional<HostParts> hostParts(std::string_view host) {
    HostParts parts;
    std::string_view rest;
    if (!host.empty() && host[0] == '[') {
        const std::size_t end = host.find(']');
        if (end == std::string_view::npos) return {};
        parts.name = host.substr(1, end - 1);
        rest = host.substr(end + 1);
    } else {
        const std::size_t end = std::min(host.find(':'), host.size());
        parts.name = host.substr(0, end);
        rest = host.substr(end);
    }
    if (parts.name.empty()) return {};
    if (rest.empty()) return parts;
    const auto read = std::from_chars(rest.data() + 1, rest.data() + rest.size(), parts.port);
    if (rest[0] != ':' || read.ec != std::errc() || read.ptr != rest.data() + rest.size()) return {};
    return parts;
}

bool isAddress(std::string_view name) {
    const std::string text(name);
    in6_addr any{};
    return ::inet_pton(AF_INET, text.c_str(), &any) == 1 || ::inet_pton(AF_INET6, text.c_str(), &any) == 1;
}

std::string nameOfThisComputer() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

HttpAnswer refuseToken() {
    HttpAnswer answer = errorAnswer(401, "the token is missing or wrong", "Authorization",
                                    "send \"Authorization: Bearer TOKEN\"; trainyardctl serve token NAME prints it");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"trainyard\"");
    return answer;
}

bool hasToken(const HttpHead& head, const std::string& token) {
    constexpr std::string_view kScheme = "bearer ";
    std::string_view given = head.header("Authorization");
    if (given.size() < kScheme.size() || !isSameWord(given.substr(0, kScheme.size()), kScheme)) return false;
    return isSameSecret(given.substr(kScheme.size()), token);
}

bool hasNul(const HttpHead& head) {
    const auto holds = [](std::string_view text) { return text.find('\0') != std::string_view::npos; };
    return holds(head.path) || std::any_of(head.headers.begin(), head.headers.end(), [&](const auto& header) {
               return holds(header.first) || holds(header.second);
           });
}

HttpAnswer optionsAnswer() {
    HttpAnswer answer;
    answer.status = 204;
    answer.contentType.clear();
    answer.headers.emplace_back("Allow", "GET, HEAD, POST, OPTIONS");
    return answer;
}

} // namespace

bool isSameSecret(std::string_view given, std::string_view secret) {
    return given.size() == secret.size() && CRYPTO_memcmp(given.data(), secret.data(), secret.size()) == 0;
}

bool isAllowedHost(std::string_view host, const HttpOptions& options, int port) {
    if (!options.unixSocket.empty()) return true;
    const auto parts = hostParts(host);
    if (!parts) return false;
    if (!options.tls.certificateFile.empty()) return true;
    for (const std::string& each : options.allowedHosts)
        if (isSameWord(each, parts->name) || isSameWord(each, host)) return true;
    if (parts->port >= 0 && parts->port != port) return false;
    if (isSameWord(parts->name, options.host)) return true;
    if (isLoopback(options.host)) return isSameWord(parts->name, "localhost") || isLoopback(parts->name);
    return isAddress(parts->name) || isSameWord(parts->name, nameOfThisComputer());
}

bool isAllowedOrigin(std::string_view origin, std::string_view host, const HttpOptions& options) {
    for (const std::string& each : options.allowedOrigins)
        if (isSameWord(each, origin)) return true;
    const std::string_view scheme = options.tls.certificateFile.empty() ? "http://" : "https://";
    return origin.size() > scheme.size() && isSameWord(origin.substr(0, scheme.size()), scheme) &&
           isSameWord(origin.substr(scheme.size()), host);
}

BodyLength bodyLengthOf(const HttpHead& head, const HttpLimits& limits) {
    const auto refuse = [](int status, const char* message, std::string_view where, const char* remedy) {
        BodyLength refused;
        refused.refusal = errorAnswer(status, message, std::string(where), remedy);
        return refused;
    };
    const std::size_t lengths = head.count("Content-Length"), codings = head.count("Transfer-Encoding");
    if (lengths > 1) return refuse(400, "there are two lengths", "Content-Length", "send one");
    if (lengths + codings > 1)
        return refuse(400, "a body in chunks has no length", "Content-Length, Transfer-Encoding",
                      "send one of the two");
    if (codings == 1) {
        if (!isSameWord(head.header("Transfer-Encoding"), "chunked"))
            return refuse(501, "bodies are sent as they are, or chunked", "Transfer-Encoding", "send Content-Length");
        return {};
    }
    BodyLength length;
    length.bytes = 0;
    if (lengths == 0) {
        if (head.method != HttpMethod::Post) return length;
        return refuse(411, "the length of the body is not said", "Content-Length", "send it, 0 for no body");
    }
    const std::string_view text = head.header("Content-Length");
    std::uint64_t bytes = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (text.empty() || read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument)
        return refuse(400, "the length is no number", "Content-Length", "send the bytes of the body in digits");
    if (read.ec != std::errc() || bytes > limits.bodyBytes) {
        length.bytes.reset();
        length.refusal = errorAnswer(413, "the body has more than " + std::to_string(limits.bodyBytes) + " bytes",
                                     "Content-Length", "send less at once, or raise --body-mb of the service");
        return length;
    }
    length.bytes = bytes;
    return length;
}

std::optional<HttpAnswer> judgeHead(const HttpHead& head, std::string_view version, std::size_t headerBytes,
                                    const HttpOptions& options, int port) {
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return errorAnswer(505, "only HTTP/1.1 and HTTP/1.0 are spoken", {}, "use one of the two");
    if (hasNul(head)) return errorAnswer(400, "a header holds NUL", {}, "leave it out");
    if (head.path.size() + head.query.size() > kMaxTarget)
        return errorAnswer(414, "the address has more than 8 KiB", {}, "send inputs in the body");
    if (headerBytes > options.limits.headerBytes)
        return errorAnswer(431, "the header has more than " + std::to_string(options.limits.headerBytes) + " bytes", {},
                           "send fewer or shorter header lines");
    if (head.method == HttpMethod::Other) {
        HttpAnswer answer = errorAnswer(405, "this method is not known here", {}, "use GET, HEAD, POST or OPTIONS");
        answer.headers.emplace_back("Allow", "GET, HEAD, POST, OPTIONS");
        return answer;
    }
    if (head.count("Host") != 1) return errorAnswer(400, "a request names one host", "Host", "send one Host line");
    const std::string_view host = head.header("Host");
    if (!isAllowedHost(host, options, port))
        return errorAnswer(403, "the service does not answer to this name", "Host: " + printable(host),
                           "use the address that trainyardctl services prints");
    const std::string_view origin = head.header("Origin");
    if (head.count("Origin") > 0 && !isAllowedOrigin(origin, host, options))
        return errorAnswer(403, "pages of other sites may not ask this service", "Origin: " + printable(origin),
                           "ask from a program, or from a page of the service's own address");
    const bool open =
        std::find(options.openPaths.begin(), options.openPaths.end(), head.path) != options.openPaths.end();
    if (!open && !options.token.empty() && !hasToken(head, options.token)) return refuseToken();
    if (head.method == HttpMethod::Options) return optionsAnswer();
    return {};
}

} // namespace trainyard::serve
