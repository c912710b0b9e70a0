// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/training_data.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/torch/checkpoint/data_pin.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/balanced_order.h"
#include "engine/torch/data/dataset_cache.h"
#include "engine/torch/data/image_folder.h"
#include "engine/torch/weights/load_weights.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <malloc.h>
#include <set>

namespace trainyard::train {

namespace {

constexpr const char* kReplacedNote = " became unreadable while the run trained, and others took their places";
constexpr std::size_t kMuchFree = std::size_t{64} << 20; // bytes that the heap holds for nothing

// A list of a million files leaves much behind. Less is kept: tensors want it soon.
void returnWhatLoadingTook() {
    if (::mallinfo2().fordblks > kMuchFree) ::malloc_trim(0);
}

} // namespace

std::string unreadableText(const std::vector<data::UnreadableFile>& files) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [file, why] : files) list.push_back({file, why});
    return files.empty() ? std::string() : jsonText(list);
}

std::vector<data::UnreadableFile> unreadableIn(const std::string& text) {
    std::vector<data::UnreadableFile> files;
    const nlohmann::json list = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!list.is_array()) return files;
    for (const auto& one : list)
        if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string())
            files.push_back({one[0].get<std::string>(), one[1].get<std::string>()});
    return files;
}

bool TrainingData::noteUnreadable(const std::vector<std::string>& ofRanks) {
    std::set<std::string> known;
    for (const auto& each : m_set.leftOut) known.insert(each.file);
    const std::size_t before = m_set.leftOut.size();
    for (const std::string& text : ofRanks)
        for (auto& each : unreadableIn(text))
            if (known.insert(each.file).second) m_set.leftOut.push_back(std::move(each));
    const std::size_t found = m_set.leftOut.size() - before;
    if (found == 0) return false;
    m_replaced += found;
    std::erase_if(m_set.notes, [](const std::string& note) { return note.ends_with(kReplacedNote); });
    m_set.notes.push_back(std::to_string(m_replaced) + (m_replaced == 1 ? " image" : " images") + kReplacedNote);
    return true;
}

Result<TrainingData> TrainingData::load(const spec::RunSpec& spec, bool keep) {
    TY_ASSIGN(const TaskKind task, taskFromString(spec.task));
    TrainingData loaded;
    loaded.m_spec = &spec;
    const auto load = keep ? data::loadOrKeep : data::loadCached;
    TY_ASSIGN(loaded.m_set, load(spec.dataset, spec.seed, task, spec.data));
    returnWhatLoadingTook();
    TY_TRY(data::checkAugment(spec.augment, loaded.m_set));
    TY_TRY(data::checkBalance(spec, loaded.m_set));
    TY_TRY(loaded.normaliseAsWeights());
    loaded.m_info = modelInfoOf(loaded.m_set, spec);
    return loaded;
}

// Those of Trainyard say how their images were normalised; all others are taken for ImageNet's.
Result<void> TrainingData::normaliseAsWeights() {
    if (m_spec->dataset.text("normalise", {}) != "weights" || m_set.sampleShape.size() != 3) return {};
    if (m_spec->weights.file.empty())
        return inputError("is that of weights, and the model begins with none", "dataset.params.normalise",
                          "name a file in model.weights.file, or choose \"measured\" or \"imagenet\"")
            .withCode(ErrorCode::FieldInvalid);
    std::error_code ignored;
    if (!std::filesystem::exists(m_spec->weights.file, ignored)) return {}; // a resumed run has the checkpoint's
    TY_ASSIGN(const auto found, weights::normalisationOf(m_spec->weights.file));
    if (found.mean.size() != m_set.mean.size() || found.mean.empty()) return {};
    m_set.mean = found.mean;
    m_set.stddev = found.stddev;
    return {};
}

void TrainingData::noteWeights(const weights::WeightsReport& report) {
    const auto lines = weights::linesOf(report);
    m_set.notes.insert(m_set.notes.end(), lines.begin(), lines.end());
    m_info.weights = weights::jsonOf(report);
}

