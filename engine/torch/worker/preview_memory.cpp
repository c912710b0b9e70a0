// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_memory.h"

#include "engine/spec/run/host_ranks.h"
#include "engine/torch/base/device.h"
#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/optim/update_rule.h"
#include "engine/torch/trainer/checkpoint_writer.h"
#include "engine/torch/trainer/learner/trained_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <span>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr std::int64_t kFeatureBatch = 32; // samples that a frozen body computes at once

// How many workers each host gets; this computer is "local".
std::map<std::string, std::int64_t> workersOfHosts(const spec::RunSpec& spec) {
    std::map<std::string, std::int64_t> counts;
    const int workers = static_cast<int>(spec.scaling.workers);
    for (int rank = 0; rank < workers; ++rank) {
        const std::string host = spec::hostOfRank(spec.hosts, {rank, workers});
        ++counts[host.empty() ? "local" : host];
    }
    return counts;
}

// As makeAverager() decides, as far as it can be told before the run. `most`: workers of one host.
bool averagesInSharedMemory(const spec::RunSpec& spec, const models::Model& model, std::int64_t most) {
    const auto& kind = spec.scaling.averaging;
    if (spec.scaling.workers < 2 || (kind != "shared" && (kind != "auto" || most < 2))) return false;
    const auto device = chooseDevice(spec.scaling, {.rank = 0, .ranks = static_cast<int>(most)});
    const auto parameters = model.parameters();
    return device && device->device.is_cpu() && !parameters.empty() &&
           std::all_of(parameters.begin(), parameters.end(),
                       [](const auto& parameter) { return parameter.scalar_type() == torch::kFloat; });
}

std::int64_t bytesOf(const models::Model& model, const std::set<std::string>& names) {
    std::int64_t bytes = 0;
    for (const auto& item : model.named_parameters())
        if (names.contains(item.key())) bytes += static_cast<std::int64_t>(item.value().nbytes());
    return bytes;
}

// What is kept of them for a backward pass: of blocks that are computed again the last output of each, and all of the
// largest while its turn is.
std::int64_t keptOf(std::span<const models::LayerInfo> layers, bool recomputes) {
    const auto bytesOf = [&](std::size_t from, std::size_t to) {
        return models::activationBytes(
            {layers.begin() + static_cast<std::ptrdiff_t>(from), layers.begin() + static_cast<std::ptrdiff_t>(to)});
    };
    if (!recomputes) return bytesOf(0, layers.size());
    std::vector<std::string> names;
    for (const models::LayerInfo& layer : layers) names.push_back(layer.name + ".weight");
    const std::vector<std::string> blocks = blockOfEach(names);
    std::int64_t kept = 0, largest = 0;
    for (std::size_t i = 0, end = 0; i < layers.size(); i = end) {
        for (end = i + 1; end < layers.size() && blocks[end] == blocks[i];) ++end;
        kept += bytesOf(end - 1, end);
        if (end > i + 1) largest = std::max(largest, bytesOf(i, end));
    }
    return kept + largest;
}

// Of the head alone, and of a body that computes kFeatureBatch samples once and keeps nothing.
std::int64_t activationsWithFeatures(const std::vector<models::LayerInfo>& layers, std::int64_t perRank) {
    std::int64_t passing = 0;
    for (const models::LayerInfo& layer : layers) passing = std::max(passing, models::activationBytes({layer}));
    return 2 * std::max(models::activationBytes({layers.back()}) * perRank, passing * kFeatureBatch);
}

// Of each sample, as float32, what the head is given.
std::int64_t featureBytes(const models::Model& model, const data::Dataset& dataset) {
    const std::string head = models::headNameOf(model);
    for (const auto& item : model.named_parameters())
        if (!head.empty() && item.key() == head + ".weight")
            return item.value().size(1) * static_cast<std::int64_t>(sizeof(float)) *
                   (dataset.task == TaskKind::Language ? dataset.sampleShape.front() : 1);
    return 0;
}

// For one sample. From the first layer that is trained, each layer's output is kept for backward, and its gradient is
// made there; before it, there is no more than one layer's input and output.
std::int64_t activationsOf(const models::Model& model, const std::vector<models::LayerInfo>& layers,
                           const std::set<std::string>& frozen, bool recomputes) {
    const auto isFrozen = [&](const models::LayerInfo& layer) {
        bool any = false;
        for (const auto& item : model.named_parameters()) {
            if (item.key().substr(0, item.key().rfind('.')) != layer.name) continue;
            if (!frozen.contains(item.key())) return false;
            any = true;
        }
        return any;
    };
    const auto first = std::find_if_not(layers.begin(), layers.end(), isFrozen);
    std::int64_t passing = 0;
    for (auto layer = layers.begin(); layer != first; ++layer)
        passing = std::max(passing, models::activationBytes({*layer}));
    return 2 * (keptOf({first, layers.end()}, recomputes) + passing);
}

} // namespace

Result<json> memoryJson(const spec::RunSpec& spec, const data::Dataset& dataset, const models::Model& model,
                        const std::vector<models::LayerInfo>& layers, const std::set<std::string>& frozen) {
    TY_ASSIGN(const auto rule, optim::makeUpdateRule(spec.optimizer));
    const std::int64_t weights = models::parameterCount(model) * static_cast<std::int64_t>(sizeof(float));
    const std::set<std::string> never = spec.finetune.thawAtEpoch > 0 ? std::set<std::string>() : frozen;
    const std::int64_t trained = weights - bytesOf(model, never);
    const std::int64_t optimizer = trained * static_cast<std::int64_t>(rule->slots().size());
    // All that a checkpoint has, and what of it a step changes.
    const std::int64_t state = weights + optimizer, changing = trained + optimizer, workers = spec.scaling.workers;
    const bool caches = spec.finetune.features == "cache";
    const std::int64_t activations =
        caches ? activationsWithFeatures(layers, spec.perRankBatch())
               : activationsOf(model, layers, never, spec.tuning.recompute == "blocks") * spec.perRankBatch();
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
    const std::int64_t averaging = shares ? changing + (most - 1) * trained : trained;
    const std::int64_t average = spec.ema > 0 ? weights : 0;
    const std::int64_t checkpoint = saves || rollsBack ? (shares ? changing : state) + average : 0;
    // Each worker's own, beside the samples that they are computed of.
    std::int64_t features = 0;
    for (const data::Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (caches) features += split->size() * featureBytes(model, dataset);
    const std::int64_t own = activations + (dataset.oneCopyAHost ? 0 : samples) + features + average;
    const std::int64_t shared = dataset.oneCopyAHost ? samples : 0;
    // All together: what the workers of a host share is there once. Copies that are not pinned in it are rank 0's, and
    // each worker's where it may have to go back to one.
    const auto hosts = static_cast<std::int64_t>(counts.size());
    const std::int64_t keepers = !saves && !rollsBack ? 0 : rollsBack ? workers : 1;
    const std::int64_t kept = shares && saves ? hosts * changing + keepers * average : keepers * checkpoint;
    // In shared memory is what a step changes; the rest is each worker's own.
    const std::int64_t averaged = shares ? hosts * 2 * changing + workers * weights : workers * (2 * trained + state);
    return json{{"estimated", true},
                {"weights", weights},
                {"gradients", trained},
                {"optimizer", optimizer},
                {"averaging", averaging},
                {"average", average},
                {"checkpoint", checkpoint},
                {"activations", activations},
                {"dataset", samples + features},
                {"perWorker", trained + state + averaging + checkpoint + own + shared},
                {"allWorkers", workers * own + hosts * shared + averaged + kept}};
}

} // namespace trainyard::train
