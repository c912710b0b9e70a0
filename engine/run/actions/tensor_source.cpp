// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/tensor_source.h"

#include "engine/program/checkpoints/read_content.h"
#include "engine/store/files/tensor_values.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeights = "model.";

// What only the training needs, by the first part of a name in a .pt file.
bool isOfTraining(std::string_view name) {
    constexpr std::array<std::string_view, 8> kBegins{"optim", "lr_sched", "scheduler", "scaler",
                                                      "rng",   "random",   "callbacks", "loops"};
    return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

// The first part with its point that all the weights' names have in common, as of {"state_dict": {…}}; again for what
// is in that.
std::string wrapperOf(const std::vector<store::TensorInfo>& tensors) {
    std::string wrapper;
    for (;;) {
        std::optional<std::string> part;
        for (const auto& tensor : tensors) {
            if (isOfTraining(tensor.name)) continue;
            const auto dot = tensor.name.find('.', wrapper.size());
            if (dot == std::string::npos) return wrapper;
            const std::string own = tensor.name.substr(0, dot + 1);
            if (part && *part != own) return wrapper;
            part = own;
        }
        constexpr std::array<std::string_view, 9> kWrappers{"model.",     "state_dict.",  "model_state_dict.",
                                                            "module.",    "net.",         "network.",
                                                            "_orig_mod.", "model_state.", "weights."};
        if (!part || std::ranges::find(kWrappers, part->substr(wrapper.size())) == kWrappers.end()) return wrapper;
        wrapper = *part;
    }
}

fs::path weightsIn(const fs::path& folder) {
    std::error_code ignored;
    for (const char* name : {"model.safetensors", "pytorch_model.bin", "adapter_model.safetensors"})
        if (fs::is_regular_file(folder / name, ignored)) return folder / name;
    return {};
}

} // namespace

Result<TensorSource> TensorSource::open(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        const auto file = weightsIn(path);
        if (file.empty())
            return inputError("is a folder without model.safetensors", path.string(), "name one of its files");
        return open(file);
    }
    if (path.extension() != ".safetensors")
        if (const auto file = PlacedReader::open(path);
            file && program::formatOf(*file) != program::FileContent::Format::Safetensors && file->size() > 0)
            return openTorch(path);
    // Checksums are taken tensor by tensor, so that never more than one is needed in memory.
    TY_ASSIGN(auto file, store::SafetensorsFile::open(path, false));
    TY_TRY(file.checkHeader());
    const auto step = file.metadata().find("step");
    const std::int64_t number = step == file.metadata().end() ? -1 : std::strtoll(step->second.c_str(), nullptr, 10);
    auto tensors = file.tensors();
    TensorSource source(std::move(file), path.string());
    source.m_step = number;
    source.m_isOurs =
        std::ranges::any_of(tensors, [](const auto& tensor) { return tensor.name.starts_with(kWeights); });
    source.m_tensors = std::move(tensors);
    return source;
}

Result<TensorSource> TensorSource::openTorch(const fs::path& path) {
    TY_ASSIGN(const auto content, program::readContent(path));
    TY_ASSIGN(auto file, PlacedReader::open(path));
    TensorSource source(std::move(file), path.string());
    for (const auto& tensor : content.tensors)
        if (tensor.offset && store::elementSize(tensor.dtype))
            source.m_tensors.push_back(
                {tensor.path, tensor.dtype, tensor.shape, *tensor.offset, *tensor.offset + tensor.bytes});
    if (source.m_tensors.empty())
        return inputError(content.notes.empty() ? "holds no tensor that can be read" : content.notes.front(),
                          path.string(), "name a file of torch.save or a safetensors file with tensors in it");
    source.m_step = content.step.value_or(-1);
    source.m_wrapper = wrapperOf(source.m_tensors);
    return source;
}

std::string TensorSource::plainName(const std::string& name) const {
    return name.starts_with(m_wrapper) ? name.substr(m_wrapper.size()) : name;
}

std::map<std::string, const store::TensorInfo*> TensorSource::compared(bool all) const {
    std::map<std::string, const store::TensorInfo*> named;
    const bool isTorch = std::holds_alternative<PlacedReader>(m_file);
    for (const auto& tensor : m_tensors) {
        if (isTorch && (all || !isOfTraining(tensor.name))) named[plainName(tensor.name)] = &tensor;
        if (isTorch) continue;
        if (all || !m_isOurs) named[tensor.name] = &tensor;
        else if (tensor.name.starts_with(kWeights)) named[tensor.name.substr(kWeights.size())] = &tensor;
    }
    return named;
}

Result<void> TensorSource::check(const store::TensorInfo& tensor) const {
    if (const auto* file = std::get_if<store::SafetensorsFile>(&m_file)) return file->check(tensor);
    return {};
}

Result<void> TensorSource::read(const store::TensorInfo& tensor, std::size_t first, std::span<double> out) const {
    if (const auto* file = std::get_if<store::SafetensorsFile>(&m_file)) {
        store::readValues(tensor.dtype, file->bytes(tensor), first, out);
        return {};
    }
    const std::size_t width = static_cast<std::size_t>(store::elementSize(tensor.dtype).value_or(1));
    std::vector<std::byte> bytes(out.size() * width);
    TY_TRY(std::get<PlacedReader>(m_file).read(tensor.begin + first * width, bytes));
    store::readValues(tensor.dtype, bytes, 0, out);
    return {};
}

void TensorSource::release(const store::TensorInfo& tensor) const {
    if (const auto* file = std::get_if<store::SafetensorsFile>(&m_file)) file->release(tensor);
}

} // namespace trainyard::run
