// SPDX-License-Identifier: GPL-3.0-or-later
// Loaders that deal a dataset to the ranks of a run.
#pragma once

#include "trainyard/config.h"

#include <torch/torch.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trainyard::train {

// A batch of samples and their targets; takes structured bindings: for (auto [images, labels] : loader).
using Batch = torch::data::Example<>;

// Samples that lie whole in memory, one in each row of `data`, and their targets. A batch is one index_select.
class Samples {
public:
    Samples(torch::Tensor data, torch::Tensor target) : m_data(std::move(data)), m_target(std::move(target)) {}

    // Batches of images (uint8 [N, C, H, W]) become float: (x / 255 - mean) / stddev, one of each per channel.
    Samples normalized(std::vector<double> mean, std::vector<double> stddev) const;
    // The first samples, or all.
    Samples first(std::int64_t count) const;

    Batch gather(const torch::Tensor& indices) const; // int64 [B]; throws c10::Error when one is out of range
    std::int64_t size() const { return m_target.size(0); }
    const torch::Tensor& data() const { return m_data; }
    const torch::Tensor& target() const { return m_target; }

private:
    torch::Tensor m_data, m_target;
    std::vector<double> m_mean, m_stddev;
};

// One of the library's datasets by name (`trainyardctl datasets` lists them), for batches that are normalised.
struct LoadedDataset {
    Samples train, validation, test;       // the last may be empty
    std::vector<std::int64_t> sampleShape; // [C, H, W], [F], or [T] tokens
    std::int64_t classes = 0;              // what a model puts out: classes, columns of targets, or tokens known
    std::vector<std::string> classNames;   // of the classes, the columns, or the tokens as text
    // Of each column that a regression learns, in its own units as the targets are: learn (target - mean) / stddev.
    // Empty where the columns are better left as they are.
    std::vector<double> targetMean, targetStddev;
};
// `seed` decides generated samples and splits: the same on every rank. `task` decides what targets are, as in a run
// file: classification (int64 [N]), regression (float32 [N, columns]), language (int64 [N, T], the next token of each
// shard). Throws InputError: unknown name, a set that does not serve the task, files that are not there or damaged
// (names file and remedy).
LoadedDataset loadDataset(const std::string& name, const Config& params = {}, std::int64_t seed = 0,
                          const std::string& task = "classification");

// How prepareDataLoader() deals samples.
struct LoaderOptions {
    std::int64_t batchSize = 1; // of each rank
    bool shuffle = false;       // in another order each epoch, a pure function of (seed, epoch)
    bool dropLast = false;      // leave out a last batch that is smaller than the others
    std::int64_t seed = 0;
};

