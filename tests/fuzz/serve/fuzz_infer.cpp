// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for inference: the first byte says how many bytes from the end are binary tensors (0: all is JSON), the rest
// is a body. What is read is written again, and must read back as the same bits.
#include "engine/serve/protocol/infer_answer.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

ModelSignature everyType() {
    ModelSignature signature;
    signature.name = "m";
    signature.inputs = {
        {"x", TensorType::Fp32, {-1, 2}}, {"n", TensorType::Int32, {-1}}, {"s", TensorType::Bytes, {-1, -1}}};
    signature.outputs = signature.inputs;
    return signature;
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size == 0) return 0;
    static const ModelSignature signature = everyType();
    static InferReader reader;
    const std::span<const std::byte> body = std::as_bytes(std::span(data + 1, size - 1));
    const std::string length =
        data[0] == 0 ? "" : std::to_string(body.size() - std::min<std::size_t>(data[0], body.size()));
    const auto read = reader.read(signature, body, length);
    // Read where it is, whatever stands behind it: the same verdict.
    std::vector<std::byte> padded(body.begin(), body.end());
    padded.resize(body.size() + 64, std::byte('7'));
    const auto inPlace = InferReader().read(signature, std::span(padded).first(body.size()), length, 64);
    require(inPlace.ok() == read.ok(), "what stands behind a body changes nothing");
    if (!read.ok()) {
        require(inPlace.error() == read.error(), "nor what is said of it");
        require(!read.error().message.empty() && !read.error().where.empty(), "an error has a place and a message");
        return 0;
    }
    InferAnswer answer;
    answer.id = read->id;
    std::vector<InferOutput> binary;
    for (std::size_t i = 0; i < read->inputs.size(); ++i) {
        const InferTensor& tensor = read->inputs[i];
        require(tensor.shape.size() == signature.inputs[i].shape.size(), "a tensor has the rank of its signature");
        require(static_cast<std::size_t>(tensor.shape[0]) == read->rows, "all inputs have the same rows");
        std::size_t elements = 1;
        for (const std::int64_t each : tensor.shape) elements *= static_cast<std::size_t>(each);
        const std::size_t found = tensor.type == TensorType::Bytes ? bytesElements(tensor.data).size()
                                                                   : tensor.data.size() / bytesOf(tensor.type);
        require(found == elements, "the data is that of the shape");
        answer.outputs.push_back(tensor);
        binary.push_back({tensor.name, true});
    }
    const InferBody made = writeInfer(answer, binary);
    std::string again = made.body;
    again.replace(again.find("\"outputs\":["), 9, "\"inputs\"");
    const auto back = reader.read(signature, std::as_bytes(std::span(again)), std::to_string(*made.headerBytes - 1));
    require(back.ok(), "what is written is read");
    for (std::size_t i = 0; i < read->inputs.size(); ++i)
        require(std::ranges::equal(back->inputs[i].data, read->inputs[i].data), "the bits are the same");
    (void)writeInfer(answer, {});
    return 0;
}
