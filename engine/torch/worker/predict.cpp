// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/predict.h"

#include "engine/base/json_text.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/data/token_text.h"
#include "engine/torch/worker/sample_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::train {

using nlohmann::json;

namespace {

// `eachAlone`: every class was learned as a yes or no of its own.
json likeliest(const torch::Tensor& logits, const ModelInfo& info, int top, bool eachAlone) {
    const std::vector<std::string>& names = info.classNames;
    const auto nameOf = [&](std::int64_t index) {
        if (static_cast<std::size_t>(index) >= names.size()) return std::to_string(index);
        if (info.task != TaskKind::Language) return names[static_cast<std::size_t>(index)];
        return data::shownToken(index, names, info.tokens);
    };
    const auto wide = logits.to(torch::kFloat32);
    const auto [values, indices] = (eachAlone ? torch::sigmoid(wide) : torch::softmax(wide, 0))
                                       .topk(std::min<std::int64_t>(std::max(1, top), logits.size(0)));
    json list = json::array();
    for (std::int64_t i = 0; i < values.size(0); ++i) {
        const auto index = indices[i].item<std::int64_t>();
        const auto at = static_cast<std::size_t>(index);
        list.push_back({{"class", nameOf(index)}, {"index", index}, {"probability", values[i].item<double>()}});
        if (info.task != TaskKind::MultiLabel) continue;
        const double threshold = at < info.thresholds.size() ? info.thresholds[at] : 0.5;
        list.back()["threshold"] = threshold;
        list.back()["given"] = values[i].item<double>() >= threshold;
    }
    return list;
}

json targetsOf(const torch::Tensor& output, const ModelInfo& info) {
    json list = json::array();
    for (std::int64_t i = 0; i < output.size(0); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool scaled = at < info.targetMean.size();
        const double value = output[i].item<double>() * (scaled ? info.targetStddev[at] : 1.0);
        list.push_back({{"name", at < info.classNames.size() ? info.classNames[at] : std::to_string(i)},
                        {"value", scaled ? value + info.targetMean[at] : value},
                        {"digits", scaled ? digitsOf(info.targetMean[at], info.targetStddev[at]) : digitsOf(0, 1)}});
    }
    return list;
}

// The tokens that follow a text; the model is shown no more of it than it was trained on at once.
torch::Tensor continued(const TrainedModel& trained, const torch::Tensor& text, const PredictOptions& options) {
    auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(options.seed));
    const std::int64_t longest = trained.context.sampleShape.front();
    torch::Tensor tokens = text;
    for (int i = 0; i < options.continueBy; ++i) {
        const torch::Tensor shown = tokens.slice(0, std::max<std::int64_t>(0, tokens.size(0) - longest));
        const torch::Tensor logits = trained.model->forward(shown.unsqueeze(0))[0][-1].to(torch::kFloat32);
        const torch::Tensor next =
            options.temperature > 0
                ? torch::multinomial(torch::softmax(logits / options.temperature, 0), 1, false, generator)
                : logits.argmax(0, /*keepdim=*/true);
        tokens = torch::cat({tokens, next});
    }
    return tokens.slice(0, text.size(0));
}

} // namespace

json answerOf(const Sample& sample, torch::Tensor output, const TrainedModel& trained, const PredictOptions& options) {
    const ModelInfo& info = trained.state.modelInfo;
    json one = {{"input", sample.name}};
    if (sample.label && static_cast<std::size_t>(*sample.label) < info.classNames.size())
        one["label"] = info.classNames[static_cast<std::size_t>(*sample.label)];
    else if (!sample.labelText.empty()) one["label"] = sample.labelText;
    for (std::size_t i = 0; i < sample.targets.size() && i < info.classNames.size(); ++i)
        one["targets"].push_back({{"name", info.classNames[i]}, {"value", sample.targets[i]}});
    if (options.seen && sample.seen.defined())
        one["seen"] = {{"channels", sample.seen.size(0)},
                       {"height", thumbnailSide(info.sampleShape, 1)},
                       {"width", thumbnailSide(info.sampleShape, 2)},
                       {"pixels", pixelsOf(sample.seen)}};
    const bool writes = info.task == TaskKind::Language;
    if (writes) output = output[-1];
    if (writes && options.continueBy > 0)
        one["continuation"] = textOf(info.classNames, info.tokens, continued(trained, sample.input, options));
    const bool shares = trained.spec.loss.name == "bce";
    if (info.task == TaskKind::Regression) one["outputs"] = targetsOf(shares ? torch::sigmoid(output) : output, info);
    else
        one["predictions"] = likeliest(
            output, info, info.task == TaskKind::MultiLabel ? static_cast<int>(output.size(0)) : options.top, shares);
    return one;
}

Result<json> predictions(const TrainedModel& trained, KeptDataset& datasets, const std::vector<std::string>& inputs,
                         const PredictOptions& options) {
    const torch::NoGradGuard noGradients;
    if (trained.model->leastBatch() > 1)
        return inputError("the model takes " + std::to_string(trained.model->leastBatch()) +
                              " samples at least, and a prediction is of one",
                          "model", "train a module that takes a single sample in evaluation mode");
    json list = json::array();
    SampleReader reader(trained, datasets);
    for (const std::string& input : inputs)
        TY_TRY(reader.read(input, [&](const Sample& sample) {
            list.push_back(answerOf(sample, trained.model->forward(sample.input.unsqueeze(0))[0], trained, options));
        }));
    return json{{"task", toString(trained.state.modelInfo.task)}, {"inputs", std::move(list)}};
}

Result<std::string> predictJson(const std::filesystem::path& checkpoint, const std::vector<std::string>& inputs,
                                const PredictOptions& options) {
    return guarded("predict", [&]() -> Result<std::string> {
        TY_ASSIGN(const TrainedModel trained, loadTrained(checkpoint));
        KeptDataset datasets;
        TY_ASSIGN(const json answer, predictions(trained, datasets, inputs, options));
        return jsonText(answer, 2);
    });
}

} // namespace trainyard::train