namespace detail {

// Which share of each epoch this rank loads.
struct Shard {
    int rank = 0, worldSize = 1;
    std::optional<torch::Device> device; // where batches go; nothing: they stay
};
Shard shardOfThisRank();
// The indices of one rank's samples in an epoch: the order padded from its front until it can be dealt evenly, and then
// every worldSize-th of it, as torch.utils.data.DistributedSampler has them. All ranks have equally many.
torch::Tensor indicesOfEpoch(std::int64_t samples, const LoaderOptions& options, const Shard& shard,
                             std::int64_t epoch);
void requireSamples(std::int64_t samples, const LoaderOptions& options); // throws InputError
void countBatch(std::int64_t samples, double seconds);                   // for the run's throughput
double now();

// While it lives, torch's default generator is that of (seed, epoch); afterwards it continues where it was.
class EpochGenerator {
public:
    EpochGenerator(std::int64_t seed, std::int64_t epoch);
    ~EpochGenerator();
    EpochGenerator(const EpochGenerator&) = delete;
    EpochGenerator& operator=(const EpochGenerator&) = delete;

private:
    torch::Tensor m_state;
};

template <class Data, class Target>
torch::data::Example<Data, Target> collate(std::vector<torch::data::Example<Data, Target>> examples) {
    return torch::data::transforms::Stack<torch::data::Example<Data, Target>>().apply_batch(std::move(examples));
}
template <class Whole>
Whole collate(Whole batch) {
    return batch;
}

template <class Dataset>
auto fetch(Dataset& dataset, const torch::Tensor& indices) {
    if constexpr (requires { dataset.gather(indices); }) {
        return dataset.gather(indices);
    } else {
        const auto* first = indices.data_ptr<std::int64_t>();
        std::vector<std::size_t> list(first, first + indices.numel());
        return collate(dataset.get_batch(list));
    }
}

template <class Dataset>
std::int64_t sizeOf(const Dataset& dataset) {
    if constexpr (requires { dataset.size().value(); }) return static_cast<std::int64_t>(dataset.size().value());
    else return static_cast<std::int64_t>(dataset.size());
}

template <class Whole>
Whole moved(Whole batch, const Shard& shard) {
    if (!shard.device) return batch;
    if constexpr (requires { batch.data.to(*shard.device); }) batch.data = batch.data.to(*shard.device);
    if constexpr (requires { batch.target.to(*shard.device); }) batch.target = batch.target.to(*shard.device);
    if constexpr (std::is_same_v<Whole, torch::Tensor>) batch = batch.to(*shard.device);
    return batch;
}

template <class Whole>
std::int64_t samplesIn(const Whole& batch) {
    if constexpr (requires { batch.data.size(0); }) return batch.data.size(0);
    else if constexpr (std::is_same_v<Whole, torch::Tensor>) return batch.size(0);
    else return 1;
}

// for (auto& batch : loader), for a Source with reset() and std::optional<Batch> next().
template <class Source>
class Batches {
public:
    using value_type = typename decltype(std::declval<Source&>().next())::value_type;
    class iterator {
    public:
        using value_type = Batches::value_type;
        explicit iterator(Source* source) : m_source(source) { ++*this; }
        value_type& operator*() { return *m_batch; }
        iterator& operator++() {
            const double from = now();
            m_batch = m_source->next();
            if (m_batch) countBatch(samplesIn(*m_batch), now() - from);
            return *this;
        }
        bool operator!=(std::nullptr_t) const { return m_batch.has_value(); }

    private:
        Source* m_source;
        std::optional<value_type> m_batch;
    };
};

} // namespace detail

// Batches of a dataset: Samples, or any random-access dataset of torch::data (its examples are stacked when it does
// not do that itself). Every loop over it is an epoch, numbered from 0 unless setEpoch() says otherwise. Copies share
// the dataset.
template <class Dataset>
class DataLoader {
public:
    DataLoader(Dataset dataset, LoaderOptions options)
        : m_dataset(std::make_shared<Dataset>(std::move(dataset))), m_options(options) {
        detail::requireSamples(detail::sizeOf(*m_dataset), m_options);
    }

    // The number of the next loop's epoch, as DistributedSampler.set_epoch.
    void setEpoch(std::int64_t epoch) { m_epoch = epoch; }
    std::int64_t size() const { // batches of an epoch, on this rank and on every other
        const auto samples = (detail::sizeOf(*m_dataset) + m_shard.worldSize - 1) / m_shard.worldSize;
        return m_options.dropLast ? samples / m_options.batchSize
                                  : (samples + m_options.batchSize - 1) / m_options.batchSize;
    }
    Dataset& dataset() { return *m_dataset; }
    void prepare(detail::Shard shard) { m_shard = shard; }

    auto begin() {
        m_order = detail::indicesOfEpoch(detail::sizeOf(*m_dataset), m_options, m_shard, m_epoch++);
        m_next = 0;
        return typename detail::Batches<DataLoader>::iterator(this);
    }
    std::nullptr_t end() { return nullptr; }

    using BatchType = decltype(detail::fetch(std::declval<Dataset&>(), torch::Tensor()));
    std::optional<BatchType> next() { // of the loop in progress
        if (m_next >= size()) return std::nullopt;
        const auto from = m_next++ * m_options.batchSize;
        const auto count = std::min(m_options.batchSize, m_order.size(0) - from);
        return detail::moved(detail::fetch(*m_dataset, m_order.narrow(0, from, count)), m_shard);
    }

private:
    std::shared_ptr<Dataset> m_dataset;
    LoaderOptions m_options;
    detail::Shard m_shard;
    std::int64_t m_epoch = 0, m_next = 0;
    torch::Tensor m_order;
};

// A loader of torch::data dealt to the ranks by whole batches: rank r takes the r-th of every worldSize; those left
// over at the end are dropped. Every rank reads all of them, so a DataLoader (above) or a DistributedSampler is faster;
// with the latter nothing is left to deal. Random samplers give every rank the same order of (seed, epoch).
template <class Loader, bool alreadyDealt>
class DealtLoader {
public:
    DealtLoader(std::unique_ptr<Loader> loader, detail::Shard shard, std::int64_t seed)
        : m_loader(std::move(loader)), m_shard(shard), m_seed(seed) {}

