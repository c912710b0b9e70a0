// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/serve/serve_model.h"

#include "app/ctl/run_file.h"
#include "app/ctl/runs/checkpoint_file.h"
#include "engine/run/record/place/saved_place.h"

#include <filesystem>

namespace trainyard::ctl::serving {
namespace {

namespace fs = std::filesystem;

// Weights without the code that they belong to.
Error notServable(const std::string& run, const std::string& file) {
    return inputError(
        "is a checkpoint of a program: weights without the model that they belong to", run,
        "let the program save its model with torch.jit.save(torch.jit.script(model), \"model.pt\", "
        "_extra_files={\"modelInfo.json\": '{\"sampleShape\": [3, 224, 224], \"classes\": 10}'}), and serve "
        "that file; it has saved " +
            file);
}

// Those of torch.jit.save have their code in the archive; the worker looks at it again.
bool isScript(const fs::path& file) {
    const auto ending = file.extension();
    return ending == ".pt" || ending == ".ts" || ending == ".torchscript";
}

} // namespace

Result<serve::ServedModel> servedModelOf(const Session& session, const std::string& given) {
    std::error_code ignored;
    if (fs::is_regular_file(given, ignored)) {
        const fs::path file = fs::absolute(given, ignored).lexically_normal();
        return serve::ServedModel{serve::serviceNameOf(file.stem().string()), file.string(), {}, -1};
    }
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    const auto row = open.query->checkpoint(given);
    if (!row) {
        if (given.find('/') == given.npos && !isScript(given) && !given.ends_with(".safetensors")) return row.error();
        return inputError("there is no such file", given, "check the path").withCode(ErrorCode::FileMissing);
    }
    TY_ASSIGN(const auto run, runAt(*open.query, given));
    TY_ASSIGN(const fs::path file, run::savedHere(run.folder, row->path, run.name, row->step));
    const auto spec = spec::parseRunSpec(run.specJson);
    if (spec && spec->program && (fs::is_directory(file, ignored) || !isScript(file)))
        return notServable(run.name, file.string());
    return serve::ServedModel{serve::serviceNameOf(run.name), file.string(), run.name, row->step};
}

} // namespace trainyard::ctl::serving
