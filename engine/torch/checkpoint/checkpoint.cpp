// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/checkpoint/checkpoint.h"

#include "engine/base/json_text.h"
#include "engine/store/files/safetensors.h"
#include "engine/torch/base/compat.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/base/json_io.h"
#include "engine/torch/base/tensor_bytes.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstring>

namespace trainyard::train {

using nlohmann::json;
using optim::NamedTensors;

namespace {

constexpr const char* kFormat = "trainyard-checkpoint";
constexpr int kWithoutCarried = 1; // the version that programs read which know nothing of carried tensors
const std::string kModelPrefix = "model.", kOptimizerPrefix = "optimizer.", kAveragePrefix = "ema.",
                  kCarriedPrefix = "averager.", kRngPrefix = "rng.rank";

json toJson(const std::map<std::string, double>& numbers) {
    json object = json::object();
    for (const auto& [name, number] : numbers) object[name] = jsonNumber(number);
    return object;
}

store::Metadata metadataOf(const TrainState& state) {
    const json trainState = {
        {"batchInEpoch", state.batchInEpoch},
        {"optimizer", {{"kind", state.optimizer.kind}, {"scalars", toJson(state.optimizer.scalars)}}},
        {"progress", toJson(state.progress)},
    };
    store::Metadata metadata{
        {"format", kFormat},
        {"version", std::to_string(state.carried.empty() ? kWithoutCarried : kCheckpointVersion)},
        {"trainyard", TRAINYARD_VERSION},
        {"libtorch", compat::libtorchVersion()},
        {"step", std::to_string(state.step)},
        {"epoch", std::to_string(state.epoch)},
        {"run", state.runJson},
        {"metrics", jsonText(toJson(state.metrics))},
        {"points", jsonText(json(state.points))},
        {"state", jsonText(trainState)},
        {"modelInfo", modelInfoJson(state.modelInfo)},
    };
    if (!state.unstored.empty()) metadata.emplace("unstored", jsonText(json(state.unstored)));
    return metadata;
}

Result<std::int64_t> wholeNumber(const store::Metadata& metadata, const char* key, const std::string& where) {
    const auto found = metadata.find(key);
    const std::string text = found == metadata.end() ? std::string() : found->second;
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number < 0)
        return inputError(std::string("the checkpoint's \"") + key + "\" is not a whole number", where);
    return number;
}

Result<json> objectIn(const store::Metadata& metadata, const char* key, const std::string& where) {
    const auto found = metadata.find(key);
    return parseObject(found == metadata.end() ? std::string() : found->second, where + ", metadata \"" + key + "\"");
}

Result<void> checkFormat(const store::Metadata& metadata, const std::string& where) {
    const auto format = metadata.find("format");
    if (format == metadata.end() || format->second != kFormat)
        return inputError("is a safetensors file, but not a checkpoint of Trainyard", where,
                          "give the checkpoint of a run");
    TY_ASSIGN(const std::int64_t version, wholeNumber(metadata, "version", where));
    if (version > kCheckpointVersion)
        return inputError("was written by a newer Trainyard (checkpoint version " + std::to_string(version) +
                              "; this one reads up to " + std::to_string(kCheckpointVersion) + ")",
                          where, "update Trainyard");
    return {};
}

json pinJson(const DataPin& pin) {
    return {{"dataset", pin.dataset}, {"features", pin.features}, {"train", pin.train}, {"validation", pin.validation},
            {"test", pin.test},       {"digest", pin.digest},     {"mean", pin.mean},   {"stddev", pin.stddev}};
}

DataPin pinIn(const json& info) {
    const json pin = info.value("pin", json::object());
    if (!pin.is_object()) return {};
    return {textOr(pin, "dataset", {}),      textsOr(pin, "features"),  integerOr(pin, "train", 0),
            integerOr(pin, "validation", 0), integerOr(pin, "test", 0), textOr(pin, "digest", {}),
            numbersOr(pin, "mean"),          numbersOr(pin, "stddev")};
}

json toJson(const TokenLayout& layout) {
    return {{"kind", layout.kind == TokenLayout::Kind::Bytes ? "bytes" : "characters"},
            {"merges", layout.merges},
            {"end", layout.end},
            {"special", layout.special}};
}

TokenLayout tokenLayoutFrom(const json& object) {
    if (!object.is_object()) return {};
    return {textOr(object, "kind", {}) == "bytes" ? TokenLayout::Kind::Bytes : TokenLayout::Kind::Characters,
            integersOr(object, "merges"), integerOr(object, "end", -1), integersOr(object, "special")};
}

Result<ModelInfo> infoFrom(const json& info) {
    ModelInfo made{integersOr(info, "sampleShape"),
                   integerOr(info, "classes", 0),
                   textsOr(info, "classNames"),
                   numbersOr(info, "mean"),
                   numbersOr(info, "stddev"),
                   TaskKind::Classification,
                   numbersOr(info, "targetMean"),
                   numbersOr(info, "targetStddev"),
                   pinIn(info),
                   tableLayoutFrom(info.value("table", json())),
                   numbersOr(info, "thresholds"),
                   info.contains("weights") && info["weights"].is_object() ? jsonText(info["weights"]) : "",
                   tokenLayoutFrom(info.value("tokens", json()))};
    if (info.contains("task")) { TY_ASSIGN(made.task, taskFromString(textOr(info, "task", {}))); }
    return made;
}

Result<void> readMetadata(TrainState& state, const store::Metadata& metadata, const std::string& where) {
    TY_ASSIGN(state.step, wholeNumber(metadata, "step", where));
    TY_ASSIGN(state.epoch, wholeNumber(metadata, "epoch", where));
    if (const auto run = metadata.find("run"); run != metadata.end()) state.runJson = run->second;
    TY_ASSIGN(const json trainState, objectIn(metadata, "state", where));
    state.batchInEpoch = integerOr(trainState, "batchInEpoch", 0);
    state.progress = numberMapOr(trainState, "progress");
    const json optimizer = trainState.value("optimizer", json::object());
    state.optimizer.kind = textOr(optimizer, "kind", {});
    state.optimizer.scalars = numberMapOr(optimizer, "scalars");
    TY_ASSIGN(const json metrics, objectIn(metadata, "metrics", where));
    state.metrics = numberMapOr(json{{"metrics", metrics}}, "metrics");
    TY_ASSIGN(const json info, objectIn(metadata, "modelInfo", where));
    TY_ASSIGN(state.modelInfo, infoFrom(info));
    return {};
}

Result<void> addTensor(TrainState& state, const std::string& name, torch::Tensor tensor, const std::string& where) {
    if (name.starts_with(kModelPrefix)) {
        state.model.emplace_back(name.substr(kModelPrefix.size()), std::move(tensor));
        return {};
    }
    if (name.starts_with(kOptimizerPrefix)) {
        state.optimizer.tensors.emplace_back(name.substr(kOptimizerPrefix.size()), std::move(tensor));
        return {};
    }
    if (name.starts_with(kAveragePrefix)) {
        state.average.emplace_back(name.substr(kAveragePrefix.size()), std::move(tensor));
        return {};
    }
    if (name.starts_with(kCarriedPrefix)) {
        state.carried.emplace_back(name.substr(kCarriedPrefix.size()), std::move(tensor));
        return {};
    }
    if (name.starts_with(kRngPrefix))
        return {}; // older checkpoints kept generators, which now follow from seed and step
    return inputError("holds a tensor \"" + name + "\" that no checkpoint has", where);
}

// A NaN anywhere makes every later number NaN; better no checkpoint than one that cannot be used.
store::TensorSource finiteSource(const std::string& name, const torch::Tensor& tensor, std::int64_t step) {
    auto source = sourceOf(kModelPrefix + name, tensor);
    source.produce = [name, tensor, step](const ByteSink& sink) {
        return handOver(tensor, [&](std::span<const std::byte> piece) -> Result<void> {
            if (allFinite(tensor.scalar_type(), piece)) return sink(piece);
            return runError("the weights \"" + name + "\" are not finite, so no checkpoint was written",
                            "step " + std::to_string(step), "lower the learning rate")
                .withCode(ErrorCode::LossNotFinite);
        });
    };
    return source;
}

store::TensorSource throughGate(store::TensorSource source, IdleGate& gate) {
    source.produce = [produce = std::move(source.produce), &gate](const ByteSink& sink) {
        return produce([&](std::span<const std::byte> piece) {
            gate.pass(piece.size());
            return sink(piece);
        });
    };
    return source;
}

std::string firstNotFinite(const NamedTensors& tensors) {
    for (const auto& [name, tensor] : tensors) // as they came from a file: one after another in memory
        if (!allFinite(tensor.scalar_type(), {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()}))
            return name;
    return {};
}

PackedTensors packedTensors(const TrainState& state) {
    PackedTensors packed;
    for (const auto& [name, tensor] : state.model) packed.add(kModelPrefix + name, tensor);
    for (const auto& [name, tensor] : state.average) packed.add(kAveragePrefix + name, tensor);
    for (const auto& [name, tensor] : state.optimizer.tensors) packed.add(kOptimizerPrefix + name, tensor);
    for (const auto& [name, tensor] : state.carried) packed.add(kCarriedPrefix + name, tensor);
    return packed;
}

} // namespace

