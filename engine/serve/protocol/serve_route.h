// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a service an address means.
#pragma once

#include "engine/base/result.h"
#include "engine/serve/http/http_message.h"

#include <string>
#include <string_view>

namespace trainyard::serve {

// What a request asks for.
enum class RouteKind {
    ServerMetadata, // GET /v2
    Live,           // GET /v2/health/live, /healthz
    Ready,          // GET /v2/health/ready, /readyz
    ModelMetadata,  // GET /v2/models/M[/versions/V]
    ModelReady,     // GET /v2/models/M[/versions/V]/ready
    Infer,          // POST /v2/models/M[/versions/V]/infer
    Predict,        // POST /predict[/M[/versions/V]]
    OpenApi,        // GET /openapi.json
    Metrics,        // GET /metrics
    NotFound,       // 404
    WrongMethod,    // 405
    BadPath,        // 400: a percent sign without two digits, NUL, "." or ".." as a part
};

// A route with its names, percent signs decoded.
struct Route {
    RouteKind kind = RouteKind::NotFound;
    std::string model;      // empty: the first one
    std::string version;    // empty: the current one
    std::string_view allow; // of WrongMethod: "GET, HEAD, OPTIONS" or "POST, OPTIONS"

    bool operator==(const Route&) const = default;
};

// Total: any bytes give a route. `path` is HttpHead::path; a slash at its end is passed over.
Route routeOf(HttpMethod method, std::string_view path);

// The answer to NotFound, WrongMethod and BadPath, with the paths that there are.
HttpAnswer refuseRoute(const Route& route, std::string_view path);

} // namespace trainyard::serve
