// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/training_batches.h"

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
    const data::Split& train = data.set().train;
    if (!train.isStreamed()) m_loader.reset();
    else if (!m_loader)
        m_loader = std::make_unique<data::BatchLoader>(train, train.bytesShape(data.set().sampleShape),
                                                       loaderOptions(spec, train.device(), true));
}

torch::Tensor TrainingBatches::indicesOf(std::int64_t epoch, std::int64_t batch) {
    data::ShardedSampler& sampler = m_now->epoch() == epoch ? *m_now : *m_next;
    sampler.setEpoch(epoch);
    return sampler.indices(batch);
}

torch::Tensor TrainingBatches::indices(const Place& place) {
    if (m_next->epoch() == place.epoch) std::swap(m_now, m_next);
    m_now->setEpoch(place.epoch);
    return indicesOf(place.epoch, place.batchInEpoch);
}

data::BatchRequest TrainingBatches::requestFor(const Turn& turn) {
    const torch::Tensor all = indicesOf(turn.epoch, turn.batch);
    const std::int64_t passes = m_plan->passesOf(all.size(0));
    const auto part = data::shareOf(all.size(0), static_cast<int>(turn.pass), static_cast<int>(passes));
    return {all.narrow(0, part.begin, part.size()).contiguous(), turn.epoch};
}

TrainingBatches::Turn TrainingBatches::after(Turn turn) {
    if (++turn.pass < m_plan->passesOf(indicesOf(turn.epoch, turn.batch).size(0))) return turn;
    turn.pass = 0;
    if (++turn.batch < m_now->batchesPerEpoch()) return turn;
    return {turn.epoch + 1, 0, 0};
}

Result<data::Batch> TrainingBatches::take(const Place& place, std::int64_t pass,
                                          const std::function<void(double)>& waiting) {
    const data::Dataset& set = m_data->set();
    const data::BatchRequest request = requestFor({place.epoch, place.batchInEpoch, pass});
    if (!set.train.isStreamed()) m_loader.reset(); // features have taken the place of the samples
    if (!m_loader) // not waited for: the copy is made of memory that CUDA has read when the call returns
        return data::gather(set, set.train,
                            request.indices.to(set.train.device(), torch::kInt64, /*non_blocking=*/true));
    Turn turn{place.epoch, place.batchInEpoch, pass};
    const auto ahead = [&](int) -> std::optional<data::BatchRequest> {
        turn = after(turn);
        return requestFor(turn);
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
