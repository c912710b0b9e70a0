// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trainyard::spec {

// One parameter's value. A list is a list of numbers (layer widths, milestones).
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;
using Params = std::map<std::string, Value>;

// A named thing with parameters: a model, dataset, optimizer, schedule or loss.
struct Choice {
    std::string name;
    Params params;

    bool operator==(const Choice&) const = default;
    // The parameter as the type asked for; integers widen to double; `fallback` when it is absent or of another type.
    double number(const std::string& key, double fallback) const;
    std::int64_t integer(const std::string& key, std::int64_t fallback) const;
    bool flag(const std::string& key, bool fallback) const;
    std::string text(const std::string& key, const std::string& fallback) const;
    std::vector<double> list(const std::string& key, const std::vector<double>& fallback) const;
};

// "0.05", "true", "[512,512]" or the text itself, as the run file would print it (without quotes).
std::string toText(const Value& value);

// {"optimizer.lr": 0.1} as JSON on one line, as rows of the database hold a trial's parameters, and back; what is no
// parameter is left out.
std::string paramsToText(const Params& params);
Params paramsFromText(std::string_view text);

} // namespace trainyard::spec
