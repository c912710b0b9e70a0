// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/checkpoint/data_pin.h"

#include "engine/torch/data/split.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace trainyard::train {
namespace {

using Kind = DataDifference::Kind;
using Names = std::vector<std::string>;

// Means that are as near as this are told by the change of the files alone, if by anything.
constexpr double kShift = 0.25, kStretch = 1.25; // of the deviation of then; its ratio
constexpr double kLeast = 1e-12;                 // deviation of a column that counts as constant
constexpr std::size_t kMostColumns = 5;

Names without(const Names& names, const Names& others) {
    const std::set<std::string> taken(others.begin(), others.end());
    Names left;
    std::copy_if(names.begin(), names.end(), std::back_inserter(left),
                 [&](const std::string& name) { return !taken.contains(name); });
    return left;
}

std::string counted(const char* one, const char* many, const Names& names) {
    return std::string(names.size() == 1 ? one : many) + " " + data::shownNames(names);
}

// Empty: they are the same, in the same order.
std::string namesText(const Names& before, const Names& now, const char* one, const char* many) {
    if (before == now) return {};
    const Names gone = without(before, now), added = without(now, before);
    if (gone.empty() && added.empty()) return std::string("the ") + many + " are in another order";
    std::string text;
    if (!gone.empty()) text = "the " + counted(one, many, gone) + (gone.size() == 1 ? " is gone" : " are gone");
    if (!added.empty())
        text += (text.empty() ? "the " + counted(one, many, added) : ", and " + data::shownNames(added)) +
                (added.size() == 1 ? " is new" : " are new");
    return text;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t side : shape) text += (text.empty() ? "" : " x ") + std::to_string(side);
    return text;
}

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

struct Moments {
    const std::vector<double>&mean, &stddev;
};

// Columns or channels whose numbers are of another size than then.
std::string momentsText(const Moments& before, const Moments& now, const Names& names) {
    const std::size_t count = before.mean.size();
    if (before.stddev.size() != count || now.mean.size() != count || now.stddev.size() != count) return {};
    std::string text;
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double deviation = std::max(before.stddev[i], kLeast);
        const double ratio = std::max(now.stddev[i], kLeast) / deviation;
        const bool near = std::abs(now.mean[i] - before.mean[i]) <= kShift * deviation;
        if ((near && ratio <= kStretch && ratio >= 1 / kStretch) || ++found > kMostColumns) continue;
        const std::string name = i < names.size() ? data::shownNames({names[i]}) : "channel " + std::to_string(i + 1);
        text += (text.empty() ? "" : "; ") + name + " has the mean " + numberText(now.mean[i]) + " and deviation " +
                numberText(now.stddev[i]) + ", and had " + numberText(before.mean[i]) + " and " +
                numberText(before.stddev[i]);
    }
    if (found > kMostColumns) text += "; and " + std::to_string(found - kMostColumns) + " more";
    return text;
}

std::string countsText(const DataPin& before, const DataPin& now) {
    const auto all = [](const DataPin& pin) { return pin.train + pin.validation + pin.test; };
    if (before.train == now.train && before.validation == now.validation && before.test == now.test) return {};
    if (all(before) != all(now))
        return "it has " + std::to_string(all(now)) + " samples, and had " + std::to_string(all(before));
    return "its samples are divided into " + std::to_string(now.train) + ", " + std::to_string(now.validation) +
           " and " + std::to_string(now.test) + ", and were into " + std::to_string(before.train) + ", " +
           std::to_string(before.validation) + " and " + std::to_string(before.test);
}

// What the outputs stand for, as one word and as many.
std::pair<const char*, const char*> outputWords(TaskKind task) {
    switch (task) {
    case TaskKind::Classification: return {"class", "classes"};
    case TaskKind::Regression: return {"target", "targets"};
    case TaskKind::Language: return {"token", "tokens"};
    case TaskKind::MultiLabel: return {"label", "labels"};
    }
    return {"output", "outputs"};
}

std::vector<std::string> misfits(const ModelInfo& before, const ModelInfo& now) {
    std::vector<std::string> texts;
    if (before.sampleShape.empty()) return texts; // a checkpoint that tells nothing
    if (before.task != now.task)
        texts.push_back(std::string("it serves ") + toString(now.task) + ", and was used for " + toString(before.task));
    const auto [one, many] = outputWords(now.task);
    texts.push_back(namesText(before.classNames, now.classNames, one, many));
    if (before.pin.known()) texts.push_back(namesText(before.pin.features, now.pin.features, "column", "columns"));
    const bool sameSize = before.sampleShape == now.sampleShape;
    if (!sameSize && texts.back().empty())
        texts.push_back("a sample is " + shapeText(now.sampleShape) + ", and was " + shapeText(before.sampleShape));
    std::erase(texts, std::string());
    return texts;
}

