// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/preview_draws.h"

#include "engine/torch/data/augment.h"
#include "engine/torch/data/balanced_order.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/trainer/training_batches.h"
#include "engine/torch/worker/preview_samples.h"
#include "engine/torch/worker/sample_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace trainyard::train {

using nlohmann::json;

namespace {

constexpr double kLeastShare = 0.005; // of a label that is named
constexpr double kPatience = 5;       // seconds for a disk to answer

// A few pictures are not worth threads, which wait for one another where the computer is busy with a run.
class OneThread {
public:
    OneThread() : m_before(torch::get_num_threads()) { torch::set_num_threads(1); }
    ~OneThread() { torch::set_num_threads(m_before); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int m_before;
};

// Some training samples, in the form in which the run changes them: in memory, or in their files.
struct HeldSamples {
    data::Dataset dataset;
    torch::Tensor indices; // int64, of dataset.train
};

// A preview leaves pictures in their files which the run keeps in memory. One that cannot be read is passed over where
// the run does so.
HeldSamples held(const data::Dataset& dataset, const torch::Tensor& wanted, bool skips) {
    if (dataset.streams || !dataset.train.isStreamed()) return {dataset, wanted};
    std::vector<torch::Tensor> pictures;
    std::vector<std::int64_t> readable;
    for (std::int64_t k = 0; k < wanted.size(0); ++k) {
        const auto index = wanted[k].item<std::int64_t>();
        try {
            pictures.push_back(dataset.train.sample(index, dataset.sampleShape));
            readable.push_back(index);
        } catch (const std::runtime_error&) {
            if (!skips) throw;
        }
    }
    HeldSamples some{dataset, torch::arange(static_cast<std::int64_t>(readable.size()), torch::kInt64)};
    some.dataset.train = {};
    if (readable.empty()) return some;
    some.dataset.train.inputs = torch::stack(pictures);
    some.dataset.train.targets = dataset.train.targets.index_select(0, torch::tensor(readable, torch::kInt64));
    return some;
}

// Streamed pictures are cut while they are decoded, for each epoch anew. Of epoch k it is the k-th of the batch.
Result<data::Batch> streamedBatch(const spec::RunSpec& spec, const data::Dataset& dataset, const torch::Tensor& indices,
                                  bool epochs) {
    data::LoaderOptions options = loaderOptions(spec, torch::kCPU, true);
    options.patience = kPatience;
    data::BatchLoader loader(dataset.train, dataset.sampleShape, options);
    const auto request = [&](std::int64_t k) -> data::BatchRequest {
        return epochs ? data::BatchRequest{indices.narrow(0, k, 1), k} : data::BatchRequest{indices, 0};
    };
    std::vector<torch::Tensor> bytes, found;
    const std::int64_t count = epochs ? indices.size(0) : 1;
    for (std::int64_t k = 0; k < count; ++k) {
        const auto ahead = [&](int next) -> std::optional<data::BatchRequest> {
            if (k + next >= count) return std::nullopt;
            return request(k + next);
        };
        TY_ASSIGN(const data::DecodedBatch decoded, loader.take(request(k), ahead, {}));
        bytes.push_back(decoded.bytes.clone());
        found.push_back(decoded.indices);
    }
    return data::batchOf(dataset, dataset.train, torch::cat(bytes), torch::cat(found));
}

// `epochs`: each of the samples in an epoch of its own.
Result<data::Batch> drawn(const spec::RunSpec& spec, const HeldSamples& samples, bool epochs) {
    data::Batch batch;
    if (samples.dataset.train.isStreamed()) {
        TY_ASSIGN(batch, streamedBatch(spec, samples.dataset, samples.indices, epochs));
    } else {
        batch = data::gather(samples.dataset, samples.dataset.train, samples.indices);
    }
    torch::manual_seed(static_cast<std::uint64_t>(spec.seed));
    data::augmentBatch(batch, spec.augment, samples.dataset);
    return batch;
}

// Pictures as a model is given them, as bytes again.
json pixelsOfAll(const data::Dataset& dataset, const torch::Tensor& inputs) {
    const auto ofChannels = [&](const std::vector<double>& numbers) {
        return torch::tensor(numbers, inputs.options()).view({1, -1, 1, 1});
    };
    torch::Tensor shown = inputs;
    if (!dataset.mean.empty()) shown = shown * ofChannels(dataset.stddev) + ofChannels(dataset.mean);
    shown = (shown * 255.0).round().clamp(0, 255).to(torch::kUInt8);
    json pixels = json::array();
    for (std::int64_t k = 0; k < shown.size(0); ++k) pixels.push_back(pixelsOf(shown[k]));
    return pixels;
}

// What a sample is trained to be, the largest share first.
json labelsOf(const HeldSamples& samples, const data::Batch& batch, std::int64_t k) {
    const data::Dataset& dataset = samples.dataset;
    const auto whole = [](std::string name) { return json::array({{{"name", std::move(name)}, {"share", 1.0}}}); };
    if (dataset.task == TaskKind::Regression)
        return whole(targetOf(dataset, dataset.train, samples.indices[k].item<std::int64_t>()));
    if (batch.targets.dim() < 2)
        return whole(dataset.classNames[static_cast<std::size_t>(batch.targets[k].item<std::int64_t>())]);
    std::vector<std::pair<double, std::size_t>> shares;
    for (std::int64_t c = 0; c < dataset.classes; ++c)
        if (const double share = batch.targets[k][c].item<double>(); share >= kLeastShare)
            shares.emplace_back(share, static_cast<std::size_t>(c));
    std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    json labels = json::array();
    for (const auto& [share, c] : shares) labels.push_back({{"name", dataset.classNames[c]}, {"share", share}});
    return labels;
}

// Those that rank 0 begins with, as far as they are shown.
torch::Tensor firstOfRun(const spec::RunSpec& spec, const data::Dataset& dataset) {
    data::ShardedSampler::Options options{.samples = dataset.train.size(),
                                          .batchPerRank = std::max<std::int64_t>(1, spec.perRankBatch()),
                                          .worldSize =
                                              static_cast<int>(std::max<std::int64_t>(1, spec.scaling.workers)),
                                          .seed = spec.seed,
                                          .shuffle = spec.debug.overfitBatches == 0,
                                          .blocks = spec.data.order == "blocks",
                                          .dropLast = false,
                                          .even = true};
    if (spec.data.balance > 0)
        options.orderOf = [&](std::int64_t epoch) {
            return data::BalancedOrder(dataset.train.targets, spec.data.balance, spec.seed).ofEpoch(epoch);
        };
    data::ShardedSampler sampler(options);
    sampler.setEpoch(0);
    const torch::Tensor all = sampler.indices(0);
    return all.narrow(0, 0, std::min(all.size(0), DrawDesk::kBatch)).contiguous();
}

// The picture asked for, or the next one that can be read.
Result<HeldSamples> onePicture(const spec::RunSpec& spec, const data::Dataset& dataset, std::int64_t picture) {
    const auto shown = shownSamples(dataset);
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const std::int64_t index = shown[(static_cast<std::size_t>(picture) + k) % shown.size()];
        HeldSamples one = held(dataset, torch::tensor({index}, torch::kInt64), spec.data.onError == "skip");
        if (one.indices.size(0) > 0) return one;
    }
    return inputError("none of the first pictures can be read", dataset.source, "trainyardctl data check FOLDER")
        .withCode(ErrorCode::DataUnreadable);
}

} // namespace

