// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace trainyard::program {

// A value of Python, as far as a source file tells it. Tuples and sets are lists.
struct Value {
    struct None {};
    struct Code { // an expression of which only Python knows the value
        std::string text;
    };
    using List = std::vector<Value>;
    struct Dict { // as many values as keys
        std::vector<Value> keys, values;
    };
    std::variant<None, bool, std::int64_t, double, std::string, List, Dict, Code> is{};

    bool isLiteral() const; // there is no code in it
    std::size_t size() const;
};

// As Python writes it: "0.1", "'adam'", "[1, 2]"; of code its text.
std::string pythonText(const Value& value);
// The same without quotation marks around a text, for people.
std::string plainText(const Value& value);

} // namespace trainyard::program
