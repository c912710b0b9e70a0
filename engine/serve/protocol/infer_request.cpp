// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/infer_request.h"

#include "engine/serve/protocol/infer_numbers.h"
#include "engine/spec/run/check.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <simdjson.h>
#include <utility>

static_assert(std::endian::native == std::endian::little, "tensors are little-endian on the wire and in memory");

namespace trainyard::serve {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMaxId = 1024;            // bytes
constexpr std::int64_t kMaxRows = 1 << 20;      // of a request
constexpr std::size_t kKeptCapacity = 4u << 20; // bytes of JSON that the parser keeps memory for

using spec::inQuotes;

// A place in a request: "inputs[0]" and ".name". Only a complaint puts it together.
struct Place {
    std::string_view parent, leaf;
};

Error badRequest(std::string where, std::string message, std::string remedy = {}) {
    return inputError(std::move(message), std::move(where), std::move(remedy));
}
Error badRequest(Place where, std::string message, std::string remedy = {}) {
    return badRequest(std::string(where.parent).append(where.leaf), std::move(message), std::move(remedy));
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (const std::int64_t each : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}

std::string namesOf(const std::vector<TensorSignature>& tensors) {
    std::vector<std::string> names;
    for (const TensorSignature& each : tensors) names.push_back(each.name);
    return spec::joined(names);
}

// A member of a request's object; nothing: it has none, or null.
std::optional<dom::element> member(dom::object object, std::string_view key) {
    dom::element found;
    if (object.at_key(key).get(found) != simdjson::SUCCESS || found.is_null()) return {};
    return found;
}

Result<std::string_view> textOf(std::optional<dom::element> element, Place where) {
    std::string_view text;
    if (!element) return badRequest(where, "it is missing");
    if (element->get(text) != simdjson::SUCCESS) return badRequest(where, "it is no text");
    return text;
}

Result<dom::object> objectOf(dom::element element, Place where) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) return badRequest(where, "it is no object");
    return object;
}

Result<dom::array> arrayOf(std::optional<dom::element> element, Place where) {
    dom::array array;
    if (!element) return badRequest(where, "it is missing");
    if (element->get(array) != simdjson::SUCCESS) return badRequest(where, "it is no list");
    return array;
}

// parameters.KEY of an object; nothing: there is none.
Result<std::optional<dom::element>> parameter(dom::object object, std::string_view key, std::string_view where) {
    const auto parameters = member(object, "parameters");
    if (!parameters) return std::optional<dom::element>();
    TY_ASSIGN(const dom::object named, objectOf(*parameters, {where, "parameters"}));
    return member(named, key);
}

Result<bool> flag(dom::object object, std::string_view key, std::string_view where, bool otherwise) {
    TY_ASSIGN(const auto found, parameter(object, key, where));
    bool value = otherwise;
    if (found && found->get(value) != simdjson::SUCCESS)
        return badRequest(std::string(where).append("parameters.").append(key), "it is neither true nor false");
    return value;
}

Result<std::optional<std::uint64_t>> amount(dom::object object, std::string_view key, std::string_view where) {
    TY_ASSIGN(const auto found, parameter(object, key, where));
    if (!found) return std::optional<std::uint64_t>();
    std::uint64_t value = 0;
    if (found->get(value) != simdjson::SUCCESS)
        return badRequest(std::string(where).append("parameters.").append(key), "it is no whole number from 0 on");
    return std::optional<std::uint64_t>(value);
}

Result<std::vector<std::int64_t>> readShape(std::optional<dom::element> element, const TensorSignature& wanted,
                                            Place where) {
    TY_ASSIGN(const dom::array array, arrayOf(element, where));
    std::vector<std::int64_t> shape;
    for (const dom::element each : array) {
        std::int64_t size = 0;
        if (each.get(size) != simdjson::SUCCESS || size < 1 || shape.size() >= 2 * wanted.shape.size() + 8)
            return badRequest(where, "dimensions are whole numbers from 1 on", "send " + shapeText(wanted.shape));
        shape.push_back(size);
    }
    if (shape.size() + 1 == wanted.shape.size() && wanted.shape[0] == -1) shape.insert(shape.begin(), 1);
    if (wanted.shape.size() == 1 && shape.size() == 2 && shape[1] == 1)
        shape.pop_back(); // [rows, 1], as some clients say
    bool fits = shape.size() == wanted.shape.size() && shape[0] <= kMaxRows;
    for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = wanted.shape[i] == -1 || wanted.shape[i] == shape[i];
    if (!fits)
        return badRequest(where,
                          wanted.name + " has the shape " + shapeText(wanted.shape) + ", not " + shapeText(shape),
                          "send that shape; -1 stands for any number of rows");
    return shape;
}

