// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/data.h"

#include "engine/base/clock.h"
#include "engine/torch/api/raise.h"
#include "engine/torch/api/rank_session.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"
#include "trainyard/network.h"

namespace trainyard::train {

Samples Samples::normalized(std::vector<double> mean, std::vector<double> stddev) const {
    const auto channels = m_data.dim() == 4 ? static_cast<std::size_t>(m_data.size(1)) : 0;
    if (mean.size() != channels || stddev.size() != channels)
        throw InputError(std::to_string(mean.size()) + " means and " + std::to_string(stddev.size()) +
                         " deviations do not fit samples of " + std::to_string(channels) + " channels");
    Samples samples = *this;
    samples.m_mean = std::move(mean);
    samples.m_stddev = std::move(stddev);
    return samples;
}

Samples Samples::first(std::int64_t count) const {
    Samples samples = *this;
    const auto kept = std::clamp<std::int64_t>(count, 0, size());
    samples.m_data = m_data.narrow(0, 0, kept);
    samples.m_target = m_target.narrow(0, 0, kept);
    return samples;
}

Batch Samples::gather(const torch::Tensor& indices) const {
    const torch::NoGradGuard noGrad;
    const auto where = indices.to(m_data.device());
    auto data = m_data.index_select(0, where);
    if (!m_mean.empty()) {
        const auto perChannel = [&](const std::vector<double>& values) {
            return torch::tensor(values, torch::TensorOptions(torch::kFloat32).device(data.device())).view({-1, 1, 1});
        };
        const double scale = data.scalar_type() == torch::kUInt8 ? 255.0 : 1.0;
        data = data.to(torch::kFloat32).div_(scale).sub_(perChannel(m_mean)).div_(perChannel(m_stddev));
    } else if (data.scalar_type() == torch::kUInt8) {
        data = data.to(torch::kFloat32).div_(255.0);
    }
    return {std::move(data), m_target.index_select(0, where)};
}

LoadedDataset loadDataset(const std::string& name, const Config& params, std::int64_t seed, const std::string& task) {
    const auto kind = valueOrRaise(taskFromString(task));
    auto loaded = valueOrRaise(data::loadDataset({name, params.values()}, seed, kind));
    const auto samples = [&](const data::Split& split) {
        if (split.size() == 0) return Samples(torch::empty({0}), torch::empty({0}, torch::kInt64));
        // Targets far from 0 lose digits here; those that are learned are standardised in double (data::gather).
        const bool numbers = split.targets.is_floating_point();
        const bool tokens = kind == train::TaskKind::Language;  // of a text int32, to save memory
        const bool rows = split.source && split.source->rows(); // of a table that is streamed elsewhere
        const torch::Tensor inputs =
            rows ? data::gather(loaded, split, torch::arange(split.size(), torch::kInt64)).inputs
                 : split.allInputs(loaded.sampleShape);
        const Samples raw(tokens ? inputs.to(torch::kInt64) : inputs, numbers  ? split.targets.to(torch::kFloat32)
                                                                      : tokens ? split.targets.to(torch::kInt64)
                                                                               : split.targets);
        // Features are standardised as they are loaded, images batch by batch.
        return raw.data().dim() == 4 && !loaded.mean.empty() ? raw.normalized(loaded.mean, loaded.stddev) : raw;
    };
    return {samples(loaded.train), samples(loaded.validation), samples(loaded.test), loaded.sampleShape,
            loaded.classes,        loaded.classNames,          loaded.targetMean,    loaded.targetStddev};
}

AnyNetwork makeModel(const std::string& name, const Config& params, const std::vector<std::int64_t>& sampleShape,
                     std::int64_t outputs, const std::string& task) {
    const auto kind = valueOrRaise(taskFromString(task));
    return valueOrRaise(models::makeModel({name, params.values()}, {sampleShape, outputs, kind}));
}

namespace detail {

Shard shardOfThisRank() {
    const auto* session = RankSession::current();
    if (!session) return {};
    return {session->start().rank, session->start().worldSize, session->device().device};
}

torch::Tensor indicesOfEpoch(std::int64_t samples, const LoaderOptions& options, const Shard& shard,
                             std::int64_t epoch) {
    data::ShardedSampler sampler({.samples = samples,
                                  .batchPerRank = samples,
                                  .rank = 0,
                                  .worldSize = 1,
                                  .seed = options.seed,
                                  .shuffle = options.shuffle,
                                  .dropLast = true});
    sampler.setEpoch(epoch);
    const auto order = sampler.indices(0);
    const auto perRank = (samples + shard.worldSize - 1) / shard.worldSize;
    const auto mine = torch::arange(shard.rank, perRank * shard.worldSize, shard.worldSize).remainder_(samples);
    return order.index_select(0, mine);
}

void requireSamples(std::int64_t samples, const LoaderOptions& options) {
    if (samples < 1) throw InputError("a loader needs a dataset with samples, and this one is empty");
    if (options.batchSize < 1)
        throw InputError("batchSize must be at least 1, not " + std::to_string(options.batchSize));
}

void countBatch(std::int64_t samples, double seconds) {
    if (auto* session = RankSession::current()) session->countBatch(samples, seconds);
}

double now() { return monotonicSeconds(); }

EpochGenerator::EpochGenerator(std::int64_t seed, std::int64_t epoch)
    : m_state(at::detail::getDefaultCPUGenerator().get_state()) {
    // Every epoch of every seed has a number of its own, and all ranks the same.
    torch::manual_seed(static_cast<std::uint64_t>(seed) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(epoch));
}
EpochGenerator::~EpochGenerator() {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_state(m_state);
}

} // namespace detail
} // namespace trainyard::train
