// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for inference of the Open Inference Protocol (KServe v2): JSON, and its extension for binary tensors.
#pragma once

#include "engine/base/result.h"
#include "engine/serve/values/model_signature.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// A tensor of a request, complete and checked. `data` is row-major and little-endian; each element of BYTES has its
// length in 4 bytes before it. It lies in the body, or in the request's own memory.
struct InferTensor {
    std::string name;
    TensorType type = TensorType::Fp32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> data;
};

// An output that is asked for, and whether its numbers come behind the JSON.
struct InferOutput {
    std::string name;
    bool binary = false;
};

// A request that fits the signature of its model.
struct InferRequest {
    std::string id;                             // echoed; empty: it has none
    std::int64_t timeoutUs = 0;                 // parameters.timeout; 0: the service's own deadline
    std::size_t rows = 0;                       // the first dimension of each input
    std::vector<InferTensor> inputs;            // in the order of the signature
    std::vector<InferOutput> outputs;           // in the order of the request; all of the signature where it names none
    std::vector<std::vector<std::byte>> memory; // what `data` points to where it came as JSON
};

// Reads requests; keeps its memory from one to the next.
class InferReader {
public:
    InferReader();
    ~InferReader();

    // `headerLength` is the value of Inference-Header-Content-Length; empty: all is JSON. Views of the result point
    // into `body`. An input of one row may lack the dimension of the rows. Input: it is no JSON, an input is missing,
    // unknown or there twice, a wrong datatype, shape, count or number, sizes that do not add up; `where` names the
    // place, as "inputs[0].data[3]". Total; at most 1,024 levels of nesting, 1 GB of numbers. `readable`: so many bytes
    // behind the body may be read, whatever they are; with 64 the JSON is not copied.
    Result<InferRequest> read(const ModelSignature& signature, std::span<const std::byte> body,
                              std::string_view headerLength, std::size_t readable = 0);

private:
    class Private;
    std::unique_ptr<Private> d;
};

// The elements of a BYTES tensor. Empty: their lengths do not add up.
std::vector<std::string_view> bytesElements(std::span<const std::byte> data);

} // namespace trainyard::serve
