// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/field_use.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/values/value_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace trainyard::spec {
namespace {

// Turns a value into the parameter's type where that loses nothing; says what is expected otherwise.
const char* convert(Value& value, ParamType type) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    switch (type) {
    case ParamType::Flag: return std::holds_alternative<bool>(value) ? nullptr : "must be true or false";
    case ParamType::Integer:
        if (real != nullptr && isWhole(*real)) value = static_cast<std::int64_t>(*real);
        return std::holds_alternative<std::int64_t>(value) ? nullptr : "must be a whole number";
    case ParamType::Number:
        if (whole != nullptr) value = static_cast<double>(*whole);
        return std::holds_alternative<double>(value) ? nullptr : "must be a number";
    case ParamType::NumberList:
    case ParamType::IntegerList: {
        if (whole != nullptr) value = std::vector<double>{static_cast<double>(*whole)};
        if (real != nullptr && type == ParamType::NumberList) value = std::vector<double>{*real};
        const auto* list = std::get_if<std::vector<double>>(&value);
        if (type == ParamType::NumberList) return list != nullptr ? nullptr : "must be a list of numbers";
        return list != nullptr && std::all_of(list->begin(), list->end(), isWhole) ? nullptr
                                                                                   : "must be a list of whole numbers";
    }
    case ParamType::Text:
    case ParamType::Option:
    case ParamType::Path: return std::holds_alternative<std::string>(value) ? nullptr : "must be text";
    }
    return nullptr;
}

std::string rangeProblem(const ParamInfo& info, double number) {
    if (!std::isfinite(number)) return "must be a finite number";
    if (info.min && info.minExclusive && !(number > *info.min)) return "must be greater than " + numberText(*info.min);
    if (info.min && number < *info.min) return "must be at least " + numberText(*info.min);
    if (info.max && number > *info.max) return "must be at most " + numberText(*info.max);
    return {};
}

std::vector<double> numbersIn(const Value& value) {
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return {static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return {*real};
    return {};
}

void checkParam(const std::string& path, Value& value, const ParamInfo& info, Checker& check) {
    if (check.failed(path)) return;
    const bool takesWords = info.type == ParamType::NumberList && !info.options.empty(); // in place of numbers
    if (const auto* word = std::get_if<std::string>(&value);
        takesWords && word && std::find(info.options.begin(), info.options.end(), *word) != info.options.end())
        return;
    if (const char* expected = convert(value, info.type)) {
        const auto* found = std::get_if<std::string>(&value);
        return check.fail(path, found != nullptr ? inQuotes(*found) : toText(value), expected,
                          takesWords         ? "or " + inQuotes(info.options.front())
                          : found != nullptr ? insteadOfText(*found, info.type)
                                             : std::string());
    }
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (info.type == ParamType::Option) check.word(path, *text, info.options);
        else if (printable(*text, text->size() + 1) != *text)
            check.fail(path, inQuotes(*text), "must not hold control characters");
        return;
    }
    const std::vector<double> numbers = numbersIn(value);
    if (numbers.size() > 1000)
        return check.fail(path, std::to_string(numbers.size()) + " values", "must be at most 1000 values");
    for (const double number : numbers)
        if (std::string problem = rangeProblem(info, number); !problem.empty())
            return check.fail(path, numberText(number), std::move(problem));
}

// Whether a file or folder is given, instead of the usual ones that were not found.
bool namesPath(const Choice& choice, const Entry& entry) {
    return std::any_of(entry.params.begin(), entry.params.end(), [&](const ParamInfo& info) {
        return info.type == ParamType::Path && !choice.text(info.name, {}).empty();
    });
}

// Runs are started elsewhere, so a path is made absolute while it is known from where: this process's folder.
void makePathsAbsolute(Choice& choice, const Entry& entry) {
    for (const ParamInfo& info : entry.params) {
        const std::string path = info.type == ParamType::Path ? choice.text(info.name, {}) : std::string();
        if (!path.empty() && path.front() != '/') choice.params[info.name] = std::filesystem::absolute(path).string();
    }
}

// The entry that a choice names, with its parameters checked and its defaults filled in; null when there is none.
const Entry* checkChoice(const std::string& path, const std::string& paramsPath, Choice& choice,
                         const std::vector<Entry>& entries, Checker& check) {
    const Entry* entry = Catalog::find(entries, choice.name);
    if (entry == nullptr) {
        if (check.failed(path + ".name")) return nullptr;
        std::vector<std::string> names;
        for (const Entry& e : entries) names.push_back(e.name);
        const std::string near = nearestWord(choice.name, names);
        check.fail(path + ".name", inQuotes(choice.name), "is not a known " + path,
                   near.empty() ? "known: " + joined(names) : "did you mean \"" + near + "\"?");
        return nullptr;
    }
    if (!entry->available && !namesPath(choice, *entry))
        check.fail(path + ".name", inQuotes(choice.name), "is not available",
                   entry->unavailable.empty() ? "choose another one" : entry->unavailable,
                   path == "dataset" ? ErrorCode::DatasetMissing : ErrorCode::FieldInvalid);
    std::vector<std::string> known;
    for (const ParamInfo& info : entry->params) known.push_back(info.name);
    for (auto& [name, value] : choice.params) {
        const std::string at = joinPath(paramsPath, name);
        if (const ParamInfo* info = entry->find(name)) {
            checkParam(at, value, *info, check);
            continue;
        }
        const std::string near = nearestWord(name, known);
        const bool ofAnother =
            std::any_of(entries.begin(), entries.end(), [&](const Entry& each) { return each.find(name) != nullptr; });
        check.fail(at, printable(toText(value), 80), "is not a parameter of " + entry->name,
                   ofAnother       ? "leave it out, or set the whole of it: --set " + path + "=" + entry->name
                   : !near.empty() ? "did you mean \"" + near + "\"?"
                   : known.empty() ? "it has none"
                                   : "known: " + joined(known));
    }
    for (const ParamInfo& info : entry->params) choice.params.try_emplace(info.name, info.defaultValue);
    makePathsAbsolute(choice, *entry);
    return entry;
}

