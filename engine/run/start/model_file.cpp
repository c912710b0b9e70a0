// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/model_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/math/sha256.h"

namespace trainyard::run {

namespace fs = std::filesystem;

constexpr std::size_t kMaxModelFile = std::size_t{16} << 30;

namespace {

// ", and no plug-in mine in /a or /b"
std::string lookedFor(const std::string& name) {
    std::string text;
    for (const fs::path& folder : pluginFolders()) text += (text.empty() ? "" : " or ") + folder.string();
    return text.empty() ? text : ", and no plug-in " + name + " in " + text;
}

} // namespace

Result<void> checkWeightsFile(const spec::RunSpec& spec) {
    std::error_code ignored;
    if (spec.weights.file.empty() || !spec.hosts.empty() || fs::exists(spec.weights.file, ignored)) return {};
    return inputError("there is no file " + spec.weights.file, "model.weights.file",
                      "name a file of weights (.pth, .pt, .safetensors), or leave it out")
        .withCode(ErrorCode::FileMissing);
}

Result<void> pinModelFile(spec::RunSpec& spec) {
    if (spec.model.name != "torchscript" && spec.model.name != "plugin") return {};
    const std::string given = spec.model.text("path", {});
    if (given.empty()) return inputError("is missing", "model.params.path", "name the file of the model");
    std::error_code ignored;
    fs::path path = fs::absolute(given, ignored);
    const bool plugin = spec.model.name == "plugin";
    if (plugin && !fs::exists(path, ignored))
        if (const fs::path installed = findPlugin(given); !installed.empty()) path = installed;
    if (!fs::exists(path, ignored)) {
        if (!spec.hosts.empty()) return {};
        return inputError("there is no file " + path.string() + (plugin ? lookedFor(path.filename().string()) : ""),
                          "model.params.path", "name the file of the model")
            .withCode(ErrorCode::FileMissing);
    }
    spec.model.params["path"] = path.string();
    if (!spec.model.text("sha256", {}).empty()) return {};
    TY_ASSIGN(const std::string bytes, readFile(path, kMaxModelFile));
    spec.model.params["sha256"] = sha256Hex(std::as_bytes(std::span(bytes)));
    return {};
}

} // namespace trainyard::run