// Elements of a shape; nothing: more than a request may have.
std::optional<std::size_t> elementsOf(const std::vector<std::int64_t>& shape) {
    std::size_t elements = 1;
    for (const std::int64_t each : shape) {
        if (static_cast<std::uint64_t>(each) > kMaxElements / elements) return {};
        elements *= static_cast<std::size_t>(each);
    }
    return elements;
}

// Checks what lies behind the JSON for one tensor.
Result<void> checkBinary(TensorType type, std::span<const std::byte> data, std::size_t elements,
                         const std::string& where) {
    if (type == TensorType::Bytes) {
        const auto found = bytesElements(data);
        if (found.size() == elements) return {};
        return badRequest(where, "the data has not the " + std::to_string(elements) + " elements of its shape",
                          "send each as its length in 4 bytes, little-endian, and its bytes");
    }
    if (data.size() != elements * bytesOf(type))
        return badRequest(where,
                          "the shape has " + std::to_string(elements * bytesOf(type)) + " bytes, and " +
                              std::to_string(data.size()) + " are said",
                          "binary_data_size is elements times the bytes of one");
    if (type == TensorType::Bool &&
        std::any_of(data.begin(), data.end(), [](std::byte each) { return std::to_integer<int>(each) > 1; }))
        return badRequest(where, "a BOOL is 0 or 1");
    return {};
}

// What people give instead of the model's tensor: each element a whole picture, row or text. Its name does not count.
const TensorSignature kElements{"the input", TensorType::Bytes, {-1}};

// One request while it is read.
class RequestReading {
public:
    RequestReading(const ModelSignature& signature, std::span<const std::byte> behind)
        : m_signature(signature), m_behind(behind) {}

    Result<InferRequest> read(dom::object root) {
        if (const auto id = member(root, "id")) {
            TY_ASSIGN(m_request.id, textOf(id, {"id", {}}));
            if (m_request.id.size() > kMaxId)
                return badRequest("id", "it has more than 1,024 bytes", "send a shorter one");
        }
        TY_ASSIGN(const auto timeout, amount(root, "timeout", {}));
        m_request.timeoutUs = static_cast<std::int64_t>(std::min<std::uint64_t>(timeout.value_or(0), INT64_MAX));
        TY_TRY(readInputs(root));
        TY_TRY(readOutputs(root));
        return std::move(m_request);
    }

private:
    Result<void> readInputs(dom::object root) {
        TY_ASSIGN(const dom::array inputs, arrayOf(member(root, "inputs"), {"inputs", {}}));
        m_request.inputs.resize(m_signature.inputs.size());
        std::size_t index = 0;
        for (const dom::element each : inputs) {
            const std::string where = "inputs[" + std::to_string(index++) + "]";
            TY_ASSIGN(const dom::object input, objectOf(each, {where, {}}));
            TY_TRY(readInput(input, where));
        }
        for (std::size_t i = 0; i < m_signature.inputs.size(); ++i)
            if (m_request.inputs[i].shape.empty())
                return badRequest("inputs", inQuotes(m_signature.inputs[i].name) + " is missing",
                                  "the model takes " + namesOf(m_signature.inputs));
        if (!m_behind.empty())
            return badRequest("inputs", std::to_string(m_behind.size()) + " bytes behind the JSON belong to no input",
                              "name each input's bytes in parameters.binary_data_size");
        return {};
    }