Result<std::shared_ptr<const data::Dataset>> DrawDesk::datasetOf(const spec::RunSpec& spec) {
    spec::RunSpec asked; // what reading depends on, and nothing else
    asked.dataset = spec.dataset;
    asked.data = spec.data;
    asked.data.balance = 0;
    asked.seed = spec.seed;
    asked.task = spec.task;
    const std::string key = spec::toJson(asked);
    if (m_dataset && key == m_key) return m_dataset;
    m_dataset.reset();
    TY_ASSIGN(const TaskKind task, taskFromString(spec.task));
    TY_ASSIGN(data::Dataset dataset, data::glanceAtDataset(spec.dataset, spec.seed, task, spec.data));
    m_dataset = std::make_shared<const data::Dataset>(std::move(dataset));
    m_key = key;
    return m_dataset;
}

Result<json> DrawDesk::draws(const spec::RunSpec& spec, std::int64_t picture) {
    const torch::NoGradGuard noGrad;
    const OneThread oneThread;
    TY_ASSIGN(const auto dataset, datasetOf(spec));
    if (!dataset->ofPictures() || dataset->train.size() == 0)
        return inputError("has no pictures to draw from", "dataset", "choose a dataset of images");
    TY_TRY(data::checkAugment(spec.augment, *dataset));
    TY_TRY(data::checkBalance(spec, *dataset));
    spec::RunSpec alone = spec; // what mixes two pictures is shown by the batch
    alone.augment.mixup = alone.augment.cutmix = 0;
    TY_ASSIGN(HeldSamples one, onePicture(spec, *dataset, picture));
    const auto index = one.indices[0].item<std::int64_t>();
    const torch::Tensor original = one.dataset.train.sample(index, dataset->sampleShape);
    one.indices = one.indices.repeat({kDraws});
    TY_ASSIGN(const data::Batch changed, drawn(alone, one, true));
    const HeldSamples first = held(*dataset, firstOfRun(spec, *dataset), spec.data.onError == "skip");
    json items = json::array();
    if (first.indices.size(0) > 0) {
        TY_ASSIGN(const data::Batch batch, drawn(spec, first, false));
        const json pixels = pixelsOfAll(*dataset, batch.inputs);
        for (std::int64_t k = 0; k < batch.inputs.size(0); ++k)
            items.push_back({{"pixels", pixels[static_cast<std::size_t>(k)]}, {"labels", labelsOf(first, batch, k)}});
    }
    return json{
        {"channels", dataset->sampleShape[0]},
        {"height", thumbnailSide(dataset->sampleShape, 1)},
        {"width", thumbnailSide(dataset->sampleShape, 2)},
        {"changes", data::isOn(spec.augment)},
        {"picture", {{"label", targetOf(one.dataset, one.dataset.train, index)}, {"pixels", pixelsOf(original)}}},
        {"draws", pixelsOfAll(*dataset, changed.inputs)},
        {"batch", std::move(items)}};
}

} // namespace trainyard::train
