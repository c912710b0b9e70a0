// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

} // namespace

Json parseJson(std::string_view text) { return Json::parse(text, nullptr, false); }
nlohmann::json parseSortedJson(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

std::string jsonText(const Json& json, int indent) { return json.dump(indent, ' ', false, kReplace); }
std::string jsonText(const nlohmann::json& json, int indent) { return json.dump(indent, ' ', false, kReplace); }

std::string jsonFile(const Json& json) { return jsonText(json, 2) + "\n"; }
std::string jsonFile(const nlohmann::json& json) { return jsonText(json, 2) + "\n"; }

std::string asciiJson(const Json& json, int indent) { return json.dump(indent, ' ', true, kReplace); }
std::string asciiJson(const nlohmann::json& json, int indent) { return json.dump(indent, ' ', true, kReplace); }

} // namespace trainyard
