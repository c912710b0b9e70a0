// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

namespace trainyard::spec {
namespace {

Json argumentToJson(const ArgumentValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return Json(*texts);
    Json json;
    std::visit(
        [&](const auto& held) {
            if constexpr (std::is_constructible_v<Value, decltype(held)>) json = valueToJson(Value(held));
        },
        value);
    return json;
}

// What means nothing to a program is not written. A list that is empty says nothing either.
void leaveToProgram(Json& tree) {
    for (const auto& [path, remedy] : fieldsNotOfPrograms()) {
        const auto dot = path.find('.');
        if (dot == path.npos) tree.erase(path);
        else if (auto inner = tree.find(path.substr(0, dot)); inner != tree.end()) inner->erase(path.substr(dot + 1));
    }
    if (tree["earlyStop"]["metric"] == "") tree.erase("earlyStop");
    Json& program = tree["program"];
    for (auto field = program.begin(); field != program.end();)
        field = field->empty() || *field == "" ? program.erase(field) : std::next(field);
}

class ObjectWriter {
public:
    explicit ObjectWriter(Json& object) : m_object(object) {}

    void operator()(const char* key, const std::optional<std::int64_t>& value) {
        if (value) m_object[key] = *value;
    }
    void operator()(const char* key, Nested<const Choice> value) {
        Json object = Json::object({{"name", value.choice.name}});
        Json params = Json::object();
        for (const auto& [name, param] : value.choice.params) params[name] = valueToJson(param);
        if (!params.empty()) object["params"] = std::move(params);
        m_object[key] = std::move(object);
    }
    void operator()(const char* key, WithWeights<const Choice, const Weights> value) {
        (*this)(key, Nested<const Choice>{value.choice});
        ObjectWriter inner(m_object[key]);
        if (value.weights != Weights{}) inner("weights", value.weights);
    }
    void operator()(const char* key, Patterns<const std::vector<std::string>> value) {
        std::string text;
        for (const auto& pattern : value.patterns) text += (text.empty() ? "" : ", ") + pattern;
        m_object[key] = std::move(text);
    }
    void operator()(const char* key, Flat<const Choice> value) {
        Json object = Json::object({{"name", value.choice.name}});
        for (const auto& [name, param] : value.choice.params) object[name] = valueToJson(param);
        m_object[key] = std::move(object);
    }
    void operator()(const char* key, const ArgumentValues& values) {
        Json object = Json::object();
        for (const auto& [name, argument] : values) object[name] = argumentToJson(argument);
        m_object[key] = std::move(object);
    }
    void operator()(const char* key, Arguments<const ArgumentValues, const std::vector<std::string>> value) {
        if (!value.words.empty()) m_object[key] = value.words;
        else (*this)(key, value.byName);
    }
    template <class T>
        requires requires(const T& value, ObjectWriter& writer) { fields(value, writer); }
    void operator()(const char* key, const std::optional<T>& value) {
        if (value) (*this)(key, *value);
    }
    template <class T>
    void operator()(const char* key, const T& value) {
        if constexpr (requires(ObjectWriter& writer) { fields(value, writer); }) {
            Json object = Json::object();
            ObjectWriter writer(object);
            fields(value, writer);
            m_object[key] = std::move(object);
        } else {
            m_object[key] = value;
        }
    }

private:
    Json& m_object;
};

} // namespace

Json runToJson(const RunSpec& spec) {
    Json tree = Json::object();
    ObjectWriter writer(tree);
    fields(spec, writer);
    if (spec.program) {
        leaveToProgram(tree);
        return tree;
    }
    // Without either, reading would put the default in: say that there is none.
    if (!spec.epochs && !spec.steps) tree["epochs"] = nullptr;
    if (!spec.batch.perRank && !spec.batch.global) tree["batch"]["perRank"] = nullptr;
    return tree;
}

std::string toJson(const RunSpec& spec) { return jsonFile(runToJson(spec)); }

} // namespace trainyard::spec
