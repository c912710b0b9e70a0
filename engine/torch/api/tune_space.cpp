// SPDX-License-Identifier: GPL-3.0-or-later
// Domains in the form of a sweep file's "space"; the reader of that file checks them.
#include "engine/base/json_text.h"
#include "trainyard/tune.h"

#include <nlohmann/json.hpp>

namespace trainyard::tune {
namespace {

Json jsonOf(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) std::visit([&list](const auto& each) { list.push_back(Json(each)); }, value);
    return list;
}

template <class... Numbers>
Domain word(const char* name, Numbers... numbers) {
    return Domain::ofJson(jsonText(Json{{name, Json::array({numbers...})}}));
}

Domain list(const char* name, const std::vector<Value>& values) {
    return Domain::ofJson(jsonText(Json{{name, jsonOf(values)}}));
}

} // namespace

Domain Domain::ofJson(std::string json) {
    Domain domain;
    domain.m_json = std::move(json);
    return domain;
}

Domain Domain::constant(Value value) { return choice({std::move(value)}); }

Domain Domain::when(const std::string& path, const std::vector<Value>& values) const {
    Json json = parseJson(m_json);
    json["when"][path] = jsonOf(values);
    return ofJson(jsonText(json));
}

Domain uniform(double from, double to) { return word("uniform", from, to); }
Domain quniform(double from, double to, double step) { return word("quniform", from, to, step); }
Domain loguniform(double from, double to) { return word("loguniform", from, to); }
Domain qloguniform(double from, double to, double step) { return word("qloguniform", from, to, step); }
Domain randint(std::int64_t from, std::int64_t to) { return word("randint", from, to); }
Domain qrandint(std::int64_t from, std::int64_t to, std::int64_t step) { return word("qrandint", from, to, step); }
Domain lograndint(std::int64_t from, std::int64_t to) { return word("lograndint", from, to); }
Domain qlograndint(std::int64_t from, std::int64_t to, std::int64_t step) {
    return word("qlograndint", from, to, step);
}
Domain randn(double mean, double sd) { return word("randn", mean, sd); }
Domain qrandn(double mean, double sd, double step) { return word("qrandn", mean, sd, step); }
Domain choice(std::vector<Value> values) { return list("choice", values); }
Domain gridSearch(std::vector<Value> values) { return list("grid", values); }

} // namespace trainyard::tune