void checkTask(const std::string& path, const Entry* entry, const RunSpec& spec, Checker& check) {
    if (entry == nullptr || entry->serves(spec.task) || check.failed("task")) return;
    std::string words;
    for (const std::string& task : entry->tasks) words += (words.empty() ? "" : " or ") + task;
    check.fail(path + ".name", inQuotes(entry->name), "serves " + words + ", and the run's task is " + spec.task,
               "set task to " + words + ", or choose another one");
}

// How many samples the dataset trains on, at most; 0 when the catalog cannot tell.
std::int64_t sampleCount(const Choice& dataset, const Entry& entry) {
    std::int64_t samples = 0;
    if (const auto fact = entry.facts.find("samples"); fact != entry.facts.end())
        std::from_chars(fact->second.data(), fact->second.data() + fact->second.size(), samples);
    samples = dataset.integer("samples", samples); // generated sets have as many as they are asked for
    const std::int64_t limit = dataset.integer("limit", 0);
    return limit > 0 && samples > 0 ? std::min(limit, samples) : samples;
}

void checkBatchAgainstData(const RunSpec& spec, const Entry& dataset, Checker& check) {
    for (const char* path : {"batch", "batch.perRank", "batch.global", "batch.accumulate", "scaling.workers"})
        if (check.failed(path)) return;
    const std::int64_t samples = sampleCount(spec.dataset, dataset);
    if (samples <= 0 || spec.globalBatch() <= samples) return;
    const bool global = spec.batch.global.has_value();
    check.fail(global ? "batch.global" : "batch.perRank",
               std::to_string(global ? *spec.batch.global : *spec.batch.perRank),
               "makes a step of " + std::to_string(spec.globalBatch()) + " samples, and " + dataset.name + " has " +
                   std::to_string(samples),
               "use a smaller batch or fewer workers");
}

void checkDevices(const RunSpec& spec, const Catalog& catalog, Checker& check) {
    if (!spec.hosts.empty()) return; // the catalog tells of this computer only
    const auto& precisions = catalog.precisions;
    const bool hasHalf = std::find(precisions.begin(), precisions.end(), "fp16") != precisions.end();
    if (spec.precision == "fp16" && !precisions.empty() && !hasHalf)
        check.fail("precision", "\"fp16\"", "needs a CUDA device, which this computer does not have",
                   "use \"bf16\" or \"auto\"");
    const auto cards = std::count_if(catalog.devices.begin(), catalog.devices.end(),
                                     [](const Device& d) { return d.name.starts_with("cuda"); });
    if (spec.scaling.device == "cuda" && cards == 0)
        check.fail("scaling.device", "\"cuda\"", "is not there: this computer has no CUDA device that LibTorch can use",
                   "use \"cpu\" or \"auto\"");
    if (spec.scaling.backend != "nccl" || check.failed("scaling.backend")) return;
    if (std::find(catalog.backends.begin(), catalog.backends.end(), "nccl") == catalog.backends.end())
        check.fail("scaling.backend", "\"nccl\"", "is not part of this LibTorch", "use \"gloo\" or \"auto\"");
    else if (spec.scaling.workers > cards)
        check.fail("scaling.workers", std::to_string(spec.scaling.workers),
                   "is more than the " + std::to_string(cards) +
                       " CUDA devices here, and nccl needs one for each worker",
                   "use fewer workers or \"gloo\"");
}

} // namespace

std::vector<FieldError> checkChoice(const std::string& path, Choice& choice, const std::vector<Entry>& entries) {
    Errors errors;
    Checker check(errors);
    checkChoice(path, path, choice, entries, check);
    return errors;
}

std::vector<FieldError> validate(RunSpec& spec, const Catalog& catalog) {
    std::vector<FieldError> errors = validateFields(spec);
    if (spec.program) return errors; // nothing of it is in the catalog
    Checker check(errors);
    const Entry* model = checkChoice("model", "model.params", spec.model, catalog.models, check);
    const Entry* dataset = checkChoice("dataset", "dataset.params", spec.dataset, catalog.datasets, check);
    checkChoice("optimizer", "optimizer", spec.optimizer, catalog.optimizers, check);
    checkChoice("schedule", "schedule", spec.schedule, catalog.schedules, check);
    const Entry* loss = checkChoice("loss", "loss", spec.loss, catalog.losses, check);
    checkTask("dataset", dataset, spec, check);
    checkTask("model", model, spec, check);
    checkTask("loss", loss, spec, check);
    if (dataset != nullptr) checkBatchAgainstData(spec, *dataset, check);
    if (!spec.weights.file.empty() && spec.weights.file.front() != '/')
        spec.weights.file = std::filesystem::absolute(spec.weights.file).string();
    if (spec.data.division == "auto") spec.data.division = "class";
    checkDevices(spec, catalog, check);
    checkFieldUse(spec, model, errors);
    return errors;
}

} // namespace trainyard::spec
