// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/sample_reader.h"

#include "engine/base/text/printable.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/image_folder.h"
#include "engine/torch/data/token_text.h"
#include "engine/torch/worker/sample_json.h"
#include "engine/torch/worker/sample_table.h"

#include <algorithm>
#include <charconv>

namespace trainyard::train {

namespace {

constexpr std::string_view kRow = "row:";

// Of a table for a model of images, whose rows are pixels.
bool hasTableName(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* ending : {".csv", ".tsv", ".csv.gz", ".tsv.gz", ".jsonl", ".ndjson", ".jsonl.gz", ".npy", ".npz"})
        if (name.ends_with(ending)) return true;
    return false;
}

// A class may be the way through several folders, "a/b": the longest that the file's folder ends in.
std::optional<std::int64_t> classOfFolder(const std::filesystem::path& file, const std::vector<std::string>& names) {
    std::error_code failure;
    std::filesystem::path around = std::filesystem::absolute(file, failure).lexically_normal().parent_path();
    std::optional<std::int64_t> found;
    for (std::string way; around.has_filename(); around = around.parent_path()) {
        way = around.filename().string() + (way.empty() ? "" : "/") + way;
        if (const auto name = std::find(names.begin(), names.end(), way); name != names.end())
            found = name - names.begin();
    }
    return found;
}

std::string changedText(const std::vector<DataDifference>& differences) {
    return "the data has changed since training, so validation and test samples may have been trained on: " +
           textOf(differences);
}

} // namespace

Result<std::shared_ptr<const data::Dataset>> KeptDataset::of(const TrainedModel& trained) {
    const spec::RunSpec& spec = trained.spec;
    const ModelInfo& info = trained.state.modelInfo;
    spec::RunSpec other; // what loading depends on, and nothing else
    other.dataset = spec.dataset;
    other.data = spec.data;
    other.seed = spec.seed;
    other.task = toString(trained.context.task);
    const std::string key = spec::toJson(other) + modelInfoJson(info);
    if (m_dataset && key == m_key) return m_dataset;
    m_dataset.reset(); // two need not fit into memory
    TY_ASSIGN(data::Dataset dataset, data::loadDataset(spec.dataset, spec.seed, trained.context.task, spec.data));
    const auto differences = compareData(info, modelInfoOf(dataset, spec));
    if (hasMisfit(differences))
        return inputError("is not what the model was trained on: " + textOf(differences), dataset.source,
                          "put the data back as it was")
            .withCode(ErrorCode::CheckpointMisfit);
    if (!differences.empty()) dataset.notes.insert(dataset.notes.begin(), changedText(differences));
    useUnitsOf(info, dataset);
    m_dataset = std::make_shared<const data::Dataset>(std::move(dataset));
    m_key = key;
    return m_dataset;
}

Result<const data::Split*> partOf(const data::Dataset& dataset, const std::string& part, const std::string& where) {
    const data::Split* split = part == "train"        ? &dataset.train
                               : part == "validation" ? &dataset.validation
                               : part == "test"       ? &dataset.test
                                                      : nullptr;
    if (!split)
        return inputError("\"" + printable(part) + "\" is not a part of a dataset", where,
                          "one of: train, validation, test");
    if (split->size() == 0)
        return inputError("the dataset has no such part", where,
                          part == "train" ? "" : "train with dataset.params." + part + " above 0 to have one");
    return split;
}

Result<void> SampleReader::read(const std::string& given, const SampleSink& sink) {
    std::error_code ignored;
    if (given.starts_with("data:")) return readSample(given, sink);
    if (given.starts_with("text:")) return readText(given, sink);
    if (given.starts_with(kRow)) return readRows(given, sink);
    if (data::hasImageName(given)) return readImage(given, sink);
    if (std::filesystem::is_directory(given, ignored)) return readFolder(given, sink);
    // Tables have many endings (.csv, .tsv, .CSV, .txt, .csv.gz, none); pictures have three.
    if (std::filesystem::is_regular_file(given, ignored) &&
        (m_trained.context.sampleShape.size() == 1 || hasTableName(given)))
        return readRows(given, sink);
    if (std::filesystem::exists(given, ignored))
        return inputError(
            "is not a readable file", given,
            "give an image (.png, .jpg, .webp, .tif, .bmp, .gif), a folder of them, or a table (.csv, .tsv)");
    return inputError("is not a readable input, and there is no folder of that name", given,
                      "give an image, a folder of images, a table (.csv, .tsv), data:train/INDEX, "
                      "data:validation/INDEX, data:test/INDEX, row:CELLS or text:WORDS")
        .withCode(ErrorCode::FileMissing);
}

