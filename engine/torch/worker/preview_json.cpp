// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_json.h"

#include "engine/base/json_text.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/balanced_order.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/trainer/learner/adapters.h"
#include "engine/torch/trainer/learner/trained_parts.h"
#include "engine/torch/trainer/learner/training_policy.h"
#include "engine/torch/trainer/task/task.h"
#include "engine/torch/weights/load_weights.h"
#include "engine/torch/worker/checkpoint_fit.h"
#include "engine/torch/worker/preview_memory.h"
#include "engine/torch/worker/preview_samples.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kCurvePoints = 200;

// The parts of the model that can be frozen one by one.
json blocksJson(const models::Model& model, const std::set<std::string>& frozen) {
    std::vector<std::string> names;
    for (const auto& [name, parameter] : optim::namedParameters(model)) names.push_back(name);
    const auto blocks = blockOfEach(names);
    json rows = json::array();
    std::size_t i = 0;
    for (const auto& [name, parameter] : optim::namedParameters(model)) {
        const std::string& block = blocks[i++];
        auto row = std::find_if(rows.begin(), rows.end(), [&](const json& each) { return each["name"] == block; });
        if (row == rows.end()) {
            rows.push_back({{"name", block}, {"parameters", 0}, {"frozen", 0}});
            row = rows.end() - 1;
        }
        (*row)["parameters"] = (*row)["parameters"].get<std::int64_t>() + parameter.numel();
        if (frozen.contains(name)) (*row)["frozen"] = (*row)["frozen"].get<std::int64_t>() + parameter.numel();
    }
    return rows;
}

json modelJson(const spec::RunSpec& spec, const models::Model& model, const std::vector<models::LayerInfo>& layers,
               const std::set<std::string>& frozen) {
    json rows = json::array();
    for (const models::LayerInfo& layer : layers)
        rows.push_back({{"name", layer.name},
                        {"kind", layer.kind},
                        {"shape", layer.outputShape},
                        {"parameters", layer.parameters}});
    return {{"name", spec.model.name},
            {"parameters", models::parameterCount(model)},
            {"layers", std::move(rows)},
            {"head", models::headNameOf(model)},
            {"blocks", blocksJson(model, frozen)},
            {"notices", model.notices()}};
}

struct Plan {
    std::int64_t global = 0, stepsPerEpoch = 0, totalSteps = 0;
};

Result<Plan> planOf(const spec::RunSpec& spec, const data::Dataset& dataset) {
    Plan plan;
    plan.global = spec.globalBatch();
    const std::int64_t samples = dataset.train.size();
    if (plan.global < 1 || plan.global > samples)
        return inputError("a step of " + std::to_string(plan.global) + " samples does not fit " +
                              std::to_string(samples) + " training samples",
                          "batch", "choose a smaller batch or fewer workers")
            .withCode(ErrorCode::FieldInvalid);
    plan.stepsPerEpoch = (samples + (spec.batch.dropLast ? 0 : plan.global - 1)) / plan.global;
    plan.totalSteps = spec.steps ? *spec.steps : spec.epochs.value_or(1) * plan.stepsPerEpoch;
    return plan;
}

json batchJson(const spec::RunSpec& spec, const Plan& plan, std::int64_t samples) {
    return {{"perRank", spec.perRankBatch()},
            {"workers", spec.scaling.workers},
            {"accumulate", spec.batch.accumulate},
            {"global", plan.global},
            {"stepsPerEpoch", plan.stepsPerEpoch},
            {"totalSteps", plan.totalSteps},
            {"leftOutPerEpoch", spec.batch.dropLast ? samples % plan.global : 0}};
}

Result<json> rateJson(const spec::RunSpec& spec, const Plan& plan) {
    TY_ASSIGN(const auto optimizer, optim::makeOptimizer(spec.optimizer, {}));
    TY_ASSIGN(const auto course, TrainingPolicy::make(spec, optimizer->lr(), spec.scaling.workers,
                                                      {.perEpoch = plan.stepsPerEpoch, .total = plan.totalSteps}));
    json curve = json::array();
    const std::int64_t points = std::min(plan.totalSteps, kCurvePoints);
    for (std::int64_t i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0.0;
        const auto step = static_cast<std::int64_t>(share * static_cast<double>(plan.totalSteps - 1) + 0.5);
        curve.push_back({step, course.lr(step)});
    }
    return curve;
}

