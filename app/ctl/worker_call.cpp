// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/worker_call.h"

#include "engine/base/error_json.h"
#include "engine/run/launch/capture.h"
#include "engine/run/launch/programs.h"

#include <nlohmann/json.hpp>

namespace trainyard::ctl {

constexpr double kWorkerSeconds = 600;

Result<std::string> callWorker(const std::vector<std::string>& arguments) {
    TY_ASSIGN(auto done, run::capture(run::workerProgram(), arguments, kWorkerSeconds));
    if (done.exitCode == 0) return std::move(done.output);
    if (auto told = errorFromJson(done.output)) return std::move(*told);
    // It ended without a word for programs: a crash, or a library that exits.
    std::string line = done.errors.substr(0, done.errors.find_last_not_of('\n') + 1);
    if (const auto last = line.rfind('\n'); last != std::string::npos) line = line.substr(last + 1);
    return environmentError(line.empty() ? "the worker program failed with " + std::to_string(done.exitCode) : line);
}

Result<nlohmann::ordered_json> workerJson(const std::vector<std::string>& arguments) {
    TY_ASSIGN(const std::string text, callWorker(arguments));
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded()) return environmentError("the worker program did not answer with JSON");
    return json;
}

} // namespace trainyard::ctl
