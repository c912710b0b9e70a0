// SPDX-License-Identifier: GPL-3.0-or-later
// From a point of the space to a run file.
#include "engine/base/text/printable.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace trainyard::spec {
namespace {

// What the catalog has entries of.
struct EntrySection {
    const char* name;
    const char* params; // where its parameters stand
    Choice RunSpec::* choice;
    std::vector<Entry> Catalog::* entries;
};
constexpr std::array kEntrySections = {
    EntrySection{"model", "model.params.", &RunSpec::model, &Catalog::models},
    EntrySection{"dataset", "dataset.params.", &RunSpec::dataset, &Catalog::datasets},
    EntrySection{"optimizer", "optimizer.", &RunSpec::optimizer, &Catalog::optimizers},
    EntrySection{"schedule", "schedule.", &RunSpec::schedule, &Catalog::schedules},
    EntrySection{"loss", "loss.", &RunSpec::loss, &Catalog::losses},
};

// Those of the best are fresh: the search has chosen by the first one.
Result<std::int64_t> seedShift(const SweepSpec& spec, int index) {
    if (spec.bestSeeded == 0) return index % spec.seeds;
    TY_ASSIGN(const int searched, countSearched(spec));
    return index < searched ? 0 : 1 + (index - searched) % spec.seeds;
}

bool varies(const Params& params, const std::string& path) {
    return std::any_of(params.begin(), params.end(),
                       [&](const auto& param) { return param.first == path || param.first.starts_with(path + "."); });
}

// What the trial's parameters set stays, fitting or not.
void dropForeign(const EntrySection& section, const Choice& base, const Params& params, const Catalog& catalog,
                 Choice& choice) {
    const auto& entries = catalog.*section.entries;
    const Entry *before = Catalog::find(entries, base.name), *now = Catalog::find(entries, choice.name);
    if (before == nullptr || now == nullptr || before == now) return;
    std::erase_if(choice.params, [&](const auto& param) {
        const std::string& name = param.first;
        return base.params.contains(name) && before->find(name) != nullptr && now->find(name) == nullptr &&
               !varies(params, section.params + name);
    });
}

std::string nameIn(const Json& choice) {
    if (choice.is_string()) return choice.get<std::string>();
    const auto name = choice.is_object() ? choice.find("name") : choice.end();
    return name != choice.end() && name->is_string() ? name->get<std::string>() : std::string();
}

// Of one section; `choice` is the trial's.
void checkVariedOf(const EntrySection& section, const SweepSpec& spec, const Params& params, const Catalog& catalog,
                   const Choice& choice, Errors& errors) {
    const Axis* naming = findAxis(spec.space, section.name + std::string(".name"));
    if (naming == nullptr) naming = findAxis(spec.space, section.name);
    const auto& entries = catalog.*section.entries;
    const Entry* now = Catalog::find(entries, choice.name);
    if (naming == nullptr || now == nullptr) return;
    for (const auto& [name, value] : choice.params) {
        const std::string path = section.params + name;
        if (now->find(name) != nullptr || !params.contains(path)) continue;
        const auto owner = std::ranges::find_if(naming->values, [&](const Value& each) {
            const Entry* other = Catalog::find(entries, nameIn(jsonOf(*naming, each)));
            return other != nullptr && other->find(name) != nullptr;
        });
        if (owner == naming->values.end()) continue;
        errors.push_back({path, printable(toText(value), 80), "is not a parameter of " + now->name,
                          "vary it with one that has it alone: \"when\": {\"" + naming->path + "\": \"" +
                              nameIn(jsonOf(*naming, *owner)) + "\"}"});
    }
}

Result<Json> baseTree(const SweepSpec& spec, const std::string& where) {
    Errors errors;
    Json tree = parseTree(spec.runJson, errors);
    checkVersion(tree, "", errors);
    if (!errors.empty()) return toError(errors, where);
    return tree;
}

// The rest of a path of the run file, if it lies within the field.
std::optional<std::string> within(const std::string& path, const std::string& field) {
    if (path == field) return std::string();
    return path.starts_with(field + ".") ? std::optional(path.substr(field.size())) : std::nullopt;
}

bool isOfEntries(const Axis& axis) {
    return std::ranges::any_of(kEntrySections, [&](const auto& each) { return axis.path == each.name; });
}

// What the value makes wrong where it stands; what it makes of other fields may be made good by another axis.
void checkObject(const Json& base, std::span<const Axis> space, const Axis& axis, std::size_t index,
                 const Catalog* catalog, Errors& errors) {
    const std::string path = joinPath("space", axis.path) + "." + std::to_string(index);
    const Json object = jsonOf(axis, axis.values[index]);
    if (isOfEntries(axis) && object.is_object() && object.empty())
        return errors.push_back({path, "{}", "is empty", "name what it is, such as {\"name\": \"mlp\"}"});
    Json tree = base;
    if (auto problem = setField(tree, axis.path, object); !problem.empty()) {
        errors.push_back({path, shown(object), std::move(problem), "name a field of the run file"});
        return;
    }
    Errors found;
    RunSpec run = readRun(tree, "", found);
    if (found.empty()) found = catalog != nullptr ? validate(run, *catalog) : validateFields(run);
    const bool completed = std::any_of(space.begin(), space.end(), [&](const Axis& each) {
        return each.path == "task" || each.path.starts_with(axis.path + ".");
    });
    for (FieldError& error : found) {
        const auto rest = within(error.path, axis.path);
        if (!rest || (completed && *rest == ".name")) continue; // such as a dataset whose folder is another axis
        error.path = path + (object.is_object() ? *rest : std::string());
        errors.push_back(std::move(error));
    }
}

} // namespace

