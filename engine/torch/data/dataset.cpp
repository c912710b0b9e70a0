// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/dataset.h"

#include "engine/base/files/folders.h"
#include "engine/base/math/sha256.h"
#include "engine/torch/base/arguments.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/base/out_of_memory.h"
#include "engine/torch/data/dataset_table.h"
#include "engine/torch/data/kept/row_form.h"
#include "engine/torch/data/split.h"
#include "engine/torch/data/table_features.h"

#include <ATen/Parallel.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>

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

// The numbers of one sample's bytes.
void normaliseInto(const std::vector<Table>& tables, std::int64_t plane, const std::uint8_t* from, float* to) {
    for (const Table& table : tables)
        for (std::int64_t p = 0; p < plane; ++p) *to++ = table[*from++];
}

// One pass from the bytes to the batch: no copy of the bytes in between. `bytesAt(i, scratch)` gives those of sample i.
template <class BytesAt>
torch::Tensor normalisedEach(const Dataset& dataset, const std::vector<std::int64_t>& shape, const BytesAt& bytesAt) {
    const std::vector<Table> tables = normalisation(dataset);
    torch::Tensor out = torch::empty(shape, torch::kFloat32);
    const std::int64_t plane = shape[2] * shape[3], each = shape[1] * plane;
    float* to = out.data_ptr<float>();
    at::parallel_for(0, shape[0], 64, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::uint8_t> scratch;
        for (std::int64_t i = begin; i < end; ++i) normaliseInto(tables, plane, bytesAt(i, scratch), to + i * each);
    });
    return out;
}

std::vector<std::int64_t> batchShape(std::int64_t count, at::IntArrayRef sample) {
    std::vector<std::int64_t> shape{count};
    shape.insert(shape.end(), sample.begin(), sample.end());
    return shape;
}

void checkIndex(std::int64_t index, std::int64_t n) {
    TORCH_CHECK_INDEX(index >= 0 && index < n, "sample ", index, " of ", n);
}

torch::Tensor gatherImages(const Dataset& dataset, const torch::Tensor& images, const torch::Tensor& indices) {
    const std::uint8_t* from = images.data_ptr<std::uint8_t>();
    const std::int64_t* index = indices.data_ptr<std::int64_t>();
    const std::int64_t n = images.size(0), each = n > 0 ? images.numel() / n : 0;
    return normalisedEach(dataset, batchShape(indices.size(0), images.sizes().slice(1)),
                          [&](std::int64_t i, std::vector<std::uint8_t>&) {
                              checkIndex(index[i], n);
                              return from + index[i] * each;
                          });
}

// The bytes of a part's sample, in memory or read into `scratch`.
const std::uint8_t* pictureBytes(const Split& split, std::int64_t index, std::vector<std::uint8_t>& scratch) {
    const std::int64_t row = split.rows.data_ptr<std::int64_t>()[index];
    if (const std::uint8_t* here = split.source->bytes(row)) return here;
    scratch.resize(static_cast<std::size_t>(split.source->sampleBytes()));
    const auto done = split.source->read(row, nullptr, scratch.data());
    if (!done) throw train::Raised(done.error());
    return scratch.data();
}

// Rows of a table as features: as they are in memory, filled in and standardised in double precision.
template <class BytesAt>
torch::Tensor rowsAsFeatures(const Dataset& dataset, const RowForm& form, std::int64_t count, const BytesAt& bytesAt) {
    constexpr std::int64_t kRowsAtOnce = 32;
    const std::int64_t width = form.width();
    std::vector<double> fills;
    for (const auto& feature : dataset.table.features)
        fills.push_back(feature.fill.value_or(std::numeric_limits<double>::quiet_NaN()));
    torch::Tensor out = torch::empty({count, width}, torch::kFloat32);
    float* const to = out.data_ptr<float>();
    at::parallel_for(0, count, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::uint8_t> scratch, rows;
        for (std::int64_t i = begin; i < end; i += kRowsAtOnce) {
            rows.clear();
            const std::int64_t some = std::min(kRowsAtOnce, end - i);
            for (std::int64_t row = i; row < i + some; ++row) {
                const std::uint8_t* const bytes = bytesAt(row, scratch);
                rows.insert(rows.end(), bytes, bytes + form.bytes());
            }
            form.standardised(reinterpret_cast<const std::byte*>(rows.data()), some, fills, dataset.mean,
                              dataset.stddev, to + i * width);
        }
    });
    return out;
}

torch::Tensor gatherStored(const Dataset& dataset, const Split& split, const torch::Tensor& indices) {
    const std::int64_t* index = indices.data_ptr<std::int64_t>();
    const auto bytesAt = [&](std::int64_t i, std::vector<std::uint8_t>& scratch) {
        checkIndex(index[i], split.size());
        return pictureBytes(split, index[i], scratch);
    };
    if (const RowForm* form = split.source->rows()) return rowsAsFeatures(dataset, *form, indices.size(0), bytesAt);
    return normalisedEach(dataset, batchShape(indices.size(0), dataset.sampleShape), bytesAt);
}

