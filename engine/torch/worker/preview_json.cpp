// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_json.h"

#include "engine/base/json_text.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/torch/base/device.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/balanced_order.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/models/model.h"
#include "engine/torch/models/recompute.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/optim/update_rule.h"
#include "engine/torch/trainer/checkpoint_writer.h"
#include "engine/torch/trainer/learner/adapters.h"
#include "engine/torch/trainer/learner/trained_parts.h"
#include "engine/torch/trainer/learner/training_policy.h"
#include "engine/torch/trainer/task/task.h"
#include "engine/torch/weights/load_weights.h"
#include "engine/torch/worker/checkpoint_fit.h"
#include "engine/torch/worker/preview_samples.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kCurvePoints = 200;

json modelJson(const spec::RunSpec& spec, const models::Model& model, const std::vector<models::LayerInfo>& layers) {
    json rows = json::array();
    for (const models::LayerInfo& layer : layers)
        rows.push_back({{"name", layer.name},
                        {"kind", layer.kind},
                        {"shape", layer.outputShape},
                        {"parameters", layer.parameters}});
    return {{"name", spec.model.name},
            {"parameters", models::parameterCount(model)},
            {"layers", std::move(rows)},
            {"notices", model.notices()}};
}

// How many workers each host gets; this computer is "local".
std::map<std::string, std::int64_t> workersOfHosts(const spec::RunSpec& spec) {
    std::map<std::string, std::int64_t> counts;
    const int workers = static_cast<int>(spec.scaling.workers);
    for (int rank = 0; rank < workers; ++rank) {
        const std::string host = spec::hostOfRank(spec.hosts, rank, workers);
        ++counts[host.empty() ? "local" : host];
    }
    return counts;
}

// As makeAverager() decides, as far as it can be told before the run. `most`: workers of one host.
bool averagesInSharedMemory(const spec::RunSpec& spec, const models::Model& model, std::int64_t most) {
    const auto& kind = spec.scaling.averaging;
    if (spec.scaling.workers < 2 || (kind != "shared" && (kind != "auto" || most < 2))) return false;
    const auto device = chooseDevice(spec.scaling, 0, static_cast<int>(most));
    const auto parameters = model.parameters();
    return device && device->device.is_cpu() && !parameters.empty() &&
           std::all_of(parameters.begin(), parameters.end(),
                       [](const auto& parameter) { return parameter.scalar_type() == torch::kFloat; });
}

Result<json> memoryJson(const spec::RunSpec& spec, const data::Dataset& dataset, const models::Model& model,
                        const std::vector<models::LayerInfo>& layers) {
    TY_ASSIGN(const auto rule, optim::makeUpdateRule(spec.optimizer));
    const std::int64_t weights = models::parameterCount(model) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t optimizer = weights * static_cast<std::int64_t>(rule->slots().size());
    const std::int64_t state = weights + optimizer, workers = spec.scaling.workers;
    // Each layer's output is kept for backward, and its gradient is made there.
    const std::int64_t activations = 2 * models::activationBytes(layers) * spec.perRankBatch();
    // What is streamed: the batches that are decoded ahead, and the one that is used.
    std::int64_t samples = 0, ofPicture = dataset.train.source ? dataset.train.source->sampleBytes() : 0;
    if (dataset.streams) samples = (data::BatchLoader::kAhead + 1) * spec.perRankBatch() * ofPicture;
    else
        for (const data::Split* split : {&dataset.train, &dataset.validation, &dataset.test}) samples += split->bytes();

    const auto counts = workersOfHosts(spec);
    std::int64_t most = 1;
    for (const auto& [host, count] : counts) most = std::max(most, count);
    const bool shares = averagesInSharedMemory(spec, model, most);
    const bool saves = savesOnTheWay(spec.checkpoint), rollsBack = spec.failure.nonFinite == "rollback";
    // In shared memory the copy that a step writes, and the gradients of the host's other workers; else a second copy
    // of the gradients while they are averaged.
    const std::int64_t averaging = shares ? state + (most - 1) * weights : weights;
    const std::int64_t average = spec.ema > 0 ? weights : 0;
    const std::int64_t checkpoint = saves || rollsBack ? state + average : 0;
    const std::int64_t own = activations + (dataset.oneCopyAHost ? 0 : samples) + average;
    const std::int64_t shared = dataset.oneCopyAHost ? samples : 0;
    // All together: what the workers of a host share is there once. Copies that are not pinned in it are rank 0's, and
    // each worker's where it may have to go back to one.
    const auto hosts = static_cast<std::int64_t>(counts.size());
    const std::int64_t keepers = !saves && !rollsBack ? 0 : rollsBack ? workers : 1;
    const std::int64_t kept = shares && saves ? hosts * state + keepers * average : keepers * checkpoint;
    const std::int64_t averaged = shares ? hosts * 2 * state + workers * weights : workers * (2 * weights + state);
    return json{{"estimated", true},
                {"weights", weights},
                {"gradients", weights},
                {"optimizer", optimizer},
                {"averaging", averaging},
                {"average", average},
                {"checkpoint", checkpoint},
                {"activations", activations},
                {"dataset", samples},
                {"perWorker", weights + state + averaging + checkpoint + own + shared},
                {"allWorkers", workers * own + hosts * shared + averaged + kept}};
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
    TY_ASSIGN(const auto course,
              TrainingPolicy::make(spec, optimizer->lr(), spec.scaling.workers, plan.stepsPerEpoch, plan.totalSteps));
    json curve = json::array();
    const std::int64_t points = std::min(plan.totalSteps, kCurvePoints);
    for (std::int64_t i = 0; i < points; ++i) {
        const double share = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0.0;
        const auto step = static_cast<std::int64_t>(share * static_cast<double>(plan.totalSteps - 1) + 0.5);
        curve.push_back({step, course.lr(step)});
    }
    return curve;
}

// The names of the parameters that are frozen at first.
Result<json> frozenJson(const spec::RunSpec& spec, const models::Model& model) {
    std::vector<std::string> names;
    for (const auto& [name, parameter] : optim::namedParameters(model)) names.push_back(name);
    TY_ASSIGN(const auto parts, trainedPartsOf(spec.finetune, names, models::headNameOf(model)));
    return json(parts.frozen);
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
        preview["model"] = modelJson(spec, *model, layers);
        preview["batch"] = batchJson(spec, plan, dataset.train.size());
        preview["lr"] = std::move(rates);
        TY_ASSIGN(preview["memory"], memoryJson(spec, dataset, *model, layers));
        if (!spec.weights.file.empty()) { TY_ASSIGN(preview["weights"], weightsJson(spec, dataset, *model, context)); }
        TY_TRY(addAdapters(*model, spec.finetune.lora, spec.seed));
        TY_ASSIGN(preview["frozen"], frozenJson(spec, *model));
        if (!checkpoint.empty()) preview["checkpoint"] = checkpointJson(checkpoint, spec, dataset, *model);
        return jsonText(preview);
    });
}

} // namespace trainyard::train
