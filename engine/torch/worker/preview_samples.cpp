// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_samples.h"

#include "engine/formats/images/decoders.h"
#include "engine/torch/worker/sample_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <tuple>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kThumbnails = 40, kMeasured = 8, kPoints = 400, kColumns = 24, kRows = 12, kTexts = 8;

bool hasClasses(const data::Dataset& dataset) { return dataset.task == TaskKind::Classification; }

std::vector<std::int64_t> classCounts(const data::Split& split, std::int64_t classes) {
    if (split.size() == 0) return std::vector<std::int64_t>(static_cast<std::size_t>(classes));
    const torch::Tensor counts = split.targets.dim() == 2 ? split.targets.gt(0.5).sum(0) // several labels each
                                                          : torch::bincount(split.targets, {}, classes);
    const std::int64_t* first = counts.data_ptr<std::int64_t>();
    return {first, first + classes};
}

json classesJson(const data::Dataset& dataset) {
    json classes = json::array();
    if (!hasClasses(dataset) && dataset.task != TaskKind::MultiLabel) return classes;
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

// The sides of most pictures as they are stored, told by the first ones; null: they are in no files of their own.
json pictureSides(const data::Dataset& dataset) {
    if (!dataset.ofPictures() || !dataset.ofFiles() || !dataset.train.source) return nullptr;
    std::vector<std::pair<int, int>> sides;
    for (const std::int64_t sample : someSamples(dataset, kMeasured)) {
        const std::string file = dataset.train.source->nameOf(dataset.train.rows[sample].item<std::int64_t>());
        const auto bytes = formats::readImageFile(file);
        formats::Decoded decoded;
        const auto note = [&](const formats::StoredHeader& header) {
            const bool turned = header.orientation > 4;
            sides.emplace_back(turned ? header.height : header.width, turned ? header.width : header.height);
            return formats::Window{0, 0, 1, 1, 1};
        };
        // One that is damaged further on has told its sides all the same.
        if (!bytes) continue;
        const std::span stored(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
        std::ignore = formats::decodeWindow(stored, file, note, decoded);
    }
    if (sides.empty()) return nullptr;
    const auto middle = sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2);
    std::nth_element(sides.begin(), middle, sides.end(), [](const auto& a, const auto& b) {
        return std::max(a.first, a.second) < std::max(b.first, b.second);
    });
    return {{"width", middle->first}, {"height", middle->second}};
}

json dataJson(const spec::RunSpec& spec, const data::Dataset& dataset) {
    return {{"name", spec.dataset.name},
            {"source", dataset.source},
            {"task", toString(dataset.task)},
            {"train", dataset.train.size()},
            {"validation", dataset.validation.size()},
            {"test", dataset.test.size()},
            {"shape", dataset.sampleShape},
            {"picture", pictureSides(dataset)},
            {"classes", classesJson(dataset)},
            {"targets", targetsJson(dataset)},
            {"notes", dataset.notes},
            {"leftOut", static_cast<std::int64_t>(dataset.leftOut.size()) + dataset.rowsLeftOut},
            {"vocabulary", dataset.task == TaskKind::Language ? dataset.classes : 0}};
}

// Of pictures that are decoded here and now, one may be unreadable. `skips`: it is passed over, as the run will do.
json thumbnailsJson(const data::Dataset& dataset, bool skips) {
    if (dataset.sampleShape.size() != 3 || !hasClasses(dataset)) return nullptr;
    json items = json::array();
    for (const std::int64_t sample : someSamples(dataset, kThumbnails)) {
        try {
            items.push_back({{"class", dataset.train.targets[sample].item<std::int64_t>()},
                             {"pixels", pixelsOf(dataset.train.sample(sample, dataset.sampleShape))}});
        } catch (const std::runtime_error&) {
            if (!skips) throw;
        }
    }
    return {{"channels", dataset.sampleShape[0]},
            {"height", thumbnailSide(dataset.sampleShape, 1)},
            {"width", thumbnailSide(dataset.sampleShape, 2)},
            {"items", std::move(items)}};
}

// A row as a model is given it, from memory or from where it is streamed.
torch::Tensor featuresAt(const data::Dataset& dataset, std::int64_t sample) {
    if (!dataset.train.source) return dataset.train.inputs[sample];
    return data::gather(dataset, dataset.train, torch::tensor({sample}, torch::kInt64)).inputs[0];
}

json pointsJson(const data::Dataset& dataset) {
    if (dataset.sampleShape != std::vector<std::int64_t>{2} || !hasClasses(dataset)) return nullptr;
    json points = json::array();
    for (const std::int64_t sample : someSamples(dataset, kPoints)) {
        const torch::Tensor features = featuresAt(dataset, sample);
        const float* at = features.data_ptr<float>();
        points.push_back({at[0], at[1], dataset.train.targets[sample].item<std::int64_t>()});
    }
    return points;
}

json tableJson(const data::Dataset& dataset) {
    if (dataset.sampleShape.size() != 1 || dataset.task == TaskKind::Language) return nullptr;
    json rows = json::array();
    for (const std::int64_t sample : someSamples(dataset, kRows))
        rows.push_back({{"values", valuesOf(dataset, featuresAt(dataset, sample), kColumns)},
                        {"target", targetOf(dataset, dataset.train, sample)}});
    return {{"columns", columnsOf(dataset, kColumns)}, {"rows", std::move(rows)}};
}

json textJson(const data::Dataset& dataset) {
    if (dataset.task != TaskKind::Language) return nullptr;
    json samples = json::array();
    for (const std::int64_t sample : someSamples(dataset, kTexts))
        samples.push_back(textOf(dataset.classNames, dataset.tokens, dataset.train.inputs[sample]));
    return samples;
}

} // namespace

std::vector<std::int64_t> shownSamples(const data::Dataset& dataset) { return someSamples(dataset, kThumbnails); }

json samplesJson(const spec::RunSpec& spec, const data::Dataset& dataset) {
    return {{"data", dataJson(spec, dataset)},
            {"thumbnails", thumbnailsJson(dataset, spec.data.onError == "skip")},
            {"points", pointsJson(dataset)},
            {"table", tableJson(dataset)},
            {"text", textJson(dataset)}};
}

} // namespace trainyard::train
