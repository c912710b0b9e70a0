// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/better.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/sweep/sweep_first.h"
#include "engine/spec/sweep/sweep_rules_file.h"
#include "engine/spec/sweep/sweep_space.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace trainyard::spec {
namespace {

Json choiceJson(const Choice& choice) {
    Json json{{"name", choice.name}};
    for (const auto& [name, value] : choice.params) json[name] = valueToJson(value);
    return json;
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

// What takes one score cannot go by two series.
void checkSecond(const SweepSpec& spec, const Objective& second, Checker& check) {
    check.series("scoreBy.1", second.series);
    check.word("mode.1", second.mode, {"max", "min"});
    if (second.series == spec.scoreBy)
        check.fail("scoreBy.1", inQuotes(second.series), "is the first series again", "name another one");
    if (const auto& target = spec.rules.budget.target)
        check.fail("budget.target", numberText(*target), "is a score of one series, and scoreBy names two",
                   "leave it out, or name one series");
}

// `readable`: nothing is wrong with what was read so far, so that the kind of the search is known.
void checkSweep(const SweepSpec& spec, bool readable, Checker& check) {
    if (!spec.name.empty()) check.name("name", spec.name);
    const bool counted = readable && !isGrid(spec) && !isOpenEnded(spec);
    if (counted && spec.trials == 0)
        check.fail("trials", "0", "must be at least 1", "say how many to make, or give a budget");
    else check.range("trials", std::int64_t{spec.trials}, 0, kMaxTrials);
    check.range("parallel", std::int64_t{spec.parallel}, 0, 1024);
    check.range("perDevice", std::int64_t{spec.perDevice}, 1, 64);
    check.series(spec.second ? "scoreBy.0" : "scoreBy", spec.scoreBy);
    check.word(spec.second ? "mode.0" : "mode", spec.mode, {"max", "min"});
    if (spec.second) checkSecond(spec, *spec.second, check);
    if (spec.seed < 0) check.fail("seed", std::to_string(spec.seed), "must be at least 0");
    check.range("seeds.count", std::int64_t{spec.seeds}, 1, kMaxSeeds);
    if (readable && spec.bestSeeded > 0 && isOpenEnded(spec))
        check.fail("seeds.for", "\"best\"", "needs to know when the search is over", "say how many trials to make");
    const bool variesSeed =
        std::any_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return axis.path == "seed"; });
    if ((spec.seeds > 1 || spec.bestSeeded > 0) && variesSeed)
        check.fail("seeds.count", std::to_string(spec.seeds), "cannot be given together with space.seed",
                   "leave one of the two out");
}

FieldError fieldErrorOf(const Error& error) { return {error.where, "", error.message, error.remedy}; }

// The first trial stands for all when it comes to unknown paths and wrong types.
void checkFirstTrial(const SweepSpec& spec, Errors& errors) {
    auto trials = foreseenConfigurations(spec, 1);
    if (!trials.ok()) return errors.push_back(fieldErrorOf(trials.error()));
    const auto trial = trialSpec(spec, trials->front(), 0);
    if (trial.ok()) return;
    Error error = trial.error();
    const std::string remedy = std::exchange(error.remedy, {});
    errors.push_back({"space", "", error.text(), remedy});
}

// A list of words, which a Choice cannot hold, is one text with commas between them.
void joinWords(Json& tree, const char* key) {
    const auto choice = tree.find(key);
    if (choice == tree.end() || !choice->is_object()) return;
    for (auto& [name, value] : choice->items()) {
        const auto isText = [](const Json& word) { return word.is_string(); };
        if (!value.is_array() || !std::all_of(value.begin(), value.end(), isText)) continue;
        std::string text;
        for (const Json& word : value) text += (text.empty() ? "" : ", ") + word.get<std::string>();
        value = text;
    }
}

// A file that names no searcher is a grid where its axes list their values.
void readSearcher(ObjectReader& reader, SweepSpec& spec) {
    const bool listed =
        std::all_of(spec.space.begin(), spec.space.end(), [](const Axis& axis) { return axis.isListed(); });
    spec.searcher.name = listed ? "grid" : "auto";
    reader("searcher", Flat(spec.searcher));
    reader("scheduler", Flat(spec.scheduler));
}

// A text, or a list of two of them.
std::vector<std::string> readOneOrTwo(ObjectReader& reader, const char* key) {
    const Json* given = reader.at(key);
    std::vector<std::string> texts;
    if (given != nullptr && given->is_array()) {
        const bool right = (given->size() == 1 || given->size() == 2) &&
                           std::all_of(given->begin(), given->end(), [](const Json& each) { return each.is_string(); });
        if (right) texts = given->get<std::vector<std::string>>();
        else
            reader.report(key, *given, "must be a text, or a list of two", "for example [\"val/loss\", \"time/step\"]");
    } else if (given != nullptr) {
        reader(key, texts.emplace_back());
    }
    return texts;
}

// A mode that is not given follows from the name of its series.
void readObjectives(ObjectReader& reader, Errors& errors, SweepSpec& spec) {
    const auto series = readOneOrTwo(reader, "scoreBy"), modes = readOneOrTwo(reader, "mode");
    if (!series.empty()) spec.scoreBy = series[0];
    if (!modes.empty()) spec.mode = modes[0];
    if (series.size() == 2) spec.second = Objective{series[1], toString(betterOf(series[1]))};
    const bool wrong = std::any_of(errors.begin(), errors.end(), [](const FieldError& each) {
        return each.path == "scoreBy" || each.path == "mode";
    });
    if (wrong || modes.empty()) return;
    if (modes.size() == 2 && spec.second) spec.second->mode = modes[1];
    else if (modes.size() == 2 || spec.second)
        errors.push_back({"mode", shown(Json(modes.size() == 2 ? Json(modes) : Json(modes[0]))),
                          "must say max or min of each series of scoreBy",
                          spec.second ? "for example [\"max\", \"min\"]" : "give one"});
}