    Result<void> readInput(dom::object input, const std::string& where) {
        TY_ASSIGN(const std::string_view name, textOf(member(input, "name"), {where, ".name"}));
        const TensorSignature* wanted = findTensor(m_signature.inputs, name);
        if (!wanted)
            return badRequest(where + ".name", "there is no input " + inQuotes(std::string(name)),
                              "the model takes " + namesOf(m_signature.inputs));
        InferTensor& tensor = m_request.inputs[static_cast<std::size_t>(wanted - m_signature.inputs.data())];
        if (!tensor.shape.empty())
            return badRequest(where + ".name", inQuotes(std::string(name)) + " is there twice", "send it once");
        TY_ASSIGN(const std::string_view type, textOf(member(input, "datatype"), {where, ".datatype"}));
        const bool given = type == toString(TensorType::Bytes) && m_signature.kind != InputKind::Tensor;
        if (!given && type != toString(wanted->type))
            return badRequest(where + ".datatype",
                              wanted->name + " is " + toString(wanted->type) + ", not " +
                                  spec::inQuotes(std::string(type)),
                              std::string("convert it to ") + toString(wanted->type) +
                                  (m_signature.kind == InputKind::Tensor
                                       ? std::string()
                                       : std::string(", or send BYTES: each element one ") + kindWord()));
        tensor.type = given ? TensorType::Bytes : wanted->type;
        const TensorSignature& taken = given ? kElements : *wanted;
        TY_ASSIGN(tensor.shape, readShape(member(input, "shape"), taken, {where, ".shape"}));
        tensor.name = name;
        const auto elements = elementsOf(tensor.shape);
        if (!elements) return badRequest(where + ".shape", "it is too large", "send fewer rows at once");
        const auto rows = static_cast<std::size_t>(tensor.shape[0]);
        if (m_request.rows != 0 && m_request.rows != rows)
            return badRequest(where + ".shape", "the inputs have different numbers of rows",
                              "send as many rows of each");
        m_request.rows = rows;
        return readData(input, tensor, *elements, where);
    }

    Result<void> readData(dom::object input, InferTensor& tensor, std::size_t elements, const std::string& where) {
        TY_ASSIGN(const auto size, amount(input, "binary_data_size", where + "."));
        const auto data = member(input, "data");
        if (!size) {
            if (!data)
                return badRequest(where + ".data", "it is missing",
                                  "send the numbers as a list, or behind the JSON with parameters.binary_data_size");
            std::vector<std::byte>& memory = m_request.memory.emplace_back();
            TY_TRY(readElements(*data, tensor.type, elements, where + ".data", memory));
            tensor.data = memory;
            return {};
        }
        const std::string place = where + ".parameters.binary_data_size";
        if (data)
            return badRequest(where + ".data", "the data is there, and said to be behind the JSON", "send it once");
        if (*size > m_behind.size())
            return badRequest(place,
                              "it says " + std::to_string(*size) + " bytes, and " + std::to_string(m_behind.size()) +
                                  " are left behind the JSON",
                              "send all of it, and Inference-Header-Content-Length with the bytes of the JSON");
        tensor.data = m_behind.first(static_cast<std::size_t>(*size));
        m_behind = m_behind.subspan(static_cast<std::size_t>(*size));
        return checkBinary(tensor.type, tensor.data, elements, place);
    }

    Result<void> readOutputs(dom::object root) {
        TY_ASSIGN(const bool binary, flag(root, "binary_data_output", {}, false));
        const auto named = member(root, "outputs");
        if (!named) {
            for (const TensorSignature& each : m_signature.outputs) m_request.outputs.push_back({each.name, binary});
            return {};
        }
        TY_ASSIGN(const dom::array outputs, arrayOf(named, {"outputs", {}}));
        for (const dom::element each : outputs) {
            const std::string where = "outputs[" + std::to_string(m_request.outputs.size()) + "]";
            TY_ASSIGN(const dom::object output, objectOf(each, {where, {}}));
            InferOutput wanted;
            TY_ASSIGN(wanted.name, textOf(member(output, "name"), {where, ".name"}));
            TY_ASSIGN(wanted.binary, flag(output, "binary_data", where + ".", binary));
            const auto same = [&wanted](const InferOutput& other) { return other.name == wanted.name; };
            if (!findTensor(m_signature.outputs, wanted.name))
                return badRequest(where + ".name", "there is no output " + inQuotes(wanted.name),
                                  "the model gives " + namesOf(m_signature.outputs));
            if (std::any_of(m_request.outputs.begin(), m_request.outputs.end(), same))
                return badRequest(where + ".name", inQuotes(wanted.name) + " is there twice", "ask for it once");
            m_request.outputs.push_back(std::move(wanted));
        }
        return {};
    }

