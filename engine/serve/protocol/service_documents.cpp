// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/service_documents.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard::serve {

namespace {

Json tensorList(const std::vector<TensorSignature>& tensors) {
    Json list = Json::array();
    for (const TensorSignature& each : tensors)
        list.push_back({{"name", each.name}, {"datatype", toString(each.type)}, {"shape", each.shape}});
    return list;
}

Json schema(const char* type) { return {{"type", type}}; }
Json reference(const std::string& name) { return {{"$ref", "#/components/schemas/" + name}}; }
Json listOf(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json jsonContent(Json schema) { return {{"application/json", {{"schema", std::move(schema)}}}}; }

Json answerOf(const char* description, Json content) {
    Json answer = {{"description", description}};
    if (!content.is_null()) answer["content"] = std::move(content);
    return answer;
}

Json operation(const std::string& summary, Json answers) {
    answers["default"] = answerOf("What is wrong, where, and what to do", jsonContent(reference("Error")));
    return {{"summary", summary}, {"responses", std::move(answers)}};
}

Json getOf(const std::string& summary, Json content) {
    return {{"get", operation(summary, {{"200", answerOf("OK", std::move(content))}})}};
}

const char* elementType(TensorType type) {
    switch (type) {
    case TensorType::Bool: return "boolean";
    case TensorType::Bytes: return "string";
    case TensorType::Fp32:
    case TensorType::Fp64: return "number";
    default: return "integer";
    }
}

Json tensorSchema(const TensorSignature& tensor, bool withData) {
    Json properties = {{"name", {{"type", "string"}, {"enum", {tensor.name}}}},
                       {"datatype", {{"type", "string"}, {"enum", {toString(tensor.type)}}}},
                       {"shape", {{"type", "array"}, {"items", schema("integer")}, {"example", tensor.shape}}}};
    if (withData) properties["data"] = listOf(schema(elementType(tensor.type)));
    return {
        {"type", "object"}, {"required", {"name", "shape", "datatype", "data"}}, {"properties", std::move(properties)}};
}

// `elements`: an input may also be BYTES, each element a whole picture, row or text.
Json anyOf(const std::vector<TensorSignature>& tensors, bool elements) {
    Json options = Json::array();
    for (const TensorSignature& each : tensors) {
        options.push_back(tensorSchema(each, true));
        if (elements && each.type != TensorType::Bytes)
            options.push_back(tensorSchema({each.name, TensorType::Bytes, {-1}}, true));
    }
    return listOf({{"anyOf", std::move(options)}});
}

Json inferOperation(const ModelSignature& model) {
    Json request = {{"type", "object"},
                    {"required", {"inputs"}},
                    {"properties",
                     {{"id", schema("string")},
                      {"parameters", schema("object")},
                      {"inputs", anyOf(model.inputs, model.kind != InputKind::Tensor)}}}};
    Json answer = {{"type", "object"},
                   {"properties",
                    {{"model_name", schema("string")},
                     {"model_version", schema("string")},
                     {"id", schema("string")},
                     {"outputs", anyOf(model.outputs, false)}}}};
    Json made = operation("Tensors for " + model.name + " (Open Inference Protocol)",
                          {{"200", answerOf("The outputs", jsonContent(std::move(answer)))}});
    made["requestBody"] = {{"required", true}, {"content", jsonContent(std::move(request))}};
    return {{"post", std::move(made)}};
}

Json rowSchema(const ModelSignature& model) {
    Json properties = Json::object(), required = Json::array();
    for (const ColumnSignature& each : model.columns) {
        Json cell = each.words.empty() ? schema("number") : schema("string");
        if (!each.words.empty()) cell["enum"] = each.words;
        properties[each.name] = std::move(cell);
        required.push_back(each.name);
    }
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

Json bodiesOf(const ModelSignature& model) {
    const Json binary = {{"schema", {{"type", "string"}, {"format", "binary"}}}};
    const Json text = {{"schema", schema("string")}};
    switch (model.kind) {
    case InputKind::Image:
        return {{"image/png", binary},
                {"image/jpeg", binary},
                {"image/webp", binary},
                {"application/octet-stream", binary}};
    case InputKind::Row: {
        Json rows = {{"type", "object"}, {"properties", {{"rows", listOf(rowSchema(model))}}}};
        return {{"application/json", {{"schema", std::move(rows)}}}, {"text/csv", text}};
    }
    case InputKind::Text:
        return {{"text/plain", text},
                {"application/json", {{"schema", {{"type", "object"}, {"properties", {{"text", schema("string")}}}}}}}};
    case InputKind::Tensor: break;
    }
    return {};
}

Json queryParameter(const char* name, const char* type, const char* description) {
    return {{"name", name}, {"in", "query"}, {"description", description}, {"schema", schema(type)}};
}

constexpr const char* kOneVersion = "/versions/{version}";

Json versionParameter() {
    return {{"name", "version"},
            {"in", "path"},
            {"required", true},
            {"description", "RUN@STEP, or the name of a file; GET /v2/models/NAME lists them"},
            {"schema", schema("string")}};
}

Json predictOperation(const ModelSignature& model) {
    Json inputs = listOf(schema("object"));
    Json answer = {{"type", "object"}, {"properties", {{"task", schema("string")}, {"inputs", std::move(inputs)}}}};
    Json made = operation("Predict with " + model.name,
                          {{"200", answerOf("As trainyardctl predict --json", jsonContent(std::move(answer)))}});
    made["parameters"] = Json::array({queryParameter("top", "integer", "How many classes, the likeliest first")});
    if (model.kind == InputKind::Text) {
        made["parameters"].push_back(queryParameter("continue", "integer", "Tokens to add to the text"));
        made["parameters"].push_back(queryParameter("temperature", "number", "0: the likeliest token each time"));
        made["parameters"].push_back(queryParameter("seed", "integer", "The same seed gives the same text"));
    }
    made["requestBody"] = {{"required", true}, {"content", bodiesOf(model)}};
    return {{"post", std::move(made)}};
}

} // namespace

std::string serverMetadata() {
    return jsonText(
        Json{{"name", "trainyard"}, {"version", TRAINYARD_VERSION}, {"extensions", {"binary_tensor_data"}}});
}

std::string modelMetadata(const ModelSignature& signature, const std::vector<std::string>& versions) {
    Json json = {{"name", signature.name},
                 {"versions", versions},
                 {"platform", "trainyard_torch"},
                 {"inputs", tensorList(signature.inputs)},
                 {"outputs", tensorList(signature.outputs)}};
    Json own = {{"kind", toString(signature.kind)}};
    if (!signature.task.empty()) own["task"] = signature.task;
    if (!signature.classes.empty()) own["classes"] = signature.classes;
    for (const ColumnSignature& each : signature.columns) {
        Json column = {{"name", each.name}};
        if (!each.words.empty()) column["words"] = each.words;
        own["columns"].push_back(std::move(column));
    }
    if (!signature.targets.empty()) own["targets"] = signature.targets;
    if (!signature.units.empty()) own["units"] = signature.units;
    json["parameters"] = std::move(own);
    return jsonText(json);
}

std::string openApi(const std::string& service, const std::vector<ModelSignature>& models) {
    const Json anyObject = jsonContent(schema("object"));
    Json paths = {{"/v2", getOf("What the server is", anyObject)},
                  {"/v2/health/live", getOf("200 while the server lives", {})},
                  {"/v2/health/ready", getOf("200 while requests are answered", {})},
                  {"/metrics", getOf("Figures for Prometheus", {{"text/plain", {{"schema", schema("string")}}}})}};
    for (std::size_t i = 0; i < models.size(); ++i) {
        const ModelSignature& model = models[i];
        const std::string path = "/v2/models/" + model.name;
        for (const std::string& version : {std::string(), std::string(kOneVersion)}) {
            const auto add = [&](const std::string& at, Json item) {
                for (auto& [method, made] : item.items())
                    if (!version.empty()) made["parameters"].push_back(versionParameter());
                paths[at] = std::move(item);
            };
            add(path + version, getOf("What " + model.name + " takes and gives", anyObject));
            add(path + version + "/ready", getOf("200 while " + model.name + " answers", {}));
            add(path + version + "/infer", inferOperation(model));
            if (model.kind != InputKind::Tensor) add("/predict/" + model.name + version, predictOperation(model));
        }
        if (i == 0 && model.kind != InputKind::Tensor) paths["/predict"] = predictOperation(model);
    }
    const Json error = {
        {"type", "object"},
        {"required", {"error"}},
        {"properties", {{"error", schema("string")}, {"where", schema("string")}, {"remedy", schema("string")}}}};
    const Json document = {{"openapi", "3.0.3"},
                           {"info", {{"title", service}, {"version", models.empty() ? "" : models[0].version}}},
                           {"security", Json::array({{{"token", Json::array()}}})},
                           {"paths", std::move(paths)},
                           {"components",
                            {{"schemas", {{"Error", error}}},
                             {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
    return jsonText(document);
}

} // namespace trainyard::serve
