// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/preview.h"

#include "engine/torch/course.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/guard.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/task.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kThumbnails = 40, kPoints = 400, kCurvePoints = 200;

std::string base64(std::span<const std::uint8_t> bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = (word << 8) | (k < left ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += k <= left ? kDigits[(word >> (18 - 6 * k)) & 63u] : '=';
    }
    return text;
}

std::vector<std::int64_t> classCounts(const data::Split& split, std::int64_t classes) {
    const torch::Tensor counts = torch::bincount(split.targets, {}, classes);
    const std::int64_t* first = counts.data_ptr<std::int64_t>();
    return {first, first + classes};
}

json dataJson(const spec::RunSpec& spec, const data::Dataset& dataset) {
    const auto train = classCounts(dataset.train, dataset.classes);
    const auto validation = classCounts(dataset.validation, dataset.classes);
    json classes = json::array();
    for (std::size_t c = 0; c < dataset.classNames.size(); ++c)
        classes.push_back({{"name", dataset.classNames[c]}, {"train", train[c]}, {"validation", validation[c]}});
    return {{"name", spec.dataset.name},         {"source", dataset.source},
            {"train", dataset.train.size()},     {"validation", dataset.validation.size()},
            {"shape", dataset.sampleShape},      {"classes", std::move(classes)}};
}

// The first samples of each class in turn, so that each is seen.
std::vector<std::int64_t> fewOfEachClass(const data::Dataset& dataset, std::int64_t most) {
    const std::int64_t each = std::max<std::int64_t>(1, most / dataset.classes);
    std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(dataset.classes));
    const std::int64_t* target = dataset.train.targets.data_ptr<std::int64_t>();
    std::int64_t missing = each * dataset.classes;
    for (std::int64_t i = 0; i < dataset.train.size() && missing > 0; ++i) {
        auto& list = found[static_cast<std::size_t>(target[i])];
        if (static_cast<std::int64_t>(list.size()) == each) continue;
        list.push_back(i);
        --missing;
    }
    std::vector<std::int64_t> samples;
    for (const auto& list : found) samples.insert(samples.end(), list.begin(), list.end());
    if (static_cast<std::int64_t>(samples.size()) > most) samples.resize(static_cast<std::size_t>(most));
    return samples;
}

json thumbnailsJson(const data::Dataset& dataset) {
    if (dataset.sampleShape.size() != 3) return nullptr;
    json items = json::array();
    for (const std::int64_t sample : fewOfEachClass(dataset, kThumbnails)) {
        // [C, H, W] -> [H, W, C], as pictures are drawn
        const torch::Tensor pixels = dataset.train.inputs[sample].permute({1, 2, 0}).contiguous();
        items.push_back({{"class", dataset.train.targets[sample].item<std::int64_t>()},
                         {"pixels", base64({pixels.data_ptr<std::uint8_t>(), pixels.nbytes()})}});
    }
    return {{"channels", dataset.sampleShape[0]}, {"height", dataset.sampleShape[1]},
            {"width", dataset.sampleShape[2]},    {"items", std::move(items)}};
}

json pointsJson(const data::Dataset& dataset) {
    if (dataset.sampleShape != std::vector<std::int64_t>{2}) return nullptr;
    json points = json::array();
    for (const std::int64_t sample : fewOfEachClass(dataset, kPoints)) {
        const float* at = dataset.train.inputs.data_ptr<float>() + 2 * sample;
        points.push_back({at[0], at[1], dataset.train.targets[sample].item<std::int64_t>()});
    }
    return points;
}

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
    for (const data::Split* split : {&dataset.train, &dataset.validation})
        samples += static_cast<std::int64_t>(split->inputs.nbytes() + split->targets.nbytes());
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
    plan.stepsPerEpoch = samples / plan.global;
    plan.totalSteps = spec.steps ? *spec.steps : spec.epochs.value_or(1) * plan.stepsPerEpoch;
    return plan;
}

json batchJson(const spec::RunSpec& spec, const Plan& plan, std::int64_t samples) {
    return {{"perRank", spec.perRankBatch()},        {"workers", spec.scaling.workers},
            {"accumulate", spec.batch.accumulate},   {"global", plan.global},
            {"stepsPerEpoch", plan.stepsPerEpoch},   {"totalSteps", plan.totalSteps},
            {"leftOutPerEpoch", samples - plan.stepsPerEpoch * plan.global}};
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
        TY_ASSIGN(const Plan plan, planOf(spec, dataset));
        TY_ASSIGN(json rates, rateJson(spec, plan));
        TY_TRY(Task::make(spec, dataset));
        const models::ModelContext context{dataset.sampleShape, dataset.classes, dataset.task};
        TY_ASSIGN(const auto model, models::makeModel(spec.model, context));
        TY_ASSIGN(const auto layers, models::summarize(*model, context));
        const json preview = {{"data", dataJson(spec, dataset)},
                              {"thumbnails", thumbnailsJson(dataset)},
                              {"points", pointsJson(dataset)},
                              {"model", modelJson(spec, *model, layers)},
                              {"batch", batchJson(spec, plan, dataset.train.size())},
                              {"lr", std::move(rates)},
                              {"memory", memoryJson(spec, dataset, *model, layers)}};
        return preview.dump(-1, ' ', false, json::error_handler_t::replace);
    });
}

} // namespace trainyard::train
