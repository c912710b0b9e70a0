// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

namespace trainyard::spec {
namespace {

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
    void operator()(const char* key, Flat<const Choice> value) {
        Json object = Json::object({{"name", value.choice.name}});
        for (const auto& [name, param] : value.choice.params) object[name] = valueToJson(param);
        m_object[key] = std::move(object);
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
    // Without either, reading would put the default in: say that there is none.
    if (!spec.epochs && !spec.steps) tree["epochs"] = nullptr;
    if (!spec.batch.perRank && !spec.batch.global) tree["batch"]["perRank"] = nullptr;
    return tree;
}

std::string toJson(const RunSpec& spec) { return jsonFile(runToJson(spec)); }

} // namespace trainyard::spec
