// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/checkpoint_fit.h"

#include "engine/torch/base/guard.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/trainer/learner/adapters.h"

#include <optional>

namespace trainyard::train {
namespace {

// What the run's model is made for; nothing where that cannot be told.
Result<std::optional<models::ModelContext>> contextOf(const TrainState& state, const spec::RunSpec& spec) {
    TY_ASSIGN(const TaskKind task, taskFromString(spec.task));
    const auto before = spec::parseRunSpec(state.runJson);
    const ModelInfo& info = state.modelInfo;
    if (before && before->dataset == spec.dataset && before->task == spec.task)
        return std::optional(models::ModelContext{info.sampleShape, info.classes, task});
    const auto dataset = data::loadDataset(spec.dataset, spec.seed, task, spec.data);
    if (!dataset) return std::optional<models::ModelContext>();
    return std::optional(models::ModelContext{dataset->sampleShape, dataset->classes, task});
}

} // namespace

Result<void> checkFit(const TrainState& saved, models::Model& model, const spec::RunSpec& spec,
                      const std::string& where) {
    const TrainState state = fitAdapters(saved, model, spec.finetune.lora);
    TY_TRY(restoreModel(model, state.model, where));
    if (state.optimizer.kind.empty()) return {};
    TY_ASSIGN(const auto optimizer, optim::makeOptimizer(spec.optimizer, optim::namedParameters(model)));
    return optimizer->restore(state.optimizer);
}

Result<void> checkFit(const std::filesystem::path& checkpoint, const spec::RunSpec& spec) {
    return guarded("checkpoint", [&]() -> Result<void> {
        TY_ASSIGN(const TrainState state, loadCheckpoint(checkpoint));
        TY_ASSIGN(const auto context, contextOf(state, spec));
        if (!context) return {};
        TY_ASSIGN(const auto model, makeTrainedModel(spec, *context));
        return checkFit(state, *model, spec, checkpoint.string());
    });
}

} // namespace trainyard::train
