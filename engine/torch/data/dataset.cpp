// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/dataset.h"

#include "engine/base/files/folders.h"
#include "engine/base/math/sha256.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/table_features.h"

#include <ATen/Parallel.h>

#include <array>
#include <cstdio>
#include <filesystem>

namespace trainyard::data {

namespace {

using Table = std::array<float, 256>;

// Images of a dataset up to this many numbers become float32 when they are brought to a device: 1 GiB of its memory,
// and each step has five kernels fewer to start.
constexpr std::int64_t kNormalisedAhead = std::int64_t{1} << 28;

// What each byte becomes, per channel. Rounds as (x / 255 - mean) / stddev in float32 does.
std::vector<Table> normalisation(const Dataset& dataset) {
    std::vector<Table> tables(dataset.mean.size());
    for (std::size_t c = 0; c < tables.size(); ++c) {
        const auto mean = static_cast<float>(dataset.mean[c]), stddev = static_cast<float>(dataset.stddev[c]);
        for (std::size_t x = 0; x < 256; ++x) tables[c][x] = (static_cast<float>(x) / 255.0f - mean) / stddev;
    }
    return tables;
}

// One pass from the resident bytes to the batch: no copy of the bytes in between.
torch::Tensor gatherImages(const Dataset& dataset, const torch::Tensor& images, const torch::Tensor& indices) {
    const std::vector<Table> tables = normalisation(dataset);
    const std::int64_t n = images.size(0), channels = images.size(1);
    const std::int64_t plane = images.size(2) * images.size(3);
    std::vector<std::int64_t> shape = images.sizes().vec();
    shape[0] = indices.size(0);
    torch::Tensor out = torch::empty(shape, torch::kFloat32);
    const std::uint8_t* from = images.data_ptr<std::uint8_t>();
    const std::int64_t* index = indices.data_ptr<std::int64_t>();
    float* to = out.data_ptr<float>();
    at::parallel_for(0, shape[0], 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            TORCH_CHECK_INDEX(index[i] >= 0 && index[i] < n, "sample ", index[i], " of ", n);
            for (std::int64_t c = 0; c < channels; ++c) {
                const float* table = tables[static_cast<std::size_t>(c)].data();
                const std::uint8_t* source = from + (index[i] * channels + c) * plane;
                float* target = to + (i * channels + c) * plane;
                for (std::int64_t p = 0; p < plane; ++p) target[p] = table[source[p]];
            }
        }
    });
    return out;
}

// The same in float32 steps on any device.
torch::Tensor normalised(const Dataset& dataset, const torch::Tensor& images) {
    return images.to(torch::kFloat32).div_(255.0).sub_(dataset.onDevice.mean).div_(dataset.onDevice.stddev);
}

torch::Tensor copyTo(const torch::Device& device, const std::vector<double>& values, torch::ScalarType type) {
    return values.empty() ? torch::Tensor() : torch::tensor(values, type).to(device);
}

// Of what a set was read from, for loaders that do not know better. A published set is known by its labels.
Result<std::string> digestOf(const Dataset& dataset) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(dataset.source, ignored)) return sha256HexOf(dataset.source);
    if (!std::filesystem::is_directory(dataset.source, ignored)) return std::string(); // generated
    Sha256 hash;
    for (const Split* split : {&dataset.train, &dataset.validation, &dataset.test}) {
        if (split->size() == 0) continue;
        const torch::Tensor targets = split->targets.contiguous();
        hash.add(targets.data_ptr(), targets.nbytes());
    }
    return hash.hex();
}

// Of images, to be applied to each channel.
torch::Tensor channelsTo(const torch::Device& device, const std::vector<double>& values) {
    const auto copy = copyTo(device, values, torch::kFloat32);
    return copy.defined() ? copy.view({1, -1, 1, 1}) : copy;
}

std::string gigabytes(double bytes) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f GB", bytes / 1e9);
    return text.data();
}

} // namespace

