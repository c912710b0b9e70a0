// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_samples.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <span>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kThumbnails = 40, kThumbnailSide = 128, kPoints = 400, kColumns = 24, kRows = 12, kTexts = 8;

bool hasClasses(const data::Dataset& dataset) { return dataset.task == TaskKind::Classification; }

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
    if (split.size() == 0) return std::vector<std::int64_t>(static_cast<std::size_t>(classes));
    const torch::Tensor counts = torch::bincount(split.targets, {}, classes);
    const std::int64_t* first = counts.data_ptr<std::int64_t>();
    return {first, first + classes};
}

json classesJson(const data::Dataset& dataset) {
    json classes = json::array();
    if (!hasClasses(dataset)) return classes;
    const auto train = classCounts(dataset.train, dataset.classes);
    const auto validation = classCounts(dataset.validation, dataset.classes);
    for (std::size_t c = 0; c < dataset.classNames.size(); ++c)
        classes.push_back({{"name", dataset.classNames[c]}, {"train", train[c]}, {"validation", validation[c]}});
    return classes;
}

json targetsJson(const data::Dataset& dataset) {
    json targets = json::array();
    if (dataset.task != TaskKind::Regression) return targets;
    const torch::Tensor values = dataset.train.targets.to(torch::kFloat64);
    const torch::Tensor mean = values.mean(0), stddev = values.std(0, /*unbiased=*/false);
    for (std::size_t k = 0; k < dataset.classNames.size(); ++k) {
        const auto at = static_cast<std::int64_t>(k);
        targets.push_back({{"name", dataset.classNames[k]},
                           {"mean", mean[at].item<double>()},
                           {"stddev", stddev[at].item<double>()}});
    }
    return targets;
}

json dataJson(const spec::RunSpec& spec, const data::Dataset& dataset) {
    return {{"name", spec.dataset.name},
            {"source", dataset.source},
            {"task", toString(dataset.task)},
            {"train", dataset.train.size()},
            {"validation", dataset.validation.size()},
            {"test", dataset.test.size()},
            {"shape", dataset.sampleShape},
            {"classes", classesJson(dataset)},
            {"targets", targetsJson(dataset)},
            {"vocabulary", dataset.task == TaskKind::Language ? dataset.classes : 0}};
}

// The first samples of each class in turn, so that each is seen; without classes the first ones.
std::vector<std::int64_t> someSamples(const data::Dataset& dataset, std::int64_t most) {
    std::vector<std::int64_t> samples(static_cast<std::size_t>(std::min(most, dataset.train.size())));
    std::iota(samples.begin(), samples.end(), 0);
    if (!hasClasses(dataset)) return samples;
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
    samples.clear();
    for (const auto& list : found) samples.insert(samples.end(), list.begin(), list.end());
    if (static_cast<std::int64_t>(samples.size()) > most) samples.resize(static_cast<std::size_t>(most));
    return samples;
}

json thumbnailsJson(const data::Dataset& dataset) {
    if (dataset.sampleShape.size() != 3 || !hasClasses(dataset)) return nullptr;
    const std::int64_t step = (std::max(dataset.sampleShape[1], dataset.sampleShape[2]) - 1) / kThumbnailSide + 1;
    const auto thinned = [&](std::size_t side) { return (dataset.sampleShape[side] + step - 1) / step; };
    json items = json::array();
    for (const std::int64_t sample : someSamples(dataset, kThumbnails)) {
        const torch::Tensor whole = dataset.train.inputs[sample];
        const torch::Tensor small = whole.slice(1, 0, whole.size(1), step).slice(2, 0, whole.size(2), step);
        // [C, H, W] -> [H, W, C], as images are drawn
        const torch::Tensor pixels = small.permute({1, 2, 0}).contiguous();
        items.push_back({{"class", dataset.train.targets[sample].item<std::int64_t>()},
                         {"pixels", base64({pixels.data_ptr<std::uint8_t>(), pixels.nbytes()})}});
    }
    return {{"channels", dataset.sampleShape[0]},
            {"height", thinned(1)},
            {"width", thinned(2)},
            {"items", std::move(items)}};
}

json pointsJson(const data::Dataset& dataset) {
    if (dataset.sampleShape != std::vector<std::int64_t>{2} || !hasClasses(dataset)) return nullptr;
    json points = json::array();
    for (const std::int64_t sample : someSamples(dataset, kPoints)) {
        const float* at = dataset.train.inputs.data_ptr<float>() + 2 * sample;
        points.push_back({at[0], at[1], dataset.train.targets[sample].item<std::int64_t>()});
    }
    return points;
}

std::string numberText(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", number);
    return text.data();
}

std::string targetText(const data::Dataset& dataset, std::int64_t sample) {
    if (hasClasses(dataset))
        return dataset.classNames[static_cast<std::size_t>(dataset.train.targets[sample].item<std::int64_t>())];
    std::string text;
    for (std::int64_t k = 0; k < dataset.classes; ++k)
        text += (k > 0 ? ", " : "") + numberText(dataset.train.targets[sample][k].item<double>());
    return text;
}

json tableJson(const data::Dataset& dataset) {
    if (dataset.sampleShape.size() != 1 || dataset.task == TaskKind::Language) return nullptr;
    const auto columns = static_cast<std::size_t>(std::min(kColumns, dataset.sampleShape[0]));
    json names = json::array(), rows = json::array();
    for (std::size_t f = 0; f < columns; ++f) {
        const bool named = f < dataset.featureNames.size();
        names.push_back(named ? dataset.featureNames[f] : std::to_string(f + 1).insert(0, 1, 'x'));
    }
    for (const std::int64_t sample : someSamples(dataset, kRows)) {
        const float* at = dataset.train.inputs.data_ptr<float>() + dataset.sampleShape[0] * sample;
        json values = json::array();
        for (std::size_t f = 0; f < columns; ++f) {
            const bool changed = f < dataset.mean.size();
            const double raw = static_cast<double>(at[f]) * (changed ? dataset.stddev[f] : 1.0);
            values.push_back(std::stod(numberText(raw + (changed ? dataset.mean[f] : 0.0)))); // 5.1, not 5.0999999
        }
        rows.push_back({{"values", std::move(values)}, {"target", targetText(dataset, sample)}});
    }
    return {{"columns", std::move(names)}, {"rows", std::move(rows)}};
}

json textJson(const data::Dataset& dataset) {
    if (dataset.task != TaskKind::Language) return nullptr;
    json samples = json::array();
    for (const std::int64_t sample : someSamples(dataset, kTexts)) {
        const torch::Tensor tokens = dataset.train.inputs[sample].contiguous();
        std::string text;
        for (const std::int64_t token :
             std::span(tokens.data_ptr<std::int64_t>(), static_cast<std::size_t>(tokens.numel())))
            text += dataset.classNames[static_cast<std::size_t>(token)];
        samples.push_back(std::move(text));
    }
    return samples;
}

} // namespace

json samplesJson(const spec::RunSpec& spec, const data::Dataset& dataset) {
    return {{"data", dataJson(spec, dataset)},
            {"thumbnails", thumbnailsJson(dataset)},
            {"points", pointsJson(dataset)},
            {"table", tableJson(dataset)},
            {"text", textJson(dataset)}};
}

} // namespace trainyard::train
