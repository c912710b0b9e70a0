// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as text: read and written here, once, as the library's parser and writer are most of what a source that
// instantiates them compiles.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace trainyard {

using Json = nlohmann::ordered_json; // keeps the order in which members were written

// A discarded value (is_discarded()) when `text` is not JSON. Never throws.
Json parseJson(std::string_view text);
nlohmann::json parseSortedJson(std::string_view text);

// On one line, or indented. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const Json& json, int indent = -1);
std::string jsonText(const nlohmann::json& json, int indent = -1);
// Indented by two and with a final newline, for files that people read.
std::string jsonFile(const Json& json);
std::string jsonFile(const nlohmann::json& json);
// All but ASCII is escaped, so that a terminal has nothing to interpret.
std::string asciiJson(const Json& json, int indent = -1);
std::string asciiJson(const nlohmann::json& json, int indent = -1);

} // namespace trainyard
