// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/infer_answer.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace trainyard::serve {

namespace {

// Most names need no escapes.
void addWord(std::string& body, std::string_view text) {
    const bool isPlain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (isPlain) body.append(1, '"').append(text).append(1, '"');
    else body += jsonText(Json(text));
}

void addNumber(std::string& body, std::int64_t number) {
    char text[24];
    body.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

template <class Number>
void writeNumbers(std::string& body, std::span<const std::byte> data) {
    char text[32];
    for (std::size_t at = 0; at + sizeof(Number) <= data.size(); at += sizeof(Number)) {
        Number number;
        std::memcpy(&number, data.data() + at, sizeof number);
        if (at > 0) body += ',';
        if constexpr (std::is_floating_point_v<Number>) {
            const bool isMinusZero = number == 0 && std::signbit(number); // "-0" is a whole number, and those have none
            if (!std::isfinite(number) || isMinusZero) {
                body += isMinusZero ? "-0.0" : "null";
                continue;
            }
        }
        body.append(text, std::to_chars(text, text + sizeof text, number).ptr);
    }
}

void writeBools(std::string& body, std::span<const std::byte> data) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (i > 0) body += ',';
        body += data[i] == std::byte(0) ? "false" : "true";
    }
}

void writeTexts(std::string& body, std::span<const std::byte> data) {
    bool first = true;
    for (const std::string_view each : bytesElements(data)) {
        if (!std::exchange(first, false)) body += ',';
        addWord(body, each);
    }
}

void writeElements(std::string& body, const InferTensor& tensor) {
    switch (tensor.type) {
    case TensorType::Bool: return writeBools(body, tensor.data);
    case TensorType::Uint8: return writeNumbers<std::uint8_t>(body, tensor.data);
    case TensorType::Int32: return writeNumbers<std::int32_t>(body, tensor.data);
    case TensorType::Int64: return writeNumbers<std::int64_t>(body, tensor.data);
    case TensorType::Fp32: return writeNumbers<float>(body, tensor.data);
    case TensorType::Fp64: return writeNumbers<double>(body, tensor.data);
    case TensorType::Bytes: return writeTexts(body, tensor.data);
    }
}

} // namespace

InferBody writeInfer(const InferAnswer& answer, const std::vector<InferOutput>& wanted) {
    InferBody made;
    std::string& body = made.body;
    std::size_t behind = 0;
    for (const InferTensor& each : answer.outputs) behind += each.data.size();
    body.reserve(256 + 4 * behind);
    body = "{\"model_name\":";
    addWord(body, answer.model);
    body += ",\"model_version\":";
    addWord(body, answer.version);
    if (!answer.id.empty()) {
        body += ",\"id\":";
        addWord(body, answer.id);
    }
    body += ",\"outputs\":[";
    bool anyBinary = false;
    for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const InferTensor& tensor = answer.outputs[i];
        const bool binary = i < wanted.size() && wanted[i].binary;
        anyBinary = anyBinary || binary;
        body += i > 0 ? ",{\"name\":" : "{\"name\":";
        addWord(body, tensor.name);
        body.append(",\"datatype\":\"").append(toString(tensor.type)).append("\",\"shape\":[");
        for (std::size_t k = 0; k < tensor.shape.size(); ++k) {
            if (k > 0) body += ',';
            addNumber(body, tensor.shape[k]);
        }
        if (binary) {
            body += "],\"parameters\":{\"binary_data_size\":";
            addNumber(body, static_cast<std::int64_t>(tensor.data.size()));
            body += "}}";
            continue;
        }
        body += "],\"data\":[";
        writeElements(body, tensor);
        body += "]}";
    }
    body += "]}";
    if (!anyBinary) return made;
    made.headerBytes = body.size();
    for (std::size_t i = 0; i < answer.outputs.size(); ++i)
        if (i < wanted.size() && wanted[i].binary)
            body.append(reinterpret_cast<const char*>(answer.outputs[i].data.data()), answer.outputs[i].data.size());
    return made;
}

} // namespace trainyard::serve