std::string modelInfoJson(const ModelInfo& info) {
    json object{{"sampleShape", info.sampleShape}, {"classes", info.classes},
                {"classNames", info.classNames},   {"mean", info.mean},
                {"stddev", info.stddev},           {"task", toString(info.task)},
                {"targetMean", info.targetMean},   {"targetStddev", info.targetStddev}};
    if (info.pin.known()) object["pin"] = pinJson(info.pin);
    if (!info.thresholds.empty()) object["thresholds"] = info.thresholds;
    if (info.table.isTable()) object["table"] = toJson(info.table);
    if (!info.weights.empty()) object["weights"] = parseSortedJson(info.weights);
    if (info.tokens.kind == TokenLayout::Kind::Bytes || info.tokens.end >= 0) object["tokens"] = toJson(info.tokens);
    return jsonText(object);
}

Result<ModelInfo> modelInfoFrom(const std::string& text, const std::string& where) {
    const json object = parseSortedJson(text);
    if (!object.is_object()) return inputError("is not a JSON object", where);
    return infoFrom(object);
}

NamedTensors servingTensors(const TrainState& state) {
    const std::map<std::string, torch::Tensor> averages(state.average.begin(), state.average.end());
    NamedTensors tensors = state.model;
    for (auto& [name, tensor] : tensors)
        if (const auto found = averages.find(name); found != averages.end()) tensor = found->second;
    return mergedAdapters(tensors, state.runJson);
}