// The parameters that are frozen at first.
Result<std::set<std::string>> frozenOf(const spec::RunSpec& spec, const models::Model& model) {
    std::vector<std::string> names;
    for (const auto& [name, parameter] : optim::namedParameters(model)) names.push_back(name);
    TY_ASSIGN(const auto parts, trainedPartsOf(spec.finetune, names, models::headNameOf(model)));
    return parts.frozen;
}

// How the file of weights fits; the model then has them.
Result<json> weightsJson(const spec::RunSpec& spec, const data::Dataset& dataset, models::Model& model,
                         const models::ModelContext& context) {
    TY_ASSIGN(const auto report,
              weights::loadWeights(model, spec.weights.file,
                                   {spec.model.name, context, dataset.classNames, spec.weights.head}));
    json told = parseSortedJson(weights::jsonOf(report));
    told["lines"] = weights::linesOf(report);
    return told;
}

// Whether the run can begin with the checkpoint, and if so, what is new to it in the data.
json checkpointJson(const std::string& file, const spec::RunSpec& spec, const data::Dataset& dataset,
                    models::Model& model) {
    const auto state = loadCheckpoint(file);
    const auto fits = state ? checkFit(*state, model, spec, file) : Result<void>(state.error());
    json answer = {{"file", file}, {"fits", fits.ok()}, {"why", nullptr}, {"remedy", nullptr}, {"changed", nullptr}};
    if (!fits) {
        answer["why"] = fits.error().message;
        answer["remedy"] = fits.error().remedy;
    } else if (const auto changes = compareData(state->modelInfo, modelInfoOf(dataset, spec)); !changes.empty()) {
        answer["changed"] = textOf(changes);
    }
    return answer;
}

} // namespace

Result<std::string> previewJson(const spec::RunSpec& spec, const std::string& checkpoint, std::int64_t* samples) {
    return guarded("preview", [&]() -> Result<std::string> {
        TY_ASSIGN(const TaskKind task, taskFromString(spec.task));
        TY_ASSIGN(const data::Dataset dataset, data::glanceAtDataset(spec.dataset, spec.seed, task, spec.data));
        if (samples) *samples = dataset.train.size();
        TY_TRY(data::checkAugment(spec.augment, dataset));
        TY_TRY(data::checkBalance(spec, dataset));
        TY_ASSIGN(const Plan plan, planOf(spec, dataset));
        TY_ASSIGN(json rates, rateJson(spec, plan));
        TY_TRY(Task::make(spec, dataset));
        const models::ModelContext context{dataset.sampleShape, dataset.classes, dataset.task};
        TY_ASSIGN(const auto model, models::makeModel(spec.model, context));
        TY_TRY(models::setRecompute(*model, spec.tuning.recompute));
        TY_ASSIGN(const auto layers, models::summarize(*model, context));
        json preview = samplesJson(spec, dataset);
        preview["batch"] = batchJson(spec, plan, dataset.train.size());
        preview["lr"] = std::move(rates);
        if (!spec.weights.file.empty()) { TY_ASSIGN(preview["weights"], weightsJson(spec, dataset, *model, context)); }
        const std::int64_t parameters = models::parameterCount(*model); // without those that adapters add
        TY_TRY(addAdapters(*model, spec.finetune.lora, spec.seed));
        TY_ASSIGN(const auto frozen, frozenOf(spec, *model));
        preview["model"] = modelJson(spec, *model, layers, frozen);
        preview["model"]["parameters"] = parameters;
        TY_ASSIGN(preview["memory"], memoryJson(spec, dataset, *model, layers, frozen));
        preview["frozen"] = frozen;
        if (!checkpoint.empty()) preview["checkpoint"] = checkpointJson(checkpoint, spec, dataset, *model);
        return jsonText(preview);
    });
}

} // namespace trainyard::train