// Tokens of a text are int32, to save memory.
torch::Tensor widened(const torch::Tensor& samples) {
    return samples.scalar_type() == torch::kInt32 ? samples.to(torch::kInt64) : samples;
}

torch::Tensor targetsAt(const Dataset& dataset, const Split& split, const torch::Tensor& indices) {
    const torch::Tensor targets = split.targets.index_select(0, indices);
    if (dataset.onDevice.targetMean.defined())
        return ((targets.to(torch::kFloat64) - dataset.onDevice.targetMean) / dataset.onDevice.targetStddev)
            .to(torch::kFloat32);
    return targets.is_floating_point() ? standardised(targets, dataset.targetMean, dataset.targetStddev)
                                       : widened(targets);
}

// The same in float32 steps on any device.
torch::Tensor normalised(const Dataset& dataset, const torch::Tensor& images) {
    return images.to(torch::kFloat32).div_(255.0).sub_(dataset.onDevice.mean).div_(dataset.onDevice.stddev);
}

std::int64_t numbersOf(const std::vector<std::int64_t>& shape) {
    std::int64_t numbers = 1;
    for (const std::int64_t side : shape) numbers *= side;
    return numbers;
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

std::int64_t Split::bytes() const {
    if (size() == 0) return 0;
    const auto ofInputs = source ? size() * source->sampleBytes() : static_cast<std::int64_t>(inputs.nbytes());
    return ofInputs + static_cast<std::int64_t>(targets.nbytes());
}

std::vector<std::int64_t> Split::bytesShape(const std::vector<std::int64_t>& sampleShape) const {
    if (source && source->rows()) return {source->sampleBytes()};
    return sampleShape;
}

torch::Tensor Split::sample(std::int64_t i, const std::vector<std::int64_t>& shape) const {
    if (!source) return inputs[i];
    checkIndex(i, size());
    torch::Tensor bytes = torch::empty(shape, torch::kUInt8);
    std::vector<std::uint8_t> scratch;
    std::memcpy(bytes.data_ptr(), pictureBytes(*this, i, scratch), static_cast<std::size_t>(source->sampleBytes()));
    return bytes;
}

Split Split::select(const torch::Tensor& indices) const {
    Split part{inputs, targets.index_select(0, indices), source, rows};
    if (source) part.rows = rows.index_select(0, indices);
    else part.inputs = inputs.index_select(0, indices);
    return part;
}

Split Split::first(std::int64_t n) const {
    Split part{inputs, targets.narrow(0, 0, n), source, rows};
    if (source) part.rows = rows.narrow(0, 0, n);
    else part.inputs = inputs.narrow(0, 0, n);
    return part;
}

torch::Tensor Split::allInputs(const std::vector<std::int64_t>& shape) const {
    if (!source) return inputs;
    std::vector<std::int64_t> all{size()};
    all.insert(all.end(), shape.begin(), shape.end());
    torch::Tensor bytes = torch::empty(all, torch::kUInt8);
    auto* to = bytes.data_ptr<std::uint8_t>();
    const std::int64_t each = source->sampleBytes();
    at::parallel_for(0, size(), 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::uint8_t> scratch;
        for (std::int64_t i = begin; i < end; ++i)
            std::memcpy(to + i * each, pictureBytes(*this, i, scratch), static_cast<std::size_t>(each));
    });
    return bytes;
}

bool Dataset::ofPictures() const {
    return sampleShape.size() == 3 &&
           (train.source || (train.inputs.defined() && train.inputs.scalar_type() == torch::kUInt8));
}

Batch gather(const Dataset& dataset, const Split& split, const torch::Tensor& indices) {
    Batch batch{{}, targetsAt(dataset, split, indices)};
    if (split.source) {
        batch.inputs = gatherStored(dataset, split, indices.to(torch::kCPU).contiguous()).to(split.device());
    } else if (split.inputs.scalar_type() != torch::kUInt8) {
        const torch::Tensor samples = split.inputs.index_select(0, indices);
        batch.inputs = widened(samples);
    } else if (split.inputs.is_cpu()) {
        batch.inputs = gatherImages(dataset, split.inputs.contiguous(), indices.contiguous());
    } else {
        batch.inputs = normalised(dataset, split.inputs.index_select(0, indices));
    }
    return batch;
}

