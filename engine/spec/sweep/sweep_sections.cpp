// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_sections.h"

#include "engine/spec/run/check.h"
#include "engine/spec/run/run_fields.h"
#include "engine/spec/sweep/sweep_file.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::spec {
namespace {

// Paths of the sections only: in a file they are the second ones of the lists scoreBy and mode.
constexpr const char *kSecondSeries = "second.series", *kSecondMode = "second.mode";

ParamInfo countOf(const char* path, const char* title, std::int64_t defaultValue, const char* help) {
    return {.name = path, .title = title, .type = ParamType::Integer, .defaultValue = defaultValue, .help = help};
}

ParamInfo amountOf(const char* path, const char* title, double defaultValue, const char* unit, const char* help) {
    return {.name = path, .title = title, .defaultValue = defaultValue, .unit = unit, .help = help};
}

ParamInfo oneOf(const char* path, const char* title, std::vector<std::string> words, const char* help) {
    const std::string first = words.front();
    return {.name = path,
            .title = title,
            .type = ParamType::Option,
            .defaultValue = first,
            .options = std::move(words),
            .help = help};
}

Section trialsSection() {
    return {"Trials",
            "How many there are, and how many train side by side.",
            {countOf("trials", "Configurations", 0, "How many to try. Of a grid: 0 for all, else only the first ones."),
             countOf("seeds.count", "Seeds each", 1, "Trials of each configuration, which is ranked by their mean."),
             countOf("seeds.best", "Seeds for best", 0,
                     "Only this many of the best configurations are run with all seeds, once the search is over. 0: "
                     "all, from the start."),
             countOf("parallel", "In parallel", 0,
                     "Trials side by side. 0: as many as devices or cores allow, or one on each host."),
             countOf("perDevice", "On a device", 1,
                     "Trials that share a CUDA device, a host or a core, where their number in parallel is 0.")}};
}

Section scoreSection() {
    return {
        "Score",
        "The metric that ranks the trials.",
        {{.name = "scoreBy",
          .title = "Series",
          .type = ParamType::Text,
          .defaultValue = std::string("val/accuracy"),
          .help = "The series that trials are compared by."},
         oneOf("mode", "Better is", {"max", "min"}, "Whether larger or smaller values are better."),
         {.name = kSecondSeries,
          .title = "Second series",
          .type = ParamType::Text,
          .defaultValue = std::string(),
          .help =
              "Trials are compared by it, too: those that none beats in both are the result. Empty: by one series."},
         oneOf(kSecondMode, "Better is (2nd)", {"min", "max"}, "Whether smaller or larger values of it are better."),
         oneOf("score", "Value", {"best", "last"}, "Which value of the series counts: a trial's best or its last.")}};
}

Section budgetSection() {
    return {"Budget",
            "Limits of the sweep; it ends at the first that is reached.",
            {amountOf("budget.seconds", "Time", 0, "s", "Time that the sweep may take. 0: unlimited."),
             amountOf("budget.trainSeconds", "Training", 0, "s", "Limit for all trials together. 0: unlimited."),
             amountOf("budget.epochs", "Epochs", 0, "", "Limit for all trials together. 0: unlimited."),
             amountOf("budget.target", "Target", std::numeric_limits<double>::quiet_NaN(), "",
                      "A score that is good enough."),
             countOf("budget.idleTrials", "Idle trials", 0,
                     "Ends after this many consecutive trials without a new best. 0: never."),
             oneOf("atEnd", "At the end", {"stop", "finish"},
                   "How trials in training end: stop saves and ends them, finish lets them complete.")}};
}

Section troubleSection() {
    return {"Failures and draws",
            "Retries of failed trials, and the seed of random draws.",
            {countOf("failure.retries", "Retries", 0, "How often each trial that fails is tried again."),
             amountOf("failure.maxShare", "May fail", 0.5, "", "With a larger share of failed trials the sweep fails."),
             countOf("seed", "Draw seed", 1, "The same seed draws the same configurations on every computer.")}};
}

Section leftSection() {
    return {"Processes and checkpoints",
            "What trials share, and what each leaves behind.",
            {{.name = "reuse",
              .title = "Reuse workers",
              .type = ParamType::Flag,
              .defaultValue = true,
              .help = "Workers stay for the next trial where they can. Off: each trial has fresh ones."},
             countOf("keep.best", "Keep best", 0,
                     "Keep the checkpoints of this many of the best trials. 0: of all trials."),
             amountOf("keep.minSeconds", "Or after", 10, "s",
                      "Trials that trained for at least this long keep their checkpoints, too.")}};
}

// The sweep as JSON with a value for every field of the sections. What a file says by leaving a rule out is a number of
// 0 here.
Json completeJson(const SweepSpec& spec) {
    Json tree = sweepToJson(spec);
    tree["reuse"] = spec.reuse;
    tree["seeds"]["best"] = spec.bestSeeded;
    const Objective second = spec.second.value_or(Objective{});
    tree["scoreBy"] = spec.scoreBy;
    tree["mode"] = spec.mode;
    tree["second"] = {{"series", second.series}, {"mode", second.mode}};
    if (!spec.rules.keep) tree["keep"] = {{"best", 0}, {"minSeconds", KeepRule().minSeconds}};
    return tree;
}

// A text as it may have been typed.
std::string textAt(const Json& tree, const char* path) {
    const Json* found = fieldAt(tree, path);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// One series or two. A mode that counts for nothing is judged all the same.
void joinSeries(Json& tree, Errors& errors) {
    const std::string series = textAt(tree, kSecondSeries), mode = textAt(tree, kSecondMode);
    tree.erase("second");
    if (series.empty()) return Checker(errors).word(kSecondMode, mode, {"min", "max"});
    tree["scoreBy"] = {tree["scoreBy"], series};
    tree["mode"] = {tree["mode"], mode};
}

// The fields that the errors of such a list belong to.
void nameFields(Errors& errors) {
    constexpr std::pair<const char*, const char*> kNames[] = {
        {"scoreBy.0", "scoreBy"}, {"scoreBy.1", kSecondSeries}, {"mode.0", "mode"}, {"mode.1", kSecondMode}};
    for (FieldError& error : errors)
        for (const auto& [path, field] : kNames)
            if (error.path == path) error.path = field;
}

// The other way round.
void leaveOutNone(Json& tree) {
    Json& seeds = tree["seeds"];
    seeds["for"] = seeds["best"] == 0 ? "all" : "best";
    if (seeds["best"] == 0) seeds.erase("best");
    Json& keep = tree["keep"];
    if (keep["best"] != 0) return;
    keep.erase("best");
    if (keep["minSeconds"].is_number() && keep["minSeconds"] >= 0) tree.erase("keep"); // else it is told of
}

} // namespace

const std::vector<Section>& sweepSections() {
    static const std::vector<Section> sections = {trialsSection(), scoreSection(), budgetSection(), troubleSection(),
                                                  leftSection()};
    return sections;
}

Params sweepValues(const SweepSpec& spec) {
    const Json tree = completeJson(spec);
    Params values;
    for (const Section& section : sweepSections())
        for (const ParamInfo& info : section.params)
            if (const Json* found = fieldAt(tree, info.name))
                if (auto value = valueFromJson(*found)) values[info.name] = std::move(*value);
    return values;
}

SweepSpec withSweepValues(const SweepSpec& spec, const Params& values, std::vector<FieldError>& errors) {
    Json tree = completeJson(spec);
    for (const auto& [path, value] : values) {
        const auto* number = std::get_if<double>(&value);
        const bool none = number != nullptr && !std::isfinite(*number);
        if (auto problem = setField(tree, path, none ? Json(nullptr) : valueToJson(value)); !problem.empty())
            errors.push_back({path, toText(value), std::move(problem), ""});
    }
    leaveOutNone(tree);
    joinSeries(tree, errors);
    SweepSpec changed = readSweep(tree, {}, errors);
    nameFields(errors);
    changed.runJson = spec.runJson; // to the bit
    changed.space = spec.space;
    return changed;
}

} // namespace trainyard::spec
