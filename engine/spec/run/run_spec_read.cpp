// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files/atomic_file.h"
#include "engine/spec/run/better.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/run/task_kind.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::spec {
namespace {

// Giving one of a pair takes the default of the other away.
void clearOther(const Json& object, const char* one, std::optional<std::int64_t>& a, const char* other,
                std::optional<std::int64_t>& b) {
    if (object.contains(one) && !object.contains(other)) b.reset();
    if (object.contains(other) && !object.contains(one)) a.reset();
}

// A score or a metric that is named without a mode is judged by its name.
void fillModes(const Json& tree, RunSpec& spec) {
    const auto namesOnly = [&](const char* object, const char* name) {
        const auto found = tree.find(object);
        return found != tree.end() && found->is_object() && found->contains(name) && !found->contains("mode");
    };
    if (namesOnly("checkpoint", "scoreBy")) spec.checkpoint.mode = toString(betterOf(spec.checkpoint.scoreBy));
    if (namesOnly("earlyStop", "metric")) spec.earlyStop.mode = toString(betterOf(spec.earlyStop.metric));
}

// Defaults that follow from the task, where the file says nothing.
void fillForTask(const Json& tree, RunSpec& spec) {
    if (spec.task == toString(TaskKind::Regression) && !tree.contains("loss")) spec.loss = {"mse", {}};
    if (spec.task == toString(TaskKind::MultiLabel) && !tree.contains("loss")) spec.loss = {"bce", {}};
    const auto checkpoint = tree.find("checkpoint");
    const bool scored = checkpoint != tree.end() && checkpoint->is_object() &&
                        (checkpoint->contains("scoreBy") || checkpoint->contains("mode"));
    if (spec.task == toString(TaskKind::Classification) || scored) return;
    spec.checkpoint.scoreBy = "val/loss";
    spec.checkpoint.mode = "min";
}

// What means nothing to a program, and stands in the file nevertheless.
void refuseWithProgram(const Json& tree, const std::string& path, Errors& errors) {
    for (const auto& [field, remedy] : fieldsNotOfPrograms())
        if (const Json* value = fieldAt(tree, field))
            errors.push_back({joinPath(path, field), shown(*value), "means nothing for a program", remedy});
}

} // namespace

RunSpec readRun(const Json& given, const std::string& path, Errors& errors) {
    const bool isProgram = given.is_object() && given.contains("program");
    RunSpec spec = isProgram ? programRun({}) : RunSpec{};
    Json tree = given;
    const std::size_t before = errors.size();
    checkVersion(tree, path, errors);
    if (errors.size() > before) return spec; // of a newer version nothing else can be said
    ObjectReader reader(tree, path, errors);
    fields(spec, reader);
    reader.finish();
    if (isProgram) {
        refuseWithProgram(tree, path, errors);
        fillModes(tree, spec);
        return spec;
    }
    clearOther(tree, "epochs", spec.epochs, "steps", spec.steps);
    if (const auto batch = tree.find("batch"); batch != tree.end() && batch->is_object())
        clearOther(*batch, "perRank", spec.batch.perRank, "global", spec.batch.global);
    fillForTask(tree, spec);
    fillModes(tree, spec);
    return spec;
}

Result<RunSpec> parseRunSpec(std::string_view json, const std::string& file) {
    Errors errors;
    const Json tree = parseTree(json, errors);
    if (errors.empty() && tree.contains("space"))
        return toError({{"space", "", "belongs to a sweep file, and a run file is needed here", "open it as a sweep"}},
                       file);
    RunSpec spec = readRun(tree, "", errors);
    if (!errors.empty()) return toError(errors, file);
    return spec;
}

Result<RunSpec> readRunSpec(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kMaxFileBytes));
    return parseRunSpec(text, file.string());
}

void checkVersion(Json& tree, const std::string& path, Errors& errors) {
    const auto found = tree.find("version");
    if (found == tree.end()) {
        tree["version"] = kRunFileVersion;
        return;
    }
    if (!found->is_number_integer() || *found == kRunFileVersion) return; // of what is no number, the reader tells
    const std::string known = std::to_string(kRunFileVersion);
    errors.push_back({joinPath(path, "version"), shown(*found), "this program reads run files up to version " + known,
                      *found > kRunFileVersion ? "open it with a newer Trainyard" : "write " + known});
}

} // namespace trainyard::spec
