// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/model_signature.h"

#include "engine/base/json_text.h"
#include "engine/spec/run/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace trainyard::serve {

namespace {

struct TypeRow {
    TensorType type;
    const char* word;
    std::size_t bytes;
};
constexpr std::array kTypes = {
    TypeRow{TensorType::Bool, "BOOL", 1},   TypeRow{TensorType::Uint8, "UINT8", 1},
    TypeRow{TensorType::Int32, "INT32", 4}, TypeRow{TensorType::Int64, "INT64", 8},
    TypeRow{TensorType::Fp32, "FP32", 4},   TypeRow{TensorType::Fp64, "FP64", 8},
    TypeRow{TensorType::Bytes, "BYTES", 0},
};
constexpr std::array<const char*, 4> kKinds = {"tensor", "image", "row", "text"};

constexpr std::size_t kMaxText = 1u << 20;
constexpr std::size_t kMaxTensors = 64;
constexpr std::size_t kMaxDimensions = 8;
constexpr std::int64_t kMaxDimension = std::int64_t(1) << 31;

const TypeRow& rowOf(TensorType type) {
    return *std::find_if(kTypes.begin(), kTypes.end(), [type](const TypeRow& row) { return row.type == type; });
}

Error badMember(const std::string& where, const std::string& message) {
    return inputError(message, "signature: " + where, "serve the checkpoint again with this version of Trainyard");
}

Result<std::string> textAt(const Json& object, const char* key, const std::string& where) {
    const auto found = object.find(key);
    if (found == object.end()) return std::string();
    if (!found->is_string()) return badMember(where + key, "it is no text");
    return found->get<std::string>();
}

Result<std::vector<std::string>> textsAt(const Json& object, const char* key, const std::string& where) {
    std::vector<std::string> texts;
    const auto found = object.find(key);
    if (found == object.end()) return texts;
    if (!found->is_array()) return badMember(where + key, "it is no list");
    for (const Json& each : *found) {
        if (!each.is_string()) return badMember(where + key, "it holds something that is no text");
        texts.push_back(each.get<std::string>());
    }
    return texts;
}

Result<TensorSignature> readTensor(const Json& json, const std::string& where) {
    if (!json.is_object()) return badMember(where, "it is no object");
    TensorSignature tensor;
    TY_ASSIGN(tensor.name, textAt(json, "name", where + "."));
    if (tensor.name.empty()) return badMember(where + ".name", "it is missing");
    TY_ASSIGN(const std::string word, textAt(json, "datatype", where + "."));
    const auto type = tensorTypeFromString(word);
    if (!type) return badMember(where + ".datatype", "there is no datatype " + spec::inQuotes(word));
    tensor.type = *type;
    const auto shape = json.find("shape");
    if (shape == json.end() || !shape->is_array() || shape->empty() || shape->size() > kMaxDimensions)
        return badMember(where + ".shape", "it is no list of 1 to 8 dimensions");
    for (const Json& each : *shape) {
        const bool fits = each.is_number_integer() && each.get<std::int64_t>() >= -1 &&
                          each.get<std::int64_t>() <= kMaxDimension && each.get<std::int64_t>() != 0;
        if (!fits) return badMember(where + ".shape", "a dimension is a number from 1 to 2^31, or -1");
        tensor.shape.push_back(each.get<std::int64_t>());
    }
    return tensor;
}

Result<std::vector<TensorSignature>> readTensors(const Json& object, const char* key) {
    std::vector<TensorSignature> tensors;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || found->empty() || found->size() > kMaxTensors)
        return badMember(key, "it is no list of 1 to 64 tensors");
    for (std::size_t i = 0; i < found->size(); ++i) {
        const std::string where = std::string(key) + "[" + std::to_string(i) + "]";
        TY_ASSIGN(TensorSignature tensor, readTensor((*found)[i], where));
        if (findTensor(tensors, tensor.name))
            return badMember(where, spec::inQuotes(tensor.name) + " stands there twice");
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Result<std::vector<ColumnSignature>> readColumns(const Json& object) {
    std::vector<ColumnSignature> columns;
    const auto found = object.find("columns");
    if (found == object.end()) return columns;
    if (!found->is_array()) return badMember("columns", "it is no list");
    for (std::size_t i = 0; i < found->size(); ++i) {
        const std::string where = "columns[" + std::to_string(i) + "]";
        if (!(*found)[i].is_object()) return badMember(where, "it is no object");
        ColumnSignature column;
        TY_ASSIGN(column.name, textAt((*found)[i], "name", where + "."));
        TY_ASSIGN(column.words, textsAt((*found)[i], "words", where + "."));
        columns.push_back(std::move(column));
    }
    return columns;
}

Json tensorsToJson(const std::vector<TensorSignature>& tensors) {
    Json list = Json::array();
    for (const TensorSignature& each : tensors)
        list.push_back({{"name", each.name}, {"datatype", toString(each.type)}, {"shape", each.shape}});
    return list;
}

} // namespace

const char* toString(TensorType type) { return rowOf(type).word; }

std::optional<TensorType> tensorTypeFromString(std::string_view word) {
    for (const TypeRow& row : kTypes)
        if (word == row.word) return row.type;
    return {};
}

std::size_t bytesOf(TensorType type) { return rowOf(type).bytes; }

const char* toString(InputKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::size_t TensorSignature::elementsOfRow() const {
    std::size_t elements = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) {
        if (shape[i] <= 0) return 0;
        const auto size = static_cast<std::size_t>(shape[i]);
        if (elements > std::numeric_limits<std::size_t>::max() / 16 / size) return 0; // no memory has as many
        elements *= size;
    }
    return elements;
}

std::string signatureToJson(const ModelSignature& signature) {
    Json json = {{"name", signature.name}, {"version", signature.version}, {"kind", toString(signature.kind)}};
    if (!signature.task.empty()) json["task"] = signature.task;
    json["inputs"] = tensorsToJson(signature.inputs);
    json["outputs"] = tensorsToJson(signature.outputs);
    if (!signature.classes.empty()) json["classes"] = signature.classes;
    for (const ColumnSignature& each : signature.columns) {
        Json column = {{"name", each.name}};
        if (!each.words.empty()) column["words"] = each.words;
        json["columns"].push_back(std::move(column));
    }
    if (!signature.targets.empty()) json["targets"] = signature.targets;
    if (!signature.units.empty()) json["units"] = signature.units;
    return jsonText(json);
}

Result<ModelSignature> signatureFromJson(std::string_view text) {
    if (text.size() > kMaxText) return badMember("size", "it has more than 1 MB");
    const Json json = parseJson(text);
    if (!json.is_object()) return badMember("text", "it is no JSON object");
    ModelSignature signature;
    TY_ASSIGN(signature.name, textAt(json, "name", {}));
    if (signature.name.empty()) return badMember("name", "it is missing");
    TY_ASSIGN(signature.version, textAt(json, "version", {}));
    TY_ASSIGN(signature.task, textAt(json, "task", {}));
    TY_ASSIGN(const std::string kind, textAt(json, "kind", {}));
    const auto known = std::find(kKinds.begin(), kKinds.end(), kind);
    if (known == kKinds.end()) return badMember("kind", "there is no kind " + spec::inQuotes(kind));
    signature.kind = static_cast<InputKind>(known - kKinds.begin());
    TY_ASSIGN(signature.inputs, readTensors(json, "inputs"));
    TY_ASSIGN(signature.outputs, readTensors(json, "outputs"));
    TY_ASSIGN(signature.classes, textsAt(json, "classes", {}));
    TY_ASSIGN(signature.columns, readColumns(json));
    TY_ASSIGN(signature.targets, textsAt(json, "targets", {}));
    TY_ASSIGN(signature.units, textsAt(json, "units", {}));
    return signature;
}

const TensorSignature* findTensor(const std::vector<TensorSignature>& tensors, std::string_view name) {
    for (const TensorSignature& each : tensors)
        if (each.name == name) return &each;
    return nullptr;
}

} // namespace trainyard::serve
