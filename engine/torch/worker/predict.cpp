// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/predict.h"

#include "engine/base/atomic_file.h"
#include "engine/base/ids.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/files.h"
#include "engine/torch/worker/trained_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

namespace trainyard::train {

using nlohmann::json;

namespace {

struct Sample {
    std::string name;
    torch::Tensor input; // as the model takes it, without the batch
    std::optional<std::int64_t> label;
};

using SampleSink = std::function<void(Sample)>; // sample by sample, so that a folder of images need not fit into memory

class Reader {
public:
    explicit Reader(const TrainedModel& trained) : m_trained(trained) {}

    Result<void> read(const std::string& given, const SampleSink& sink) {
        std::error_code ignored;
        if (given.starts_with("data:")) return readSample(given, sink);
        if (given.starts_with("text:")) return readText(given, sink);
        if (given.ends_with(".csv")) return readRows(given, sink);
        if (data::hasImageName(given)) return readImage(given, sink);
        if (std::filesystem::is_directory(given, ignored)) return readFolder(given, sink);
        if (std::filesystem::exists(given, ignored))
            return inputError("is not a readable file", given,
                              "give a PNG or JPEG image (.png, .jpg, .jpeg), a folder of them, or a .csv file");
        return inputError("is not a readable input, and there is no folder of that name", given,
                          "give an image, a folder of images, a .csv file, data:train/INDEX, data:validation/INDEX, "
                          "data:test/INDEX or text:WORDS");
    }

private:
    Result<void> readFolder(const std::string& folder, const SampleSink& sink) {
        TY_ASSIGN(const auto files, data::imagesBelow(folder));
        for (const auto& file : files) TY_TRY(readImage(file, sink));
        return {};
    }

    // In a folder named as a class it counts as one of that class.
    Result<void> readImage(const std::filesystem::path& file, const SampleSink& sink) {
        const auto& dataset = m_trained.spec.dataset;
        const bool stretched = dataset.name == "images" && dataset.text("fit", "crop") == "stretch";
        TY_ASSIGN(const auto bytes, data::loadImage(file, m_trained.context.sampleShape, !stretched));
        Sample sample{file.string(), normalised(bytes.to(torch::kFloat32)), std::nullopt};
        const auto& names = m_trained.state.modelInfo.classNames;
        const auto label = std::find(names.begin(), names.end(), file.parent_path().filename().string());
        if (label != names.end()) sample.label = label - names.begin();
        sink(std::move(sample));
        return {};
    }

    Result<void> readSample(const std::string& given, const SampleSink& sink) {
        const auto slash = given.find('/');
        const std::string part = given.substr(5, slash == std::string::npos ? slash : slash - 5);
        const std::string text = slash == std::string::npos ? "" : given.substr(slash + 1);
        std::int64_t index = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
        if ((part != "train" && part != "validation" && part != "test") || problem != std::errc() ||
            end != text.data() + text.size())
            return inputError("is not a sample of a dataset", given, "for example data:validation/17");
        if (!m_dataset) {
            TY_ASSIGN(m_dataset,
                      data::loadDataset(m_trained.spec.dataset, m_trained.spec.seed, m_trained.context.task));
        }
        const data::Split& split = part == "train"  ? m_dataset->train
                                   : part == "test" ? m_dataset->test
                                                    : m_dataset->validation;
        if (split.size() == 0) return inputError("the dataset has no such part", given);
        if (index < 0 || index >= split.size())
            return inputError("the index must be from 0 to " + std::to_string(split.size() - 1), given);
        const data::Batch batch = data::gather(*m_dataset, split, torch::tensor({index}, torch::kInt64));
        Sample sample{given, batch.inputs[0], std::nullopt};
        if (m_trained.context.task == TaskKind::Classification) sample.label = batch.targets.item<std::int64_t>();
        sink(std::move(sample));
        return {};
    }

    Result<void> readRows(const std::string& file, const SampleSink& sink) {
        TY_ASSIGN(const std::string text, readFile(file));
        const std::int64_t wanted =
            std::accumulate(m_trained.context.sampleShape.begin(), m_trained.context.sampleShape.end(), std::int64_t{1},
                            std::multiplies<>());
        std::size_t begin = 0;
        for (int line = 1; begin < text.size(); ++line) {
            const auto end = std::min(text.find('\n', begin), text.size());
            std::string_view row(text.data() + begin, end - begin);
            begin = end + 1;
            if (row.ends_with('\r')) row.remove_suffix(1);
            if (row.empty()) continue;
            const std::string where = file + ", line " + std::to_string(line);
            auto numbers = numbersOf(row, where);
            if (!numbers && line == 1) continue; // the names of the columns
            TY_ASSIGN(std::vector<float> values, std::move(numbers));
            if (static_cast<std::int64_t>(values.size()) != wanted)
                return inputError("holds " + std::to_string(values.size()) +
                                      " numbers, and a sample of this model has " + std::to_string(wanted),
                                  where);
            sink({file + ":" + std::to_string(line), normalised(torch::tensor(values)), std::nullopt});
        }
        return {};
    }

