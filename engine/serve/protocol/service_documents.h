// SPDX-License-Identifier: GPL-3.0-or-later
// What a service says about itself, as JSON.
#pragma once

#include "engine/serve/values/model_signature.h"

#include <string>
#include <vector>

namespace trainyard::serve {

// GET /v2: {"name", "version", "extensions": ["binary_tensor_data"]}.
std::string serverMetadata();
// GET /v2/models/M: {"name", "versions", "platform", "inputs", "outputs"}, and what the protocol has no member for in
// "parameters": kind, task, classes, columns, targets, units.
std::string modelMetadata(const ModelSignature& signature, const std::vector<std::string>& versions);
// GET /openapi.json: an OpenAPI 3.0 document of every path, with the models' own schemas and examples.
std::string openApi(const std::string& service, const std::vector<ModelSignature>& models);

} // namespace trainyard::serve
