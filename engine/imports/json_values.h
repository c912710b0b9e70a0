// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of other programs, read without a tree: the values of an object one after another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::imports {

// A value that is no object.
struct JsonValue {
    enum class Kind { Number, TooLarge, Text, Flag, Null, List } kind = Kind::Null;
    double number = 0;       // of Number; NaN and ±infinity as Python writes them: NaN, Infinity
    bool flag = false;       // of Flag
    std::string_view text{}; // as it is written; of Text without its quotation marks

    bool isNumber() const { return kind == Kind::Number; }
};

// Called with the names that lead to a value, joined by the separator, which stay valid during the call.
using JsonTold = std::function<void(std::string_view path, const JsonValue& value)>;

// The values of an object, also those of objects in it. False where the text is no JSON object; what was told before
// then is void. Reads any bytes. Objects in more than 64 others are refused, those in a list are part of it.
bool readJsonObject(std::string_view json, char separator, const JsonTold& told);
// A single value, whose path is `name`; an object as above.
bool readJsonValue(std::string_view json, std::string_view name, char separator, const JsonTold& told);

// The elements of a list one after another, as they are written. False where the text is no JSON list, as above.
bool readJsonElements(std::string_view json, const std::function<void(std::string_view element)>& told);

// The byte at which a text stops being a JSON value, its size where it is cut off. Nothing where it is one.
std::optional<std::size_t> jsonFault(std::string_view text);

// A text without its escapes.
std::string unescaped(std::string_view text);

} // namespace trainyard::imports