void TrainingData::useFeatures(const std::array<torch::Tensor, 3>& ofTrainValidationTest) {
    std::size_t at = 0;
    for (data::Split* split : {&m_set.train, &m_set.validation, &m_set.test}) {
        const torch::Tensor& features = ofTrainValidationTest[at++];
        if (features.defined()) *split = {features, split->targets};
    }
    m_areFeatures = true;
}

Result<bool> TrainingData::listAsThen(const ModelInfo& trainedOn, bool joins) {
    const DataPin &then = trainedOn.pin, &now = m_info.pin;
    if (m_spec->dataset.name != "images" || then.dataset != now.dataset || then.digest.empty() ||
        then.digest == now.digest)
        return false;
    if (!joins && (m_spec->data.onError != "skip" || m_spec->data.changed == "accept")) return false;
    TY_ASSIGN(auto set,
              data::imagesAsListed(m_spec->dataset, m_spec->seed, m_set.task, m_spec->data, then.digest, joins));
    if (!set) return false;
    m_set = std::move(*set);
    TY_TRY(normaliseAsWeights());
    m_info = modelInfoOf(m_set, *m_spec);
    return true;
}

void TrainingData::noteDifferences(const ModelInfo& trainedOn) {
    m_info.weights = trainedOn.weights;
    if (const auto differences = compareData(trainedOn, m_info); !differences.empty())
        m_set.notes.insert(m_set.notes.begin(), "not what the checkpoint was trained on: " + textOf(differences));
}

Result<void> TrainingData::mustBeSame(const ModelInfo& trainedOn) {
    const auto differences = compareData(trainedOn, m_info);
    const bool misfit = hasMisfit(differences);
    if (misfit || (!differences.empty() && m_spec->data.changed != "accept"))
        return inputError("is not what the run was trained on: " + textOf(differences), m_set.source,
                          misfit ? "put the data back, or train on it in a new run: trainyardctl fork " +
                                       shellWord(printable(m_spec->name, 100)) + " --fresh"
                                 : "put the data back, or continue with it as it is: --set data.changed=accept")
            .withCode(misfit ? ErrorCode::CheckpointMisfit : ErrorCode::DataChanged);
    if (!differences.empty())
        m_set.notes.insert(m_set.notes.begin(), "changed since the run was trained on it: " + textOf(differences));
    const ModelInfo found = m_info;
    useUnitsOf(trainedOn, m_set);
    m_info = modelInfoOf(m_set, *m_spec);
    m_info.thresholds = trainedOn.thresholds;
    m_info.weights = trainedOn.weights;
    if (m_info.mean == found.mean && m_info.stddev == found.stddev) return {};
    m_info.pin.mean = found.mean; // those of the present data, in the checkpoint's units
    m_info.pin.stddev = found.stddev;
    return {};
}

std::function<torch::Tensor(std::int64_t)> TrainingData::orderOfEpochs() const {
    if (m_spec->data.balance == 0) return {};
    const auto order = std::make_shared<data::BalancedOrder>(m_set.train.targets, m_spec->data.balance, m_spec->seed);
    return [order](std::int64_t epoch) { return order->ofEpoch(epoch); };
}

wire::DataRead TrainingData::description() const {
    constexpr std::size_t kMostFiles = 10'000; // a list of more helps nobody
    wire::DataRead read{modelInfoJson(m_info), m_set.notes, {}, {}};
    for (const auto& [file, why] : m_set.leftOut) {
        if (read.file.size() == kMostFiles) break;
        read.file.push_back(file);
        read.reason.push_back(why);
    }
    return read;
}

void TrainingData::limitForDebug(std::int64_t perPass, std::int64_t perStep) {
    const auto first = [](const data::Split& split, std::int64_t most) {
        return most >= split.size() ? split : split.first(most);
    };
    const spec::RunSpec& spec = *m_spec;
    if (spec.debug.overfitBatches > 0) {
        m_set.train = first(m_set.train, std::min(spec.debug.overfitBatches, m_set.train.size()) * perStep);
        m_set.validation = m_set.train;
    }
    if (!spec.debug.fastDevRun) return;
    for (data::Split* split : {&m_set.validation, &m_set.test})
        if (split->size() > 0) *split = first(*split, perPass);
}

} // namespace trainyard::train
