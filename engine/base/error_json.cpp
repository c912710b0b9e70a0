// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error_json.h"

#include <nlohmann/json.hpp>

namespace trainyard {

std::string errorToJson(const Error& error) {
    const nlohmann::ordered_json json{
        {"error", error.text()}, {"error_kind", toString(error.kind)}, {"error_code", toString(error.code)}};
    return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::optional<Error> errorFromJson(std::string_view json) {
    const auto parsed = nlohmann::json::parse(json, nullptr, false);
    if (!parsed.is_object()) return {};
    std::string words[3];
    std::size_t at = 0;
    for (const char* key : {"error", "error_kind", "error_code"}) {
        const auto found = parsed.find(key);
        if (found == parsed.end() || !found->is_string()) return {};
        words[at++] = found->get<std::string>();
    }
    return Error{errorKindFromString(words[1]), words[0], {}, {}, errorCodeFromString(words[2])};
}

} // namespace trainyard
