// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/atomic_file.h"
#include "engine/spec/better.h"
#include "engine/spec/check.h"
#include "engine/spec/run_fields.h"
#include "engine/spec/sections.h"
#include "engine/spec/sweep_spec.h"
#include "engine/spec/value_json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace trainyard::spec {
namespace {

// Fields of the run file that only take whole numbers: a range over them is rounded.
bool isWholeField(const std::string& path) {
    static const auto fields = [] {
        std::set<std::string> whole{"batch.perRank", "batch.global", "batch.accumulate", "epochs", "steps", "seed"};
        for (const Section& section : runSections())
            for (const ParamInfo& info : section.params)
                if (info.type == ParamType::Integer) whole.insert(info.name);
        return whole;
    }();
    return fields.contains(path);
}

std::string dumped(const Json& tree) { return tree.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

void readRange(const Json& range, const std::string& path, Errors& errors, Axis& axis) {
    ObjectReader reader(range, path, errors);
    std::string scale = "linear";
    reader("from", axis.from);
    reader("to", axis.to);
    reader("scale", scale);
    reader("count", axis.count);
    reader("whole", axis.whole);
    reader.finish();
    for (const char* key : {"from", "to"})
        if (!reader.has(key)) errors.push_back({joinPath(path, key), "", "is missing", "give from and to"});
    Checker check(errors);
    check.word(joinPath(path, "scale"), scale, {"linear", "log"});
    axis.logScale = scale == "log";
}

void readSpace(const Json& space, Errors& errors, std::vector<Axis>& axes) {
    for (const auto& [field, given] : space.items()) {
        const std::string path = joinPath("space", field);
        Axis axis;
        axis.path = field;
        axis.whole = isWholeField(field);
        if (given.is_object()) readRange(given, path, errors, axis);
        else if (given.is_array()) {
            for (std::size_t i = 0; i < given.size(); ++i)
                if (auto value = valueFromJson(given[i])) axis.values.push_back(std::move(*value));
                else
                    errors.push_back({path + "." + std::to_string(i), shown(given[i]),
                                      "is not a value a field can take",
                                      "write a number, true, false, text or a list of numbers"});
            if (given.empty()) errors.push_back({path, "[]", "has no values", "list at least one"});
        } else {
            errors.push_back(
                {path, shown(given), "must be a list of values or {\"from\", \"to\", \"scale\", \"count\"}", ""});
        }
        axes.push_back(std::move(axis));
    }
}

// The base run file: written in the sweep file, or in a file of its own beside it.
Json baseRun(ObjectReader& reader, const std::string& file, Errors& errors) {
    const Json* inlineRun = reader.objectAt("run");
    std::string name;
    reader("runFile", name);
    if (reader.has("run") && reader.has("runFile")) {
        errors.push_back({"runFile", shown(name), "cannot be given together with run", "give one of the two"});
        return Json::object();
    }
    if (inlineRun != nullptr) return *inlineRun;
    if (name.empty()) {
        if (!reader.has("run"))
            errors.push_back({"run", "", "is missing: a sweep varies the fields of a run", "give run or runFile"});
        return Json::object();
    }
    const std::filesystem::path path = std::filesystem::path(file).parent_path() / name;
    if (file.empty() && path.is_relative()) {
        errors.push_back(
            {"runFile", shown(name), "is relative, and this sweep is not read from a file", "give run instead"});
        return Json::object();
    }
    auto text = readFile(path, kMaxFileBytes);
    if (!text.ok()) {
        errors.push_back({"runFile", shown(name), text.error().text(), "paths are relative to the sweep file"});
        return Json::object();
    }
    Errors inner;
    Json tree = parseTree(*text, inner);
    for (FieldError& error : inner) error.path = joinPath("runFile", error.path);
    errors.insert(errors.end(), inner.begin(), inner.end());
    return tree;
}

void checkSweep(const SweepSpec& spec, Checker& check) {
    if (!spec.name.empty()) check.name("name", spec.name);
    check.word("search", spec.search, {"grid", "random"});
    check.range("trials", std::int64_t{spec.trials}, spec.search == "random" ? 1 : 0, kMaxTrials);
    check.range("parallel", std::int64_t{spec.parallel}, 0, 1024);
    check.series("scoreBy", spec.scoreBy);
    check.word("mode", spec.mode, {"max", "min"});
    if (spec.seed < 0) check.fail("seed", std::to_string(spec.seed), "must be at least 0");
}

// The first trial stands for all when it comes to unknown paths and wrong types.
void checkFirstTrial(const SweepSpec& spec, Errors& errors) {
    auto trials = expandTrials(spec);
    if (!trials.ok()) {
        errors.push_back({trials.error().where, "", trials.error().message, trials.error().remedy});
        return;
    }
    const auto trial = trialSpec(spec, trials->front(), 0);
    if (trial.ok()) return;
    Error error = trial.error();
    const std::string remedy = std::exchange(error.remedy, {});
    errors.push_back({"space", "", error.text(), remedy});
}

} // namespace

Result<SweepSpec> parseSweepSpec(std::string_view json, const std::string& file) {
    Errors errors;
    Json tree = parseTree(json, errors);
    if (!errors.empty()) return toError(errors, file);
    SweepSpec spec;
    Json run;
    {
        ObjectReader reader(tree, "", errors);
        reader("version", spec.version);
        if (spec.version < 0 || spec.version > kRunFileVersion)
            return toError({{"version", std::to_string(spec.version),
                             "this program reads sweep files up to version " + std::to_string(kRunFileVersion),
                             "open it with a newer Trainyard"}},
                           file);
        spec.version = kRunFileVersion;
        reader("name", spec.name);
        run = baseRun(reader, file, errors);
        if (const Json* space = reader.objectAt("space")) readSpace(*space, errors, spec.space);
        reader("search", spec.search);
        reader("trials", spec.trials);
        reader("parallel", spec.parallel);
        reader("scoreBy", spec.scoreBy);
        reader("mode", spec.mode);
        reader("seed", spec.seed);
        reader.finish();
    }
    Checker check(errors);
    checkSweep(spec, check);
    if (errors.empty()) {
        const RunSpec base = readRun(run, "run", errors);
        if (!tree.contains("scoreBy") && !tree.contains("mode")) { // trials are compared as their checkpoints are
            spec.scoreBy = base.checkpoint.scoreBy;
            spec.mode = base.checkpoint.mode;
        } else if (!tree.contains("mode")) {
            spec.mode = toString(betterOf(spec.scoreBy));
        }
    }
    upgradeRun(run, "run", errors);
    spec.runJson = dumped(run);
    if (errors.empty()) checkFirstTrial(spec, errors);
    if (!errors.empty()) return toError(errors, file);
    return spec;
}

Result<SweepSpec> readSweepSpec(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kMaxFileBytes));
    return parseSweepSpec(text, file.string());
}

std::string toJson(const SweepSpec& spec) {
    Json space = Json::object();
    for (const Axis& axis : spec.space) {
        Json& slot = space[axis.path];
        if (!axis.values.empty()) {
            slot = Json::array();
            for (const Value& value : axis.values) slot.push_back(valueToJson(value));
            continue;
        }
        slot = Json::object(
            {{"from", axis.from}, {"to", axis.to}, {"scale", axis.logScale ? "log" : "linear"}, {"count", axis.count}});
        if (axis.whole) slot["whole"] = true;
    }
    Errors ignored;
    Json run = parseTree(spec.runJson, ignored);
    return dumped(Json::object({{"version", spec.version},
                                {"name", spec.name},
                                {"run", std::move(run)},
                                {"space", std::move(space)},
                                {"search", spec.search},
                                {"trials", spec.trials},
                                {"parallel", spec.parallel},
                                {"scoreBy", spec.scoreBy},
                                {"mode", spec.mode},
                                {"seed", spec.seed}}));
}

bool isSweepFile(std::string_view json) {
    Errors ignored;
    return parseTree(json, ignored).contains("space");
}

} // namespace trainyard::spec
