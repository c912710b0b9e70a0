// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of /predict, the part of an address behind its "?" and the address itself: the first byte picks the kind of
// model and the content type, up to the first newline is the query, the rest is the body.
#include "engine/serve/protocol/predict_body.h"
#include "engine/serve/protocol/serve_route.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace trainyard;
using namespace trainyard::serve;

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size == 0) return 0;
    constexpr std::array<const char*, 7> kTypes = {"application/json",  "text/csv",  "text/tab-separated-values",
                                                   "text/plain",        "image/png", "",
                                                   "x/y; charset=utf-8"};
    ModelSignature signature;
    signature.kind = static_cast<InputKind>(data[0] % 4);
    signature.columns = {{"a", {}}, {"b", {"x", "y"}}};
    const char* type = kTypes[data[0] / 4 % kTypes.size()];
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::size_t line = std::min(text.find('\n'), text.size());
    const std::string_view query = text.substr(0, line), body = text.substr(std::min(line + 1, text.size()));
    const auto read = readPredict(signature, type, query, std::as_bytes(std::span(body.data(), body.size())));
    if (!read.ok()) {
        require(!read.error().message.empty() && !read.error().where.empty(), "an error has a place and a message");
    } else {
        require(read->rows.size() <= 4096 && read->texts.size() <= 4096, "inputs are bounded");
        for (const auto& row : read->rows) require(row.size() == 2, "a row has a cell for each column");
        require(!read->parameters.empty() && read->parameters[0] == '{', "parameters are an object");
    }
    for (const HttpMethod method : {HttpMethod::Get, HttpMethod::Post}) {
        const Route route = routeOf(method, text);
        for (const std::string* name : {&route.model, &route.version})
            require(*name != ".." && name->find('/') == std::string::npos && name->find('\0') == std::string::npos,
                    "names are no paths");
        if (route.kind >= RouteKind::NotFound) require(refuseRoute(route, text).status >= 400, "it is refused");
    }
    return 0;
}
