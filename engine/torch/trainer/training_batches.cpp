// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/training_batches.h"

#include "engine/torch/data/kept/read_ahead.h"

#include <iterator>
#include <utility>

namespace trainyard::train {

data::LoaderOptions loaderOptions(const spec::RunSpec& spec, const torch::Device& device, bool training) {
    return {.threads = spec.data.loaderThreads,
            .mostThreads = 0,
            .background = device.is_cpu() && training,
            .leastCut = training ? spec.augment.resizedCrop : 0,
            .seed = spec.seed,
            .skips = spec.data.onError == "skip",
            .patience = spec.failure.linkSeconds,
            .pinned = device.is_cuda()};
}

void TrainingBatches::deal(const data::ShardedSampler& sampler, const TrainingData& data, const spec::RunSpec& spec,
                           const StepPlan& plan) {
    m_data = &data;
    m_spec = &spec;
    m_plan = &plan;
    m_now.emplace(sampler);
    m_next.emplace(sampler);
    m_coming.clear();
    m_dealt.clear();
    m_soon = {-1, -1, 0};
    const data::Split& train = data.set().train;
    if (!train.isStreamed()) m_loader.reset();
    else if (!m_loader)
        m_loader = std::make_unique<data::BatchLoader>(
            train, train.bytesShape(data.set().sampleShape),
            data::withFeatures(loaderOptions(spec, train.device(), true), data.set(), train));
}

data::ShardedSampler& TrainingBatches::samplerOf(std::int64_t epoch) {
    data::ShardedSampler& sampler = m_now->epoch() == epoch ? *m_now : *m_next;
    sampler.setEpoch(epoch);
    return sampler;
}

torch::Tensor TrainingBatches::indicesOf(const Turn& turn) {
    for (auto dealt = m_dealt.rbegin(); dealt != m_dealt.rend(); ++dealt)
        if (dealt->epoch == turn.epoch && dealt->batch == turn.batch) return dealt->indices;
    if (m_dealt.size() > data::BatchLoader::kRowsAhead + 1) m_dealt.pop_front();
    return m_dealt.emplace_back(Dealt{turn.epoch, turn.batch, samplerOf(turn.epoch).indices(turn.batch)}).indices;
}

torch::Tensor TrainingBatches::indices(const Place& place) {
    if (m_next->epoch() == place.epoch) std::swap(m_now, m_next);
    m_now->setEpoch(place.epoch);
    return indicesOf({.epoch = place.epoch, .batch = place.batchInEpoch});
}

data::BatchRequest TrainingBatches::requestFor(const Turn& turn) {
    const torch::Tensor all = indicesOf(turn);
    const std::int64_t passes = m_plan->passesOf(all.size(0));
    const auto part = data::shareOf(all.size(0), {.number = turn.pass, .of = passes});
    data::BatchRequest request{all.narrow(0, part.begin, part.size()).contiguous(), turn.epoch};
    const data::ShardedSampler& sampler = samplerOf(turn.epoch);
    request.inBlocks = sampler.inBlocks();
    if (const Turn soon{turn.epoch, turn.batch, 0}; m_soon != soon) {
        request.soon = sampler.soonRead(turn.batch, m_soon != Turn{turn.epoch, turn.batch - 1, 0});
        m_soon = soon;
    }
    return request;
}

data::BatchRequest& TrainingBatches::coming(const Turn& now, std::size_t ahead) {
    while (!m_coming.empty() && m_coming.front().turn != now) m_coming.pop_front();
    while (m_coming.size() <= ahead) {
        const Turn turn = m_coming.empty() ? now : after(m_coming.back().turn);
        m_coming.push_back({turn, requestFor(turn)});
    }
    return m_coming[ahead].request;
}

// The samples of a text are views of its mapped file.
void TrainingBatches::bringTextNear(const Turn& now) {
    constexpr std::size_t kBatchesAhead = 8;
    const torch::Tensor& inputs = m_data->set().train.inputs;
    const auto each = static_cast<std::int64_t>(inputs.element_size());
    const auto bytes = static_cast<std::size_t>((inputs.size(1) + 1) * each); // with the last target
    for (std::size_t k = 0; k <= kBatchesAhead; ++k) {
        data::BatchRequest& request = coming(now, k);
        if (std::exchange(request.isAnnounced, true)) continue;
        for (std::int64_t i = 0; i < request.indices.size(0); ++i)
            data::bringNear(static_cast<const char*>(inputs.data_ptr()) +
                                request.indices.data_ptr<std::int64_t>()[i] * inputs.stride(0) * each,
                            bytes);
    }
}

TrainingBatches::Turn TrainingBatches::after(Turn turn) {
    if (++turn.pass < m_plan->passesOf(indicesOf(turn).size(0))) return turn;
    turn.pass = 0;
    if (++turn.batch < m_now->batchesPerEpoch()) return turn;
    return {turn.epoch + 1, 0, 0};
}

Result<data::Batch> TrainingBatches::take(const Place& place, std::int64_t pass,
                                          const std::function<void(double)>& waiting) {
    const data::Dataset& set = m_data->set();
    const Turn turn{place.epoch, place.batchInEpoch, pass};
    if (!set.train.isStreamed()) m_loader.reset(); // features have taken the place of the samples
    const torch::Tensor& inputs = set.train.inputs;
    if (set.streams && !set.train.source && inputs.is_cpu() && inputs.scalar_type() == torch::kInt32)
        bringTextNear(turn);
    const data::BatchRequest request = coming(turn, 0);
    if (!m_loader) // not waited for: the copy is made of memory that CUDA has read when the call returns
        return data::gather(set, set.train,
                            request.indices.to(set.train.device(), torch::kInt64, /*non_blocking=*/true));
    const auto ahead = [&](int k) -> std::optional<data::BatchRequest> {
        data::BatchRequest& next = coming(turn, static_cast<std::size_t>(k));
        data::BatchRequest copy{next.indices, next.epoch, next.inBlocks};
        copy.soon = std::exchange(next.soon, {}); // told once
        return copy;
    };
    TY_ASSIGN(const data::DecodedBatch decoded, m_loader->take(request, ahead, waiting));
    return data::batchOf(set, set.train, decoded.bytes, decoded.indices.to(set.train.device()));
}

std::vector<data::UnreadableFile> TrainingBatches::takeUnreadable() {
    if (m_loader) keepUnreadable(m_loader->takeUnreadable());
    return std::exchange(m_unreadable, {});
}

void TrainingBatches::keepUnreadable(std::vector<data::UnreadableFile> files) {
    std::move(files.begin(), files.end(), std::back_inserter(m_unreadable));
}

} // namespace trainyard::train