Result<void> SampleReader::readFolder(const std::string& folder, const SampleSink& sink) {
    TY_ASSIGN(const auto files, data::imagesBelow(folder));
    for (const auto& file : files) TY_TRY(readImage(file, sink));
    return {};
}

bool SampleReader::isStretched() const {
    const auto& dataset = m_trained.spec.dataset;
    return dataset.name == "images" && dataset.text("fit", "crop") == "stretch";
}

Result<Sample> SampleReader::readPicture(std::span<const std::uint8_t> bytes, const std::string& name) const {
    TY_ASSIGN(const auto pixels, data::decodeImage(bytes, name, m_trained.context.sampleShape, !isStretched()));
    return Sample{name, normalised(pixels.to(torch::kFloat32)), std::nullopt, pixels};
}

// In the folder of a class it counts as one of that class.
Result<void> SampleReader::readImage(const std::filesystem::path& file, const SampleSink& sink) {
    TY_ASSIGN(const auto bytes, data::loadImage(file, m_trained.context.sampleShape, !isStretched()));
    Sample sample{file.string(), normalised(bytes.to(torch::kFloat32)), std::nullopt, bytes};
    sample.label = classOfFolder(file, m_trained.state.modelInfo.classNames);
    sink(std::move(sample));
    return {};
}

Result<void> SampleReader::readSample(const std::string& given, const SampleSink& sink) {
    const auto slash = given.find('/');
    const std::string part = given.substr(5, slash == std::string::npos ? slash : slash - 5);
    const std::string text = slash == std::string::npos ? "" : given.substr(slash + 1);
    std::int64_t index = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
    if ((part != "train" && part != "validation" && part != "test") || problem != std::errc() ||
        end != text.data() + text.size())
        return inputError("is not a sample of a dataset", given, "for example data:validation/17");
    TY_ASSIGN(const auto dataset, m_datasets.of(m_trained));
    TY_ASSIGN(const data::Split* const split, partOf(*dataset, part, given));
    if (index < 0 || index >= split->size())
        return inputError("the index must be from 0 to " + std::to_string(split->size() - 1), given);
    const data::Batch batch = data::gather(*dataset, *split, torch::tensor({index}, torch::kInt64));
    Sample sample{given, batch.inputs[0], std::nullopt, {}};
    if (m_trained.context.task == TaskKind::Classification) sample.label = batch.targets.item<std::int64_t>();
    if (m_trained.context.task == TaskKind::MultiLabel) sample.labelText = targetOf(*dataset, *split, index);
    sink(std::move(sample));
    return {};
}

Result<void> SampleReader::readRows(const std::string& given, const SampleSink& sink) {
    const ModelInfo& info = m_trained.state.modelInfo;
    if (info.task == TaskKind::Language)
        return inputError("is a row or a table, and the model was trained on texts", given, "give text:WORDS");
    const bool image = info.sampleShape.size() == 3;
    const SampleSink shaped = [&](Sample sample) {
        if (image) sample.input = normalised(sample.input);
        sink(std::move(sample));
    };
    const SampleTable table(m_trained);
    if (given.starts_with(kRow)) return table.readRow(given.substr(kRow.size()), given, shaped);
    return table.readFile(given, shaped);
}

// Images, also those in rows of numbers, hold 0 to 255, as the files of the dataset do.
torch::Tensor SampleReader::normalised(const torch::Tensor& values) const {
    const ModelInfo& info = m_trained.state.modelInfo;
    const torch::Tensor tensor = values.reshape(info.sampleShape);
    if (info.mean.empty()) return tensor;
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(info.mean.size()), 1, 1};
    const auto mean = torch::tensor(info.mean, torch::kFloat32).reshape(shape);
    const auto deviation = torch::tensor(info.stddev, torch::kFloat32).reshape(shape);
    return (tensor / 255.0 - mean) / deviation;
}

Result<void> SampleReader::readText(const std::string& given, const SampleSink& sink) {
    if (m_trained.context.task != TaskKind::Language)
        return inputError("is a text, and the model was not trained on texts", given);
    const ModelInfo& info = m_trained.state.modelInfo;
    auto tokens = data::tokensOf(given.substr(5), info.classNames, info.tokens);
    if (!tokens) {
        Error wrong = tokens.error();
        wrong.where = given;
        return wrong;
    }
    std::vector<std::int64_t> found = std::move(*tokens);
    const auto longest = static_cast<std::size_t>(m_trained.context.sampleShape.front());
    if (found.size() > longest) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(longest));
    if (found.empty()) return inputError("is empty", given);
    sink({given, torch::tensor(found, torch::kInt64), std::nullopt, {}});
    return {};
}

} // namespace trainyard::train
