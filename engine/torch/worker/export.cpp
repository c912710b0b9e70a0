// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/export.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/share/export_run.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/checkpoint/state_dict_archive.h"
#include "engine/torch/worker/trained_model.h"

#include <filesystem>

namespace trainyard::train {

namespace fs = std::filesystem;

namespace {

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
