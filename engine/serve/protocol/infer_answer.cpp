// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/infer_answer.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstring>

namespace trainyard::serve {

namespace {

std::string jsonWord(std::string_view text) { return jsonText(Json(text)); }

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
    for (std::size_t i = 0; i < data.size(); ++i)
        body += std::string(i > 0 ? "," : "") + (data[i] == std::byte(0) ? "false" : "true");
}

void writeTexts(std::string& body, std::span<const std::byte> data) {
    bool first = true;
    for (const std::string_view each : bytesElements(data)) {
        if (!std::exchange(first, false)) body += ',';
        body += jsonWord(each);
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
    body = "{\"model_name\":" + jsonWord(answer.model) + ",\"model_version\":" + jsonWord(answer.version);
    if (!answer.id.empty()) body += ",\"id\":" + jsonWord(answer.id);
    body += ",\"outputs\":[";
    bool anyBinary = false;
    for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const InferTensor& tensor = answer.outputs[i];
        const bool binary = i < wanted.size() && wanted[i].binary;
        anyBinary = anyBinary || binary;
        body += std::string(i > 0 ? "," : "") + "{\"name\":" + jsonWord(tensor.name) + ",\"datatype\":\"" +
                toString(tensor.type) + "\",\"shape\":[";
        for (std::size_t k = 0; k < tensor.shape.size(); ++k)
            body += (k > 0 ? "," : "") + std::to_string(tensor.shape[k]);
        if (binary) {
            body += "],\"parameters\":{\"binary_data_size\":" + std::to_string(tensor.data.size()) + "}}";
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