Batch gather(const Dataset& dataset, const Split& split, const torch::Tensor& indices) {
    Batch batch;
    batch.targets = split.targets.index_select(0, indices);
    if (dataset.onDevice.targetMean.defined())
        batch.targets =
            ((batch.targets.to(torch::kFloat64) - dataset.onDevice.targetMean) / dataset.onDevice.targetStddev)
                .to(torch::kFloat32);
    else if (batch.targets.is_floating_point())
        batch.targets = standardised(batch.targets, dataset.targetMean, dataset.targetStddev);
    if (split.inputs.scalar_type() != torch::kUInt8) batch.inputs = split.inputs.index_select(0, indices);
    else if (split.inputs.is_cpu())
        batch.inputs = gatherImages(dataset, split.inputs.contiguous(), indices.contiguous());
    else batch.inputs = normalised(dataset, split.inputs.index_select(0, indices));
    return batch;
}

void moveTo(Dataset& dataset, const torch::Device& device) {
    if (device.is_cpu()) return;
    dataset.onDevice = {channelsTo(device, dataset.mean), channelsTo(device, dataset.stddev),
                        copyTo(device, dataset.targetMean, torch::kFloat64),
                        copyTo(device, dataset.targetStddev, torch::kFloat64)};
    std::int64_t numbers = 0;
    for (const Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->size() > 0) numbers += split->inputs.numel();
    for (Split* split : {&dataset.train, &dataset.validation, &dataset.test}) {
        if (split->size() == 0) continue;
        split->inputs = split->inputs.to(device);
        split->targets = split->targets.to(device);
        if (split->inputs.scalar_type() == torch::kUInt8 && numbers <= kNormalisedAhead)
            split->inputs = normalised(dataset, split->inputs);
    }
}

std::vector<DatasetEntry> datasetEntries() {
#define TRAINYARD_MAKE(entry) entry(),
    return {TRAINYARD_DATASETS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
}

Result<DatasetEntry> datasetEntry(const std::string& name) {
#define TRAINYARD_NAME(entry) entry,
    static constexpr std::array makers = {TRAINYARD_DATASETS(TRAINYARD_NAME)};
#undef TRAINYARD_NAME
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const auto& make : makers) list.push_back(make().info.name);
        return list;
    }();
    TY_ASSIGN(const std::size_t row, train::findName(names, name, "dataset"));
    return makers[row]();
}

Result<Dataset> loadDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                            const spec::DataRules& rules) {
    TY_ASSIGN(const auto entry, datasetEntry(choice.name));
    TY_TRY(train::Arguments(choice, entry.info, "dataset").check());
    TY_TRY(train::checkServes("dataset " + choice.name, entry.tasks, task));
    return train::guarded("dataset " + choice.name, [&]() -> Result<Dataset> {
        TY_ASSIGN(Dataset dataset, entry.load(choice, seed, task, rules));
        dataset.task = task;
        if (dataset.digest.empty()) { TY_ASSIGN(dataset.digest, digestOf(dataset)); }
        noteMissingClasses(dataset);
        return dataset;
    });
}

std::vector<std::filesystem::path> datasetFolders(const std::string& name, const std::string& chosen) {
    if (!chosen.empty()) return {chosen};
    std::vector<std::filesystem::path> folders;
    if (const auto home = datasetHome(); !home.empty()) folders.push_back(home / name);
    folders.push_back(std::filesystem::path("/usr/share/datasets") / name);
    return folders;
}

Result<void> checkMemoryFor(double bytes, const std::string& what) {
    if (bytes < 64e6) return {}; // not worth asking
    const double available = train::availableMemory();
    if (bytes <= available) return {};
    return environmentError("needs about " + gigabytes(bytes) + " of memory in each worker, and " +
                                gigabytes(available) + " are free",
                            what, "use fewer or smaller samples, or a computer with more memory");
}

} // namespace trainyard::data
