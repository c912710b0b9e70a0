// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/command_error.h"

#include "engine/base/error_json.h"

#include <cstdio>

namespace trainyard::train {

int failCommand(const Error& error) {
    std::fprintf(stderr, "trainyard-worker: %s\n", error.text().c_str());
    std::printf("%s\n", errorToJson(error).c_str());
    return exitCode(error.kind);
}

} // namespace trainyard::train
