// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/serve_route.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace trainyard::serve {

namespace {

constexpr std::string_view kAllowGet = "GET, HEAD, OPTIONS";
constexpr std::string_view kAllowPost = "POST, OPTIONS";
constexpr std::size_t kMaxParts = 8; // the longest route has six

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// A part of a path without percent signs; nothing: it is none that a model could have.
std::optional<std::string> decodedPart(std::string_view part) {
    std::string decoded;
    for (std::size_t i = 0; i < part.size(); ++i) {
        char c = part[i];
        if (c == '%') {
            if (i + 2 >= part.size()) return {};
            const int high = hexDigit(part[i + 1]), low = hexDigit(part[i + 2]);
            if (high < 0 || low < 0) return {};
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\') return {};
        decoded += c;
    }
    if (decoded == "." || decoded == ".." || decoded.empty()) return {};
    return decoded;
}

// The parts between slashes, decoded; nothing: one is bad. More than kMaxParts are no route, and are cut there.
std::optional<std::vector<std::string>> partsOf(std::string_view path) {
    std::vector<std::string> parts;
    if (path.empty() || path[0] != '/') return {};
    path.remove_prefix(1);
    if (!path.empty() && path.back() == '/') path.remove_suffix(1);
    while (!path.empty() && parts.size() <= kMaxParts) {
        const std::size_t end = path.find('/');
        auto part = decodedPart(path.substr(0, end));
        if (!part) return {};
        parts.push_back(std::move(*part));
        if (end == std::string_view::npos) break;
        path.remove_prefix(end + 1);
        if (path.empty()) return {}; // two slashes
    }
    return parts;
}

Route routeOfModel(const std::vector<std::string>& parts) { // v2 models M …
    Route route;
    if (parts.size() < 3) return route;
    route.model = parts[2];
    std::size_t next = 3;
    if (next + 1 < parts.size() && parts[next] == "versions") {
        route.version = parts[next + 1];
        next += 2;
    }
    if (next == parts.size()) route.kind = RouteKind::ModelMetadata;
    else if (next + 1 == parts.size() && parts[next] == "ready") route.kind = RouteKind::ModelReady;
    else if (next + 1 == parts.size() && parts[next] == "infer") route.kind = RouteKind::Infer;
    else return {};
    return route;
}

Route routeOfParts(const std::vector<std::string>& parts) {
    const auto is = [&parts](std::initializer_list<std::string_view> words) {
        return std::equal(parts.begin(), parts.end(), words.begin(), words.end());
    };
    const auto plain = [](RouteKind kind) {
        Route route;
        route.kind = kind;
        return route;
    };
    if (is({"v2"})) return plain(RouteKind::ServerMetadata);
    if (is({"v2", "health", "live"}) || is({"healthz"})) return plain(RouteKind::Live);
    if (is({"v2", "health", "ready"}) || is({"readyz"})) return plain(RouteKind::Ready);
    if (is({"openapi.json"})) return plain(RouteKind::OpenApi);
    if (is({"metrics"})) return plain(RouteKind::Metrics);
    if (is({"predict"})) return plain(RouteKind::Predict);
    const bool ofVersion = parts.size() == 4 && parts[0] == "predict" && parts[2] == "versions";
    if (ofVersion || (parts.size() == 2 && parts[0] == "predict")) {
        Route route = plain(RouteKind::Predict);
        route.model = parts[1];
        if (ofVersion) route.version = parts[3];
        return route;
    }
    if (parts.size() >= 2 && parts[0] == "v2" && parts[1] == "models") return routeOfModel(parts);
    return {};
}

} // namespace

Route routeOf(HttpMethod method, std::string_view path) {
    const auto parts = partsOf(path);
    if (!parts) {
        Route bad;
        bad.kind = RouteKind::BadPath;
        return bad;
    }
    Route route = routeOfParts(*parts);
    if (route.kind == RouteKind::NotFound) return route;
    const bool wantsPost = route.kind == RouteKind::Infer || route.kind == RouteKind::Predict;
    const bool isGet = method == HttpMethod::Get || method == HttpMethod::Head;
    if (wantsPost ? method == HttpMethod::Post : isGet) return route;
    Route wrong;
    wrong.kind = RouteKind::WrongMethod;
    wrong.allow = wantsPost ? kAllowPost : kAllowGet;
    return wrong;
}

HttpAnswer refuseRoute(const Route& route, std::string_view path) {
    const std::string where = printable(path);
    if (route.kind == RouteKind::WrongMethod) {
        HttpAnswer answer =
            errorAnswer(405, "this address takes another method", where, "use one of " + std::string(route.allow));
        answer.headers.emplace_back("Allow", route.allow);
        return answer;
    }
    if (route.kind == RouteKind::BadPath)
        return errorAnswer(400, "this is no path of a service", where,
                           "leave out \"..\", empty parts and control characters");
    return errorAnswer(404, "there is nothing at this address", where,
                       "GET /openapi.json lists the addresses: /predict, /v2/models/NAME/infer and others");
}

} // namespace trainyard::serve
