// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/serve/serve_model.h"

#include "app/ctl/home.h"
#include "app/ctl/run_file.h"
#include "app/ctl/runs/checkpoint_file.h"
#include "engine/base/text/printable.h"
#include "engine/run/record/place/saved_place.h"

#include <nlohmann/json.hpp>

#include <charconv>
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

Result<serve::ServedModel> modelHere(const Session& session, const std::string& given) {
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

} // namespace

Result<std::pair<int, int>> replicasOf(const std::string& text, const std::string& where) {
    std::pair<int, int> range;
    const auto whole = [](std::string_view digits, int& into) {
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
        return !digits.empty() && problem == std::errc() && end == digits.data() + digits.size();
    };
    const auto dots = text.find("..");
    const std::string_view all = text, least = all.substr(0, dots);
    if (whole(least, range.first) && whole(dots == all.npos ? least : all.substr(dots + 2), range.second)) return range;
    return inputError("\"" + printable(text, 40) + "\" is not a number of replicas", where,
                      "write 2, or 0..4 for as many as the load needs");
}

Result<std::string> modelInfoOf(const std::string& sampleShape, int outputs, const std::string& task) {
    constexpr const char* kExample = "write --sample-shape 3,224,224 --outputs 10";
    Json shape = Json::array();
    const char *at = sampleShape.data(), *const end = at + sampleShape.size();
    for (bool more = true; more;) {
        std::int64_t side = 0;
        const auto read = std::from_chars(at, end, side);
        if (read.ec != std::errc() || side < 1 || (read.ptr != end && *read.ptr != ','))
            return inputError("\"" + printable(sampleShape, 60) + "\" is not the shape of a sample", "--sample-shape",
                              kExample);
        shape.push_back(side);
        more = read.ptr != end;
        at = read.ptr + 1;
    }
    if (outputs < 1) return inputError("the number of outputs is missing", "--outputs", kExample);
    Json info{{"sampleShape", std::move(shape)}, {"classes", outputs}};
    if (!task.empty()) info["task"] = task;
    return jsonText(info);
}

Result<serve::ServedModel> servedModelOf(const Session& session, const std::string& given, const std::string& on) {
    auto model = modelHere(session, given);
    const ErrorCode code = model ? ErrorCode::General : model.error().code;
    if (on.empty() || (code != ErrorCode::RunUnknown && code != ErrorCode::FileMissing)) return model;
    return servedModelThere(session, HostName(on), given);
}

} // namespace trainyard::ctl::serving