Batch batchOf(const Dataset& dataset, const Split& split, const torch::Tensor& bytes, const torch::Tensor& indices) {
    Batch batch{{}, targetsAt(dataset, split, indices)};
    if (bytes.is_floating_point()) { // features already
        batch.inputs = bytes.to(split.device());
        return batch;
    }
    if (const RowForm* form = split.source ? split.source->rows() : nullptr) {
        const auto* rows = bytes.data_ptr<std::uint8_t>();
        const std::int64_t each = split.source->sampleBytes();
        batch.inputs = rowsAsFeatures(dataset, *form, bytes.size(0), [&](std::int64_t i, std::vector<std::uint8_t>&) {
                           return rows + i * each;
                       }).to(split.device());
        return batch;
    }
    if (!split.device().is_cpu()) {
        batch.inputs = normalised(dataset, bytes.to(split.device()));
        return batch;
    }
    const auto* from = bytes.data_ptr<std::uint8_t>();
    const std::int64_t each = bytes.size(0) > 0 ? bytes.numel() / bytes.size(0) : 0;
    batch.inputs = normalisedEach(dataset, bytes.sizes().vec(),
                                  [&](std::int64_t i, std::vector<std::uint8_t>&) { return from + i * each; });
    return batch;
}

void moveTo(Dataset& dataset, const torch::Device& device) {
    if (device.is_cpu()) return;
    dataset.onDevice = {channelsTo(device, dataset.mean), channelsTo(device, dataset.stddev),
                        copyTo(device, dataset.targetMean, torch::kFloat64),
                        copyTo(device, dataset.targetStddev, torch::kFloat64)};
    std::int64_t numbers = 0;
    for (const Split* split : {&dataset.train, &dataset.validation, &dataset.test})
        if (split->size() > 0 && !split->isStreamed()) numbers += split->size() * numbersOf(dataset.sampleShape);
    for (Split* split : {&dataset.train, &dataset.validation, &dataset.test}) {
        if (split->size() == 0) continue;
        split->targets = split->targets.to(device);
        if (split->isStreamed()) continue;
        split->inputs = split->allInputs(dataset.sampleShape).to(device);
        split->source.reset();
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

namespace {

using Load = Result<Dataset> (*)(const spec::Choice&, std::int64_t, train::TaskKind, const spec::DataRules&);

Result<Dataset> loadBy(const DatasetEntry& entry, Load load, const spec::Choice& choice, std::int64_t seed,
                       train::TaskKind task, const spec::DataRules& rules) {
    TY_TRY(train::Arguments(choice, entry.info, "dataset").check());
    TY_TRY(train::checkServes("dataset " + choice.name, entry.tasks, task));
    if (rules.loading == "stream" && !entry.streams)
        return inputError("the dataset " + choice.name + " cannot be read batch by batch", "data.loading",
                          "leave it at auto, or choose images in a folder, a table or a text");
    return train::guarded("dataset " + choice.name, [&]() -> Result<Dataset> {
        TY_ASSIGN(Dataset dataset, load(choice, seed, task, rules));
        dataset.task = task;
        if (dataset.digest.empty()) { TY_ASSIGN(dataset.digest, digestOf(dataset)); }
        noteMissingClasses(dataset);
        return dataset;
    });
}

} // namespace

Result<Dataset> loadDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                            const spec::DataRules& rules) {
    TY_ASSIGN(const auto entry, datasetEntry(choice.name));
    return loadBy(entry, entry.load, choice, seed, task, rules);
}

Result<Dataset> glanceAtDataset(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                                const spec::DataRules& rules) {
    TY_ASSIGN(const auto entry, datasetEntry(choice.name));
    return loadBy(entry, entry.glance ? entry.glance : entry.load, choice, seed, task, rules);
}

std::vector<std::filesystem::path> datasetFolders(const std::string& name, const std::string& chosen) {
    if (!chosen.empty()) return {chosen};
    std::vector<std::filesystem::path> folders;
    if (const auto home = datasetHome(); !home.empty()) folders.push_back(home / name);
    folders.push_back(std::filesystem::path("/usr/share/datasets") / name);
    return folders;
}

Result<void> checkMemoryFor(double bytes, const std::string& what, Copies copies) {
    if (bytes < 64e6) return {}; // not worth asking
    const train::RanksOfHost ranks = train::ranksOfHost();
    const double available = ranks.count > 1 ? ranks.available : train::availableMemory();
    const int count = copies == Copies::OnePerHost ? 1 : ranks.count;
    if (bytes * count <= available) return {};
    const bool shared = copies == Copies::OnePerHost;
    const std::string each = shared      ? ""
                             : count > 1 ? " in each of the " + std::to_string(count) + " workers here"
                                         : " in each worker";
    return environmentError("needs about " + gigabytes(bytes) + " of memory" + each + ", and " + gigabytes(available) +
                                " are free",
                            what,
                            shared ? "set data.loading to stream, or use fewer or smaller images"
                                   : "use fewer or smaller samples, fewer workers, or a computer with more memory")
        .withCode(ErrorCode::OutOfMemory);
}

} // namespace trainyard::data
