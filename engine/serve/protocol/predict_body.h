// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of POST /predict: what people and scripts have at hand.
#pragma once

#include "engine/base/result.h"
#include "engine/serve/values/model_signature.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What to predict. Exactly one of the three is filled, as the signature's kind says.
struct PredictRequest {
    InputKind kind = InputKind::Image;
    std::span<const std::byte> image;           // one encoded picture: the body itself
    std::vector<std::vector<std::string>> rows; // cells in the order of ModelSignature::columns; empty: missing
    std::vector<std::string> texts;
    std::string parameters; // JSON: {"top", "continue", "temperature", "seed"}, as far as given
};

// Reads by Content-Type: image/* or application/octet-stream (a picture), text/csv and text/tab-separated-values
// (rows, by the names of a header, or by position where there is none), text/plain (one text), application/json:
// {"rows": […]}, {"texts": […]}, {"text": "…"}, one row as an object, or a list of rows or texts. `query` may have top
// (1 to 1,000), continue (0 to 10,000), temperature (0 to 10) and seed. Unknown columns are passed over. Input: a body
// of another kind than the model takes (predictStatus() is 415), a missing column, what cannot be read; `where` names
// the place. Bounded: 4,096 rows or texts.
Result<PredictRequest> readPredict(const ModelSignature& signature, std::string_view contentType,
                                   std::string_view query, std::span<const std::byte> body);
// 415: the model takes none of that content type; 0: it is read.
int predictStatus(const ModelSignature& signature, std::string_view contentType);

} // namespace trainyard::serve