// Of the data itself, which may have been brought into other units.
Moments measured(const ModelInfo& info) {
    if (info.pin.mean.empty()) return {info.mean, info.stddev};
    return {info.pin.mean, info.pin.stddev};
}

std::vector<std::string> changes(const ModelInfo& before, const ModelInfo& now) {
    std::vector<std::string> texts{
        momentsText(measured(before), measured(now), now.pin.features),
        momentsText({before.targetMean, before.targetStddev}, {now.targetMean, now.targetStddev}, now.classNames)};
    if (before.pin.known()) {
        texts.push_back(countsText(before.pin, now.pin));
        std::erase(texts, std::string());
        if (texts.empty() && before.pin.digest != now.pin.digest)
            texts.emplace_back(before.pin.dataset != now.pin.dataset ? "it is another dataset"
                                                                     : "its files have changed");
    }
    std::erase(texts, std::string());
    return texts;
}

// Of features that are used as they are; what is standardised has its own.
void measure(const torch::Tensor& features, DataPin& pin) {
    constexpr std::int64_t kMostNumbers = std::int64_t{1} << 27;
    if (features.dim() != 2 || features.scalar_type() != torch::kFloat32 || features.numel() > kMostNumbers) return;
    const torch::Tensor wide = features.to(torch::kFloat64);
    const auto listOf = [](const torch::Tensor& numbers) {
        return std::vector<double>(numbers.data_ptr<double>(), numbers.data_ptr<double>() + numbers.numel());
    };
    pin.mean = listOf(wide.mean(0));
    pin.stddev = listOf(wide.std(0, /*unbiased=*/false));
}

// (x - mean) / stddev of one pair becomes that of another.
void rescale(torch::Tensor& values, const Moments& from, const Moments& to) {
    const auto row = [&](const std::vector<double>& numbers) {
        return torch::tensor(numbers, torch::kFloat64).to(values.device());
    };
    values = values.to(torch::kFloat64)
                 .mul_(row(from.stddev))
                 .add_(row(from.mean))
                 .sub_(row(to.mean))
                 .div_(row(to.stddev))
                 .to(torch::kFloat32);
}

} // namespace

ModelInfo modelInfoOf(const data::Dataset& dataset, const spec::RunSpec& spec) {
    ModelInfo info{dataset.sampleShape, dataset.classes, dataset.classNames, dataset.mean,
                   dataset.stddev,      dataset.task,    dataset.targetMean, dataset.targetStddev};
    info.table = dataset.table;
    info.tokens = dataset.tokens;
    info.pin = {.dataset = spec.dataset.name,
                .features = dataset.featureNames,
                .train = dataset.train.size(),
                .validation = dataset.validation.size(),
                .test = dataset.test.size(),
                .digest = dataset.digest};
    if (dataset.mean.empty() && dataset.train.inputs.defined()) measure(dataset.train.inputs, info.pin);
    return info;
}

std::vector<DataDifference> compareData(const ModelInfo& trainedOn, const ModelInfo& found) {
    std::vector<DataDifference> differences;
    for (std::string& text : misfits(trainedOn, found)) differences.push_back({Kind::Misfit, std::move(text)});
    for (std::string& text : changes(trainedOn, found)) differences.push_back({Kind::Changed, std::move(text)});
    return differences;
}

bool hasMisfit(const std::vector<DataDifference>& differences) {
    return std::any_of(differences.begin(), differences.end(),
                       [](const DataDifference& each) { return each.kind == Kind::Misfit; });
}

std::string textOf(const std::vector<DataDifference>& differences) {
    std::string text;
    for (const DataDifference& each : differences) text += (text.empty() ? "" : "; ") + each.text;
    return text;
}

void useUnitsOf(const ModelInfo& trainedOn, data::Dataset& dataset) {
    if (!trainedOn.targetMean.empty() && trainedOn.targetMean.size() == dataset.targetMean.size()) {
        dataset.targetMean = trainedOn.targetMean;
        dataset.targetStddev = trainedOn.targetStddev;
    }
    const bool same = trainedOn.mean == dataset.mean && trainedOn.stddev == dataset.stddev;
    if (same || trainedOn.mean.size() != dataset.mean.size() || trainedOn.mean.empty()) return;
    for (data::Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->inputs.defined() && split->inputs.dim() == 2) // of images gather() does it
            rescale(split->inputs, {dataset.mean, dataset.stddev}, {trainedOn.mean, trainedOn.stddev});
    dataset.mean = trainedOn.mean;
    dataset.stddev = trainedOn.stddev;
}

} // namespace trainyard::train