    void setEpoch(std::int64_t epoch) { m_epoch = epoch; }
    Loader& loader() { return *m_loader; }

    auto begin() {
        const detail::EpochGenerator generator(m_seed, m_epoch++);
        m_iterator.emplace(m_loader->begin());
        return typename detail::Batches<DealtLoader>::iterator(this);
    }
    std::nullptr_t end() { return nullptr; }

    using BatchType = std::decay_t<decltype(detail::collate(*std::declval<Loader&>().begin()))>;
    std::optional<BatchType> next() {
        std::optional<BatchType> mine;
        const int together = alreadyDealt ? 1 : m_shard.worldSize;
        for (int rank = 0; rank < together; ++rank) {
            if (*m_iterator == m_loader->end()) return std::nullopt;
            if (alreadyDealt || rank == m_shard.rank) mine = detail::collate(std::move(**m_iterator));
            ++*m_iterator;
        }
        return detail::moved(std::move(*mine), m_shard);
    }

private:
    std::unique_ptr<Loader> m_loader;
    detail::Shard m_shard;
    std::int64_t m_seed, m_epoch = 0;
    std::optional<decltype(std::declval<Loader&>().begin())> m_iterator;
};

// The loader's share of this rank: batches of the same sizes on every rank, each sample once an epoch over all ranks
// but for at most worldSize - 1 that come twice, on the rank's device.
template <class Dataset>
DataLoader<Dataset> prepareDataLoader(DataLoader<Dataset> loader) {
    loader.prepare(detail::shardOfThisRank());
    return loader;
}
template <class Dataset>
    requires requires(Dataset& dataset) { dataset.size(); }
DataLoader<Dataset> prepareDataLoader(Dataset dataset, const LoaderOptions& options) {
    return prepareDataLoader(DataLoader<Dataset>(std::move(dataset), options));
}
inline DataLoader<Samples> prepareDataLoader(torch::Tensor data, torch::Tensor target, const LoaderOptions& options) {
    return prepareDataLoader(DataLoader<Samples>(Samples(std::move(data), std::move(target)), options));
}
template <class Dataset, class Sampler>
auto prepareDataLoader(std::unique_ptr<torch::data::StatelessDataLoader<Dataset, Sampler>> loader,
                       std::int64_t seed = 0) {
    constexpr bool dealt = std::is_base_of_v<torch::data::samplers::DistributedSampler<>, Sampler>;
    return DealtLoader<torch::data::StatelessDataLoader<Dataset, Sampler>, dealt>(std::move(loader),
                                                                                  detail::shardOfThisRank(), seed);
}

// A loader of any type whose batches are samples and targets.
class AnyLoader {
public:
    AnyLoader() = default;
    template <class Loader>
        requires requires(Loader& loader) {
            loader.next()->target;
            loader.begin();
        }
    AnyLoader(Loader loader) : m_held(std::make_shared<Held<Loader>>(std::move(loader))) {}

    explicit operator bool() const { return m_held != nullptr; }
    void setEpoch(std::int64_t epoch) { m_held->setEpoch(epoch); }
    void prepare(const detail::Shard& shard) { m_held->prepare(shard); }
    void forEach(const std::function<void(Batch&)>& work) { m_held->forEach(work); }

private:
    struct Base {
        virtual ~Base() = default;
        virtual void setEpoch(std::int64_t epoch) = 0;
        virtual void prepare(const detail::Shard& shard) = 0;
        virtual void forEach(const std::function<void(Batch&)>& work) = 0;
    };
    template <class Loader>
    struct Held final : Base {
        explicit Held(Loader given) : loader(std::move(given)) {}
        void setEpoch(std::int64_t epoch) override { loader.setEpoch(epoch); }
        void prepare(const detail::Shard& shard) override {
            if constexpr (requires { loader.prepare(shard); }) loader.prepare(shard);
        }
        void forEach(const std::function<void(Batch&)>& work) override {
            for (auto& batch : loader) work(batch);
        }
        Loader loader;
    };
    std::shared_ptr<Base> m_held;
};

} // namespace trainyard::train
