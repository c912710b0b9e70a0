// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/programs.h"
#include "engine/torch/api/engine_calls.h"
#include "engine/torch/api/run_driver.h"

#include <cstdlib>

namespace trainyard::train {

TorchTrainer::TorchTrainer(TrainFunction trainFunction, TrainerOptions options)
    : m_function(std::move(trainFunction)), m_options(std::move(options)) {}

TorchTrainer::TorchTrainer(std::function<void()> trainFunction, TrainerOptions options)
    : TorchTrainer([function = std::move(trainFunction)](const Config&) { function(); }, std::move(options)) {}

Result TorchTrainer::fit() {
    const auto call = nextCall();
    if (call.role == CallPosition::Role::Rank) serveRank(m_function);
    try {
        if (call.role == CallPosition::Role::Earlier) {
            if (call.earlierRun.empty())
                return failedResult(environmentError("did not start in the program that started this rank"));
            auto workspace = store::Workspace::open();
            auto recorded =
                workspace ? recordedResult(*workspace, call.earlierRun) : trainyard::Result<Result>(workspace.error());
            return recorded ? std::move(*recorded) : failedResult(recorded.error());
        }
        if (!m_function) return failedResult(inputError("was given no training function", "TorchTrainer"));
        auto driver = RunDriver::start(call, m_options);
        return driver ? (*driver)->waitForEnd() : failedResult(driver.error());
    } catch (const InputError& e) {
        return failedResult(inputError(e.what(), "TorchTrainer"));
    } catch (const std::exception& e) { return failedResult(environmentError(e.what(), "TorchTrainer")); }
}

namespace detail {

bool tellProgramFolder(const char* folder) {
    run::setProgramFolder(folder);
    return true;
}

} // namespace detail
} // namespace trainyard::train
