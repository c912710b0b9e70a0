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
    return {Engine::tr("Trials"),
            Engine::tr("The number of trials, and how many train at once."),
            {countOf("trials", Engine::tr("Configurations"), 0,
                     Engine::tr("Number of configurations to try; of a grid the first ones, or all with 0.")),
             countOf("seeds.count", Engine::tr("Seeds each"), 1,
                     Engine::tr("Trials per configuration, which is ranked by their mean.")),
             countOf("seeds.best", Engine::tr("Repeat the best"), 0,
                     Engine::tr("Runs only this many of the best configurations with all seeds, after the search. 0: "
                                "all of them, from the start.")),
             countOf("parallel", Engine::tr("In parallel"), 0,
                     Engine::tr("Trials at the same time. 0: as many as devices or cores allow, or one on each host.")),
             countOf("perDevice", Engine::tr("Per device"), 1,
                     Engine::tr("Trials per CUDA device, host or core when their number in parallel is 0."))}};
}

Section scoreSection() {
    return {
        Engine::tr("Score"),
        Engine::tr("The metric that ranks the trials."),
        {{.name = "scoreBy",
          .title = Engine::tr("Series"),
          .type = ParamType::Text,
          .defaultValue = std::string("val/accuracy"),
          .help = Engine::tr("The series that ranks the trials.")},
         oneOf("mode", Engine::tr("Goal"), {"max", "min"}, Engine::tr("Whether larger or smaller values are better.")),
         {.name = kSecondSeries,
          .title = Engine::tr("Second series"),
          .type = ParamType::Text,
          .defaultValue = std::string(),
          .help = Engine::tr(
              "A second series to rank by; the result is the Pareto front of both. Empty: one series only.")},
         oneOf(kSecondMode, Engine::tr("Second goal"), {"min", "max"},
               Engine::tr("Whether smaller or larger values of the second series are better.")),
         oneOf("score", Engine::tr("Value"), {"best", "last"},
               Engine::tr("Scores a trial by its best or by its last value."))}};
}

Section budgetSection() {
    return {
        Engine::tr("Budget"),
        Engine::tr("Limits of the sweep; it ends at the first that is reached."),
        {amountOf("budget.seconds", Engine::tr("Time"), 0, Engine::tr("s"),
                  Engine::tr("Time that the sweep may take. 0: unlimited.")),
         amountOf("budget.trainSeconds", Engine::tr("Training"), 0, Engine::tr("s"),
                  Engine::tr("Limit for all trials together. 0: unlimited.")),
         amountOf("budget.epochs", Engine::tr("Epochs"), 0, "",
                  Engine::tr("Limit for all trials together. 0: unlimited.")),
         amountOf("budget.target", Engine::tr("Target"), std::numeric_limits<double>::quiet_NaN(), "",
                  Engine::tr("Ends the sweep when a trial reaches this score.")),
         countOf("budget.idleTrials", Engine::tr("Idle trials"), 0,
                 Engine::tr("Ends the sweep after this many consecutive trials without a new best. 0: never.")),
         oneOf("atEnd", Engine::tr("At the end"), {"stop", "finish"},
               Engine::tr("What happens to running trials: stop saves and ends them, finish lets them complete."))}};
}

Section troubleSection() {
    return {Engine::tr("Failures and draws"),
            Engine::tr("Retries of failed trials, and the seed of random draws."),
            {countOf("failure.retries", Engine::tr("Retries"), 0, Engine::tr("How often to retry each failed trial.")),
             amountOf("failure.maxShare", Engine::tr("May fail"), 0.5, "",
                      Engine::tr("The sweep fails when a larger share of its trials has failed.")),
             countOf("seed", Engine::tr("Draw seed"), 1,
                     Engine::tr("The same seed draws the same configurations on every computer."))}};
}

Section leftSection() {
    return {
        Engine::tr("Processes and checkpoints"),
        Engine::tr("Processes that trials share, and checkpoints that they leave."),
        {{.name = "reuse",
          .title = Engine::tr("Reuse workers"),
          .type = ParamType::Flag,
          .defaultValue = true,
          .help = Engine::tr("Reuses workers for the next trial where possible. Off: each trial starts fresh ones.")},
         countOf("keep.best", Engine::tr("Keep best"), 0,
                 Engine::tr("Keeps the checkpoints of this many of the best trials. 0: of all trials.")),
         amountOf("keep.minSeconds", Engine::tr("Or after"), 10, Engine::tr("s"),
                  Engine::tr("Also keeps the checkpoints of trials that trained for at least this long."))}};
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