bool namesEntries(const SweepSpec& spec) {
    return std::any_of(kEntrySections.begin(), kEntrySections.end(), [&](const EntrySection& section) {
        return findAxis(spec.space, section.name + std::string(".name")) != nullptr;
    });
}

std::vector<FieldError> checkObjects(const SweepSpec& spec, const Catalog* catalog) {
    Errors errors;
    const auto base = baseTree(spec, {});
    if (!base) return errors; // that is told of the base run
    for (const Axis& axis : spec.space) {
        if (axis.objects.empty() && !isOfEntries(axis)) continue;
        for (std::size_t i = 0; i < axis.values.size(); ++i) checkObject(*base, spec.space, axis, i, catalog, errors);
    }
    return errors;
}

std::vector<FieldError> checkVaried(const SweepSpec& spec, const Params& params, const RunSpec& trial,
                                    const Catalog& catalog) {
    Errors errors;
    for (const EntrySection& section : kEntrySections)
        checkVariedOf(section, spec, params, catalog, trial.*section.choice, errors);
    return errors;
}

Result<RunSpec> trialSpec(const SweepSpec& spec, const Params& params, int index, const Catalog* catalog) {
    const std::string where = "trial " + std::to_string(index);
    TY_ASSIGN(Json tree, baseTree(spec, where));
    Errors errors;
    std::optional<RunSpec> base;
    if (catalog != nullptr && namesEntries(spec)) base = readRun(tree, "", errors);
    for (const auto& [path, value] : params) { // in their order a section comes before its fields
        const Axis* axis = findAxis(spec.space, path);
        const std::string problem = setField(tree, path, axis != nullptr ? jsonOf(*axis, value) : jsonOf({}, value));
        if (!problem.empty())
            return toError({{printable(path, 120), printable(toText(value), 80), problem, ""}}, where);
    }
    RunSpec run = readRun(tree, "", errors);
    if (!errors.empty()) return toError(errors, where);
    for (const EntrySection& section : kEntrySections)
        if (base && params.contains(section.name + std::string(".name")))
            dropForeign(section, *base.*section.choice, params, *catalog, run.*section.choice);
    const std::string name = !spec.name.empty() ? spec.name : run.name;
    TY_ASSIGN(const auto shift, seedShift(spec, index));
    run.seed += shift;
    run.name = (name.empty() ? "trial" : name) + "-" + std::to_string(index);
    if (run.program && run.checkpoint.scoreBy.empty()) { // its checkpoints are compared as the trials are
        run.checkpoint.scoreBy = spec.scoreBy;
        run.checkpoint.mode = spec.mode;
    }
    return run;
}

} // namespace trainyard::spec
