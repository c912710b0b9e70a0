// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::train {

// The object that `text` holds, or an Input error at `where`. Never throws.
Result<nlohmann::json> parseObject(std::string_view text, const std::string& where);
// Finite numbers stay numbers; JSON has no others, so NaN and infinities become "nan", "inf" and "-inf".
nlohmann::json jsonNumber(double number);
// A member that holds {name: number, …}, read as jsonNumber wrote it; empty when it is absent.
std::map<std::string, double> numberMapOr(const nlohmann::json& object, const char* key);
// A member as the type asked for; `fallback` when it is absent or of another type.
std::int64_t integerOr(const nlohmann::json& object, const char* key, std::int64_t fallback);
std::string textOr(const nlohmann::json& object, const char* key, const std::string& fallback);
std::vector<std::int64_t> integersOr(const nlohmann::json& object, const char* key);
std::vector<double> numbersOr(const nlohmann::json& object, const char* key);
std::vector<std::string> textsOr(const nlohmann::json& object, const char* key);

} // namespace trainyard::train
