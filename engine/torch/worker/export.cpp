// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/export.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/share/export_run.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/worker/trained_model.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <filesystem>
#include <functional>
#include <string>

namespace trainyard::train {

namespace fs = std::filesystem;

namespace {

// The archive that Python's torch.save makes of a dictionary of tensors (on the CPU, any layout), of nothing but what
// torch.load takes with weights_only, its default from PyTorch 2.6 on. torch::pickle_save notes the type of the
// dictionary's keys and values as well, by a function that is not allowed there. Throws c10::Error.
std::string stateDictArchive(const optim::NamedTensors& tensors) {
    c10::Dict<std::string, at::Tensor> dictionary;
    for (const auto& [name, tensor] : tensors) dictionary.insert(name, tensor);
    std::string pickled, archive;
    torch::jit::Pickler pickler([&](const char* bytes, std::size_t count) { pickled.append(bytes, count); },
                                /*tensor_table=*/nullptr, /*type_renamer=*/nullptr, /*memoized_class_types=*/nullptr,
                                /*get_tensor_id=*/nullptr, /*tag_aggregates=*/false);
    pickler.protocol();
    pickler.pushIValue(c10::IValue(dictionary));
    pickler.stop();
    const std::function<std::size_t(const void*, std::size_t)> append = [&](const void* bytes, std::size_t count) {
        archive.append(static_cast<const char*>(bytes), count);
        return count;
    };
    caffe2::serialize::PyTorchStreamWriter writer(append);
    std::size_t number = 0; // by which the pickle names a tensor's memory
    for (const at::Tensor& tensor : pickler.tensorData()) {
        const auto memory = torch::jit::getWriteableTensorData(tensor);
        writer.writeRecord("data/" + std::to_string(number++), memory.data(), memory.sizeInBytes());
    }
    writer.writeRecord("data.pkl", pickled.data(), pickled.size());
    writer.writeEndOfFile();
    return archive;
}

Result<void> checkTarget(const fs::path& out, bool overwrite) {
    std::error_code ignored;
    if (fs::is_directory(out, ignored)) return inputError("is a folder", out.string(), "name a file");
    if (fs::exists(out, ignored) && !overwrite)
        return inputError("exists already", out.string(), "name another file, or use --force to replace it");
    const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) return inputError("the folder does not exist", folder.string());
    return {};
}

Result<void> exportStateDict(const TrainState& state, const fs::path& out) {
    return writeFileAtomic(out, stateDictArchive(servingTensors(state)));
}

Result<void> exportTorchScript(const fs::path& checkpoint, const fs::path& out) {
    TY_ASSIGN(const TrainedModel trained, loadTrained(checkpoint));
    TY_ASSIGN(const std::string bytes, torchScriptOf(trained));
    return writeFileAtomic(out, bytes);
}

} // namespace

Result<void> exportModel(const fs::path& checkpoint, const fs::path& out, const ExportOptions& options) {
    if (options.format != "safetensors" && options.format != "state-dict" && options.format != "torchscript")
        return inputError("\"" + options.format + "\" is not known", "--format",
                          "one of: safetensors, state-dict, torchscript");
    TY_TRY(checkTarget(out, options.overwrite));
    if (options.format == "torchscript") return exportTorchScript(checkpoint, out);
    if (options.format == "safetensors") return run::exportSafetensors(checkpoint, out);
    TY_ASSIGN(const TrainState state, loadCheckpoint(checkpoint));
    return guarded(out.string(), [&] { return exportStateDict(state, out); });
}

} // namespace trainyard::train
