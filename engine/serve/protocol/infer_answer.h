// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/protocol/infer_request.h"

namespace trainyard::serve {

// What a model said. `outputs` hold its tensors as InferTensor describes them, in the order that was asked for.
struct InferAnswer {
    std::string model, version, id;
    std::vector<InferTensor> outputs;
};

// The body of an answer. `headerBytes` is set where tensors follow the JSON: the value of
// Inference-Header-Content-Length, and the content type is then application/octet-stream.
struct InferBody {
    std::string body;
    std::optional<std::size_t> headerBytes;
};

// `wanted` says which outputs are binary (as many as answer.outputs). Numbers have the fewest digits that give the same
// bits back; NaN and infinities are null, as JSON has none. Elements of BYTES that are no UTF-8 have U+FFFD there.
InferBody writeInfer(const InferAnswer& answer, const std::vector<InferOutput>& wanted);

} // namespace trainyard::serve
