// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/worker_call.h"

#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/pool/asked_worker.h"
#include "engine/run/launch/programs.h"

#include <nlohmann/json.hpp>

namespace trainyard::ctl {

namespace {

constexpr int kSignalled = 128; // and the number of the signal: Captured::exitCode

} // namespace

Result<std::string> callWorker(const std::vector<std::string>& arguments, double seconds) {
    TY_ASSIGN(auto done, run::askWorker(run::workerProgram(), arguments, seconds));
    if (done.exitCode == 0) return std::move(done.output);
    if (done.exitCode > kSignalled && !errorFromJson(done.output))
        return environmentError("the worker program " + run::ExitStatus{true, done.exitCode - kSignalled}.text(), {},
                                "try again; where memory is short, end other programs first")
            .withCode(ErrorCode::WorkerKilled);
    return programError("the worker program", done.exitCode, done.output, done.errors);
}

Result<Json> workerJson(const std::vector<std::string>& arguments, double seconds) {
    TY_ASSIGN(const std::string text, callWorker(arguments, seconds));
    auto json = parseJson(text);
    if (json.is_discarded()) return environmentError("the worker program did not answer with JSON");
    return json;
}

} // namespace trainyard::ctl