    static Result<std::vector<float>> numbersOf(std::string_view row, const std::string& where) {
        std::vector<float> values;
        for (std::size_t begin = 0; begin <= row.size();) {
            const auto end = std::min(row.find(',', begin), row.size());
            std::string_view cell = row.substr(begin, end - begin);
            while (cell.starts_with(' ')) cell.remove_prefix(1);
            while (cell.ends_with(' ')) cell.remove_suffix(1);
            float value = 0;
            const auto [stop, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            if (problem != std::errc() || stop != cell.data() + cell.size() || !std::isfinite(value))
                return inputError('"' + printable(std::string(cell)) + "\" is not a number", where);
            values.push_back(value);
            begin = end + 1;
        }
        return values;
    }

    // Images, also those in rows of numbers, hold 0 to 255, as the files of the dataset do.
    torch::Tensor normalised(const torch::Tensor& values) const {
        const torch::Tensor tensor = values.reshape(m_trained.context.sampleShape);
        const ModelInfo& info = m_trained.state.modelInfo;
        if (info.mean.empty()) return tensor;
        const bool image = info.sampleShape.size() == 3;
        std::vector<std::int64_t> shape(info.sampleShape.size(), 1);
        shape[0] = static_cast<std::int64_t>(info.mean.size());
        const auto mean = torch::tensor(info.mean, torch::kFloat32).reshape(shape);
        const auto deviation = torch::tensor(info.stddev, torch::kFloat32).reshape(shape);
        return ((image ? tensor / 255.0 : tensor) - mean) / deviation;
    }

    Result<void> readText(const std::string& given, const SampleSink& sink) {
        if (m_trained.context.task != TaskKind::Language)
            return inputError("is a text, and the model was not trained on texts", given);
        const auto& tokens = m_trained.state.modelInfo.classNames;
        std::vector<std::int64_t> found;
        for (std::size_t at = 5; at < given.size();) { // the longest token that fits; names may be of several bytes
            std::size_t best = 0;
            std::int64_t index = -1;
            for (std::size_t i = 0; i < tokens.size(); ++i)
                if (tokens[i].size() > best && given.compare(at, tokens[i].size(), tokens[i]) == 0) {
                    best = tokens[i].size();
                    index = static_cast<std::int64_t>(i);
                }
            if (index < 0)
                return inputError("the model does not know what comes at byte " + std::to_string(at - 5), given,
                                  "use characters of the text that it was trained on");
            found.push_back(index);
            at += best;
        }
        const auto longest = static_cast<std::size_t>(m_trained.context.sampleShape.front());
        if (found.size() > longest) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(longest));
        if (found.empty()) return inputError("is empty", given);
        sink({given, torch::tensor(found, torch::kInt64), std::nullopt});
        return {};
    }

    const TrainedModel& m_trained;
    std::optional<data::Dataset> m_dataset;
};

// `eachAlone`: every class was learned as a yes or no of its own.
json likeliest(const torch::Tensor& logits, const std::vector<std::string>& names, int top, bool eachAlone) {
    const auto wide = logits.to(torch::kFloat32);
    const auto [values, indices] = (eachAlone ? torch::sigmoid(wide) : torch::softmax(wide, 0))
                                       .topk(std::min<std::int64_t>(std::max(1, top), logits.size(0)));
    json list = json::array();
    for (std::int64_t i = 0; i < values.size(0); ++i) {
        const auto index = indices[i].item<std::int64_t>();
        const auto at = static_cast<std::size_t>(index);
        list.push_back({{"class", at < names.size() ? names[at] : std::to_string(index)},
                        {"index", index},
                        {"probability", values[i].item<double>()}});
    }
    return list;
}

json targetsOf(const torch::Tensor& output, const ModelInfo& info) {
    json list = json::array();
    for (std::int64_t i = 0; i < output.size(0); ++i) {
        const auto at = static_cast<std::size_t>(i);
        double value = output[i].item<double>();
        if (at < info.targetMean.size()) value = value * info.targetStddev[at] + info.targetMean[at];
        list.push_back(
            {{"name", at < info.classNames.size() ? info.classNames[at] : std::to_string(i)}, {"value", value}});
    }
    return list;
}

json answerTo(const Sample& sample, const TrainedModel& trained, int top) {
    const ModelInfo& info = trained.state.modelInfo;
    torch::Tensor output = trained.model->forward(sample.input.unsqueeze(0))[0];
    json one = {{"input", sample.name}};
    if (sample.label && static_cast<std::size_t>(*sample.label) < info.classNames.size())
        one["label"] = info.classNames[static_cast<std::size_t>(*sample.label)];
    if (info.task == TaskKind::Language) output = output[-1];
    const bool shares = trained.spec.loss.name == "bce";
    if (info.task == TaskKind::Regression) one["outputs"] = targetsOf(shares ? torch::sigmoid(output) : output, info);
    else one["predictions"] = likeliest(output, info.classNames, top, shares);
    return one;
}

} // namespace

Result<std::string> predictJson(const std::filesystem::path& checkpoint, const std::vector<std::string>& inputs,
                                int top) {
    return guarded("predict", [&]() -> Result<std::string> {
        TY_ASSIGN(const TrainedModel trained, loadTrained(checkpoint));
        const torch::NoGradGuard noGradients;
        json list = json::array();
        Reader reader(trained);
        for (const std::string& input : inputs)
            TY_TRY(reader.read(input, [&](const Sample& sample) { list.push_back(answerTo(sample, trained, top)); }));
        const ModelInfo& info = trained.state.modelInfo;
        return json{{"task", toString(info.task)}, {"inputs", std::move(list)}}.dump(2, ' ', false,
                                                                                     json::error_handler_t::replace);
    });
}

} // namespace trainyard::train