Json seedsJson(const SweepSpec& spec) {
    Json json{{"count", spec.seeds}, {"for", spec.bestSeeded > 0 ? "best" : "all"}};
    if (spec.bestSeeded > 0) json["best"] = spec.bestSeeded;
    return json;
}

void readSeeds(ObjectReader& outer, Errors& errors, SweepSpec& spec) {
    const Json* given = outer.objectAt("seeds");
    if (given == nullptr) return;
    ObjectReader reader(*given, "seeds", errors);
    reader("count", spec.seeds);
    std::string whose = "all";
    reader("for", whose);
    Checker check(errors);
    check.word("seeds.for", whose, {"all", "best"});
    int best = 5;
    reader("best", best);
    check.range("seeds.best", std::int64_t{best}, 1, kMaxSeeds);
    if (reader.has("best") && whose == "all")
        check.fail("seeds.best", std::to_string(best), "is only used with the seeds of the best",
                   "add \"for\": \"best\"");
    if (whose == "best") spec.bestSeeded = best;
    reader.finish();
}

} // namespace

SweepSpec readSweep(const Json& tree, const std::string& file, Errors& errors) {
    SweepSpec spec;
    Json run;
    {
        ObjectReader reader(tree, "", errors);
        reader("version", spec.version);
        if (spec.version < 0 || spec.version > kRunFileVersion) {
            errors = {{"version", std::to_string(spec.version),
                       "this program reads sweep files up to version " + std::to_string(kRunFileVersion),
                       "open it with a newer Trainyard"}};
            return spec;
        }
        spec.version = kRunFileVersion;
        reader("name", spec.name);
        run = baseRun(reader, file, errors);
        if (const Json* space = reader.objectAt("space")) spec.space = readSpace(*space, errors);
        readSearcher(reader, spec);
        reader("trials", spec.trials);
        reader("parallel", spec.parallel);
        reader("perDevice", spec.perDevice);
        reader("reuse", spec.reuse);
        readObjectives(reader, errors, spec);
        reader("seed", spec.seed);
        readSeeds(reader, errors, spec);
        readRules(reader, errors, run.contains("program"), spec.rules);
        readFirst(reader, errors, spec);
        reader.finish(keysOf(RunSpec{}), "it goes into \"run\"");
    }
    const bool readable = errors.empty();
    if (const auto fits = readable ? checkSpace(spec.space) : Result<void>(); !fits)
        errors.push_back(fieldErrorOf(fits.error()));
    Checker check(errors, run.contains("program"));
    checkSweep(spec, readable, check);
    if (errors.empty()) {
        const RunSpec base = readRun(run, "run", errors);
        if (!tree.contains("scoreBy") && !tree.contains("mode")) { // trials are compared as their checkpoints are
            spec.scoreBy = base.checkpoint.scoreBy;
            spec.mode = base.checkpoint.mode;
        } else if (!tree.contains("mode")) {
            spec.mode = toString(betterOf(spec.scoreBy));
        }
    }
    checkVersion(run, "run", errors);
    spec.runJson = jsonFile(run);
    if (errors.empty()) errors = checkObjects(spec);
    if (errors.empty()) checkFirstTrial(spec, errors);
    return spec;
}

Result<SweepSpec> parseSweepSpec(std::string_view json, const std::string& file) {
    Errors errors;
    Json tree = parseTree(json, errors);
    if (!errors.empty()) return toError(errors, file);
    joinWords(tree, "scheduler");
    SweepSpec spec = readSweep(tree, file, errors);
    if (!errors.empty()) return toError(errors, file);
    return spec;
}

Result<SweepSpec> readSweepSpec(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kMaxFileBytes));
    return parseSweepSpec(text, file.string());
}

Json sweepToJson(const SweepSpec& spec) {
    Errors ignored;
    Json run = parseTree(spec.runJson, ignored);
    Json tree = Json::object({{"version", spec.version},
                              {"name", spec.name},
                              {"run", std::move(run)},
                              {"space", spaceJson(spec.space)},
                              {"searcher", choiceJson(spec.searcher)},
                              {"scheduler", choiceJson(spec.scheduler)},
                              {"trials", spec.trials},
                              {"parallel", spec.parallel},
                              {"perDevice", spec.perDevice},
                              {"scoreBy", spec.scoreBy},
                              {"mode", spec.mode},
                              {"seed", spec.seed},
                              {"seeds", seedsJson(spec)}});
    if (spec.second) {
        tree["scoreBy"] = {spec.scoreBy, spec.second->series};
        tree["mode"] = {spec.mode, spec.second->mode};
    }
    if (!spec.reuse) tree["reuse"] = false;
    writeRules(spec.rules, tree);
    writeFirst(spec, tree);
    return tree;
}

std::string toJson(const SweepSpec& spec) { return jsonFile(sweepToJson(spec)); }

bool isSweepFile(std::string_view json) {
    Errors ignored;
    return parseTree(json, ignored).contains("space");
}

} // namespace trainyard::spec
