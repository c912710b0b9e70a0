// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::train {

// The object that `text` holds, or an Input error at `where`. Never throws.
Result<nlohmann::json> parseObject(std::string_view text, const std::string& where);
// A member as the type asked for; `otherwise` when it is absent or of another type.
double numberOr(const nlohmann::json& object, const char* key, double otherwise);
std::int64_t integerOr(const nlohmann::json& object, const char* key, std::int64_t otherwise);
std::string textOr(const nlohmann::json& object, const char* key, const std::string& otherwise);
std::vector<std::int64_t> integersOr(const nlohmann::json& object, const char* key);
std::vector<double> numbersOr(const nlohmann::json& object, const char* key);
std::vector<std::string> textsOr(const nlohmann::json& object, const char* key);

} // namespace trainyard::train
