// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/preview.h"

#include "engine/torch/course.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/guard.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/preview_samples.h"
#include "engine/torch/task.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kCurvePoints = 200;

json modelJson(const spec::RunSpec& spec, const models::Model& model, const std::vector<models::LayerInfo>& layers) {
    json rows = json::array();
    for (const models::LayerInfo& layer : layers)
        rows.push_back({{"name", layer.name}, {"kind", layer.kind}, {"shape", layer.outputShape},
                        {"parameters", layer.parameters}});
    return {{"name", spec.model.name}, {"parameters", models::parameterCount(model)}, {"layers", std::move(rows)}};
}

// How many more numbers the optimizer keeps per parameter.
std::int64_t optimizerSlots(const spec::Choice& optimizer) {
    if (optimizer.name != "sgd") return 2;
    return optimizer.number("momentum", 0.0) > 0 ? 1 : 0;
}

json memoryJson(const spec::RunSpec& spec, const data::Dataset& dataset, const models::Model& model,
                const std::vector<models::LayerInfo>& layers) {
    const std::int64_t weights = models::parameterCount(model) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t optimizer = weights * optimizerSlots(spec.optimizer);
    // Each layer's output is kept for backward, and its gradient is made there.
    const std::int64_t activations = 2 * models::activationBytes(layers) * spec.perRankBatch();
    std::int64_t samples = 0;
    for (const data::Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->size() > 0) samples += static_cast<std::int64_t>(split->inputs.nbytes() + split->targets.nbytes());
    // Weights, gradients, and a second copy of the gradients while they are averaged.
    const std::int64_t total = 3 * weights + optimizer + activations + samples;
    return {{"estimated", true},        {"weights", weights},     {"gradients", weights}, {"optimizer", optimizer},
            {"activations", activations}, {"dataset", samples}, {"perWorker", total}};
}

struct Plan {
    std::int64_t global = 0, stepsPerEpoch = 0, totalSteps = 0;
};

Result<Plan> planOf(const spec::RunSpec& spec, const data::Dataset& dataset) {
    Plan plan;
    plan.global = spec.globalBatch();
    const std::int64_t samples = dataset.train.size();
    if (plan.global < 1 || plan.global > samples)
        return inputError("a step of " + std::to_string(plan.global) + " samples does not fit "
                              + std::to_string(samples) + " training samples",
                          "batch", "choose a smaller batch or fewer workers");
    plan.stepsPerEpoch = (samples + (spec.batch.dropLast ? 0 : plan.global - 1)) / plan.global;
    plan.totalSteps = spec.steps ? *spec.steps : spec.epochs.value_or(1) * plan.stepsPerEpoch;
    return plan;
}

json batchJson(const spec::RunSpec& spec, const Plan& plan, std::int64_t samples) {
    return {{"perRank", spec.perRankBatch()},        {"workers", spec.scaling.workers},
            {"accumulate", spec.batch.accumulate},   {"global", plan.global},
            {"stepsPerEpoch", plan.stepsPerEpoch},   {"totalSteps", plan.totalSteps},
            {"leftOutPerEpoch", spec.batch.dropLast ? samples % plan.global : 0}};
}

Result<json> rateJson(const spec::RunSpec& spec, const Plan& plan) {
    TY_ASSIGN(const auto optimizer, optim::makeOptimizer(spec.optimizer, {}));
    TY_ASSIGN(const auto course, Course::make(spec, optimizer->lr(), spec.scaling.workers, plan.stepsPerEpoch,
                                              plan.totalSteps));
    json curve = json::array();
    const std::int64_t points = std::min(plan.totalSteps, kCurvePoints);
    for (std::int64_t i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0.0;
        const auto step = static_cast<std::int64_t>(share * static_cast<double>(plan.totalSteps - 1) + 0.5);
        curve.push_back({step, course.lr(step)});
    }
    return curve;
}

} // namespace

Result<std::string> previewJson(const spec::RunSpec& spec) {
    return guarded("preview", [&]() -> Result<std::string> {
        TY_ASSIGN(const TaskKind task, taskFromString(spec.task));
        TY_ASSIGN(const data::Dataset dataset, data::loadDataset(spec.dataset, spec.seed, task));
        TY_TRY(data::checkAugment(spec.augment, dataset));
        TY_ASSIGN(const Plan plan, planOf(spec, dataset));
        TY_ASSIGN(json rates, rateJson(spec, plan));
        TY_TRY(Task::make(spec, dataset));
        const models::ModelContext context{dataset.sampleShape, dataset.classes, dataset.task};
        TY_ASSIGN(const auto model, models::makeModel(spec.model, context));
        TY_ASSIGN(const auto layers, models::summarize(*model, context));
        json preview = samplesJson(spec, dataset);
        preview["model"] = modelJson(spec, *model, layers);
        preview["batch"] = batchJson(spec, plan, dataset.train.size());
        preview["lr"] = std::move(rates);
        preview["memory"] = memoryJson(spec, dataset, *model, layers);
        return preview.dump(-1, ' ', false, json::error_handler_t::replace);
    });
}

} // namespace trainyard::train