    const char* kindWord() const {
        return m_signature.kind == InputKind::Image ? "picture" : toString(m_signature.kind);
    }

    const ModelSignature& m_signature;
    std::span<const std::byte> m_behind; // bytes behind the JSON that no input has yet
    InferRequest m_request;
};

Result<std::size_t> jsonBytes(std::size_t body, std::string_view headerLength) {
    constexpr const char* kWhere = "Inference-Header-Content-Length";
    if (headerLength.empty()) return body;
    std::size_t bytes = 0;
    const auto read = std::from_chars(headerLength.data(), headerLength.data() + headerLength.size(), bytes);
    if (read.ec != std::errc() || read.ptr != headerLength.data() + headerLength.size())
        return badRequest(kWhere, "it is no number of bytes", "send the bytes of the JSON in digits");
    if (bytes > body)
        return badRequest(kWhere,
                          "it says " + std::to_string(bytes) + " bytes, and the body has " + std::to_string(body),
                          "send the bytes of the JSON alone");
    return bytes;
}

std::string jsonProblem(simdjson::error_code code) {
    switch (code) {
    case simdjson::EMPTY: return "the body is empty";
    case simdjson::DEPTH_ERROR: return "it is nested too deeply";
    case simdjson::NUMBER_ERROR: return "a number is none of JSON, or too large (NaN and Infinity are none)";
    case simdjson::UTF8_ERROR: return "it is no UTF-8";
    case simdjson::UNCLOSED_STRING: return "a text does not end";
    case simdjson::STRING_ERROR: return "a text has a bad escape";
    case simdjson::UNESCAPED_CHARS: return "a text has a control character";
    default: return "it is no JSON";
    }
}

} // namespace

// The parser's memory.
class InferReader::Private {
public:
    Result<InferRequest> read(const ModelSignature& signature, std::span<const std::byte> body, std::string_view length,
                              std::size_t readable) {
        TY_ASSIGN(const std::size_t bytes, jsonBytes(body.size(), length));
        dom::element root;
        const bool isPadded = body.size() - bytes + readable >= simdjson::SIMDJSON_PADDING; // else it is copied
        const auto* text = reinterpret_cast<const char*>(body.data());
        auto code = m_parser.parse(text, bytes, !isPadded).get(root);
        // What it says of a broken text may depend on what stands behind it: nothing, then.
        if (code != simdjson::SUCCESS) code = m_parser.parse(simdjson::padded_string(text, bytes)).get(root);
        if (code != simdjson::SUCCESS)
            return badRequest("body", jsonProblem(code),
                              "send a request of the Open Inference Protocol: {\"inputs\": […]}");
        TY_ASSIGN(const dom::object object, objectOf(root, {"body", {}}));
        auto request = RequestReading(signature, body.subspan(bytes)).read(object);
        if (m_parser.capacity() > kKeptCapacity) m_parser = dom::parser();
        return request;
    }

private:
    dom::parser m_parser;
};

InferReader::InferReader() : d(std::make_unique<Private>()) {}
InferReader::~InferReader() = default;

Result<InferRequest> InferReader::read(const ModelSignature& signature, std::span<const std::byte> body,
                                       std::string_view headerLength, std::size_t readable) {
    return d->read(signature, body, headerLength, readable);
}

std::vector<std::string_view> bytesElements(std::span<const std::byte> data) {
    std::vector<std::string_view> elements;
    while (!data.empty()) {
        std::uint32_t size = 0;
        if (data.size() < sizeof size) return {};
        std::memcpy(&size, data.data(), sizeof size);
        data = data.subspan(sizeof size);
        if (size > data.size()) return {};
        elements.emplace_back(reinterpret_cast<const char*>(data.data()), size);
        data = data.subspan(size);
    }
    return elements;
}

} // namespace trainyard::serve