TrainState snapshot(const TrainState& state) {
    TrainState copy = state;
    const auto own = [](torch::Tensor& tensor) {
        tensor = tensor.detach().to(torch::kCPU, /*non_blocking=*/false, /*copy=*/true);
    };
    for (auto& [name, tensor] : copy.model) own(tensor);
    for (auto& [name, tensor] : copy.average) own(tensor);
    for (auto& [name, tensor] : copy.optimizer.tensors) own(tensor);
    for (auto& [name, tensor] : copy.carried) own(tensor);
    return copy;
}

Result<void> saveCheckpoint(const std::filesystem::path& path, const TrainState& state, IdleGate* gate,
                            Outlives outlives) {
    return guarded(path.string(), [&]() -> Result<void> {
        std::vector<store::TensorSource> sources;
        for (const auto& [name, tensor] : state.model) sources.push_back(finiteSource(name, tensor, state.step));
        for (const auto& [name, tensor] : state.average) sources.push_back(sourceOf(kAveragePrefix + name, tensor));
        for (const auto& [name, tensor] : state.optimizer.tensors)
            sources.push_back(sourceOf(kOptimizerPrefix + name, tensor));
        for (const auto& [name, tensor] : state.carried) sources.push_back(sourceOf(kCarriedPrefix + name, tensor));
        if (gate)
            for (auto& source : sources) source = throughGate(std::move(source), *gate);
        return store::writeSafetensorsFrom(path, sources, metadataOf(state), outlives);
    });
}

