// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/command_error.h"

#include "engine/base/error_json.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::train {

int failCommand(const Error& error, std::int64_t samples) {
    std::fprintf(stderr, "trainyard-worker: %s\n", error.text().c_str());
    auto told = parseJson(errorToJson(error));
    if (samples > 0) told["samples"] = samples;
    std::printf("%s\n", asciiJson(told, 2).c_str());
    return exitCode(error.kind);
}

} // namespace trainyard::train
