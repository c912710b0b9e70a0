// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/error_body.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard::serve {

std::string errorBody(const Error& error) {
    Json json = {{"error", error.message}};
    if (!error.where.empty()) json["where"] = error.where;
    if (!error.remedy.empty()) json["remedy"] = error.remedy;
    return jsonText(json);
}

} // namespace trainyard::serve