// The length of the header, the header (JSON), the tensors one after another.
torch::Tensor packState(const TrainState& state) {
    const auto packed = packedTensors(state);
    json tensors = json::array();
    std::size_t size = 0;
    for (const auto& tensor : packed.list()) {
        tensors.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.bytes.size()});
        size += tensor.bytes.size();
    }
    const std::string header = jsonText(json{{"metadata", metadataOf(state)}, {"tensors", tensors}});
    const std::uint64_t length = header.size();
    auto bytes = torch::empty({static_cast<std::int64_t>(sizeof length + length + size)}, torch::kUInt8);
    auto* at = bytes.data_ptr<std::uint8_t>();
    const auto put = [&at](const void* data, std::size_t count) {
        if (count > 0) std::memcpy(at, data, count);
        at += count;
    };
    put(&length, sizeof length);
    put(header.data(), length);
    for (const auto& tensor : packed.list()) put(tensor.bytes.data(), tensor.bytes.size());
    return bytes;
}

Result<TrainState> unpackState(const torch::Tensor& bytes, const std::string& where) {
    return guarded(where, [&]() -> Result<TrainState> {
        const auto all = std::span(static_cast<const std::byte*>(bytes.data_ptr()), bytes.nbytes());
        std::uint64_t length = 0;
        if (all.size() < sizeof length) return runError("is cut short", where);
        std::memcpy(&length, all.data(), sizeof length);
        auto rest = all.subspan(sizeof length);
        if (length > rest.size()) return runError("is cut short", where);
        const auto header = parseSortedJson({reinterpret_cast<const char*>(rest.data()), length});
        rest = rest.subspan(length);
        TrainState state;
        TY_TRY(readMetadata(state, header.at("metadata").get<store::Metadata>(), where));
        for (const auto& entry : header.at("tensors")) {
            const store::TensorInfo info{entry.at(0), entry.at(1), entry.at(2), 0, 0};
            const auto size = entry.at(3).get<std::size_t>();
            if (size > rest.size()) return runError("is cut short", where);
            TY_ASSIGN(torch::Tensor tensor, unpack(info, rest.first(size), where));
            TY_TRY(addTensor(state, info.name, std::move(tensor), where));
            rest = rest.subspan(size);
        }
        return state;
    });
}

Result<TrainState> loadCheckpoint(const std::filesystem::path& path) {
    TY_ASSIGN(const store::SafetensorsFile file, store::SafetensorsFile::open(path));
    const std::string where = path.string();
    TY_TRY(checkFormat(file.metadata(), where));
    return guarded(where, [&]() -> Result<TrainState> {
        TrainState state;
        TY_TRY(readMetadata(state, file.metadata(), where));
        for (const store::TensorInfo& info : file.tensors()) {
            TY_ASSIGN(torch::Tensor tensor, unpack(info, file.bytes(info), where));
            TY_TRY(addTensor(state, info.name, std::move(tensor), where));
        }
        if (state.model.empty()) return inputError("holds no weights", where);
        if (const std::string bad = firstNotFinite(state.model); !bad.empty())
            return inputError("the weights \"" + bad + "\" hold NaN or infinite numbers", where,
                              "use an earlier checkpoint");
        return state;
    });
}

} // namespace trainyard::train
