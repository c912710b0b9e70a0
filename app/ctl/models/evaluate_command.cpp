// SPDX-License-Identifier: GPL-3.0-or-later
// evaluate: the metrics of a run's checkpoints on a part of its dataset, measured anew by the worker.
#include "app/ctl/run_file.h"
#include "app/ctl/worker_call.h"
#include "engine/base/json_text.h"
#include "engine/run/record/evaluation.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct EvaluateOptions {
    std::string run, checkpoint, part = "validation";
};

std::string decimals(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

void printOne(const run::Evaluation& evaluation, const std::string& part) {
    std::printf("%s, step %s: %s\n", part.c_str(), grouped(evaluation.step).c_str(),
                metricText(evaluation.metrics).c_str());
    if (evaluation.classes.empty()) return;
    const bool regression = evaluation.task == spec::TaskKind::Regression;
    std::vector<std::vector<std::string>> table{
        regression ? std::vector<std::string>{"column", "rmse", "mae", "r2"}
                   : std::vector<std::string>{"class", "precision", "recall", "f1", "samples"}};
    for (const auto& each : evaluation.classes)
        table.push_back(
            regression ? std::vector<std::string>{each.name, decimals(each.rmse), decimals(each.mae), decimals(each.r2)}
                       : std::vector<std::string>{each.name, decimals(each.precision), decimals(each.recall),
                                                  decimals(each.f1), grouped(each.samples)});
    std::printf("\n");
    printTable(table);
}

// Several checkpoints: a row for each.
void printAll(const std::vector<run::Evaluation>& evaluations, const std::string& part) {
    std::vector<std::vector<std::string>> table{{"step", "epoch"}};
    for (const auto& [name, value] : evaluations.front().metrics) table.front().push_back(part + " " + name);
    for (const auto& each : evaluations) {
        char epoch[24];
        std::snprintf(epoch, sizeof epoch, "%.4g", each.epoch);
        std::vector<std::string> row{grouped(each.step), epoch};
        for (const auto& [name, value] : evaluations.front().metrics) {
            const auto found = each.metrics.find(name);
            row.push_back(found == each.metrics.end() ? "" : decimals(found->second));
        }
        table.push_back(std::move(row));
    }
    printTable(table);
}

// What the worker says of the data, once each.
std::vector<std::string> notesOf(const Json& evaluations) {
    std::vector<std::string> notes;
    for (const auto& evaluation : evaluations) {
        const auto found = evaluation.find("notes");
        if (found == evaluation.end() || !found->is_array()) continue;
        for (const auto& note : *found)
            if (note.is_string() && std::find(notes.begin(), notes.end(), note.get<std::string>()) == notes.end())
                notes.push_back(note.get<std::string>());
    }
    return notes;
}

// RUN@CHECKPOINT and --checkpoint say the same; "all" is every one that the run has.
Result<std::vector<std::string>> checkpointsOf(const Session& session, const EvaluateOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    if (options.checkpoint != "all") {
        const std::string which = options.checkpoint.empty() ? options.run : options.run + "@" + options.checkpoint;
        TY_ASSIGN(const auto checkpoint, findCheckpoint(session, which));
        return std::vector<std::string>{checkpoint.path};
    }
    TY_ASSIGN(const auto row, open.query->run(options.run));
    TY_ASSIGN(const auto rows, open.query->checkpoints(row.id));
    std::vector<std::string> paths;
    for (const auto& each : rows) paths.push_back(each.path);
    TY_ASSIGN([[maybe_unused]] const auto any, open.query->checkpoint(row.id)); // says what to do where there is none
    return paths;
}

int evaluate(const Session& session, const EvaluateOptions& options) {
    auto words = checkpointsOf(session, options);
    if (!words) return fail(words.error());
    words->insert(words->begin(), "evaluate");
    words->insert(words->end(), {"--part", options.part});
    const auto answer = workerJson(*words);
    if (!answer) return fail(answer.error());
    if (session.json) return printJson(*answer);
    std::vector<run::Evaluation> evaluations;
    for (const auto& each : *answer) {
        auto evaluation = run::parseEvaluation(jsonText(each), "the worker's answer");
        if (!evaluation) return fail(evaluation.error());
        evaluations.push_back(std::move(*evaluation));
    }
    for (const auto& note : notesOf(*answer)) std::printf("note: %s\n", forTerminal(note).c_str());
    if (evaluations.size() == 1) printOne(evaluations.front(), options.part);
    else if (!evaluations.empty()) printAll(evaluations, options.part);
    return 0;
}

} // namespace

void addEvaluateCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<EvaluateOptions>();
    auto* command =
        app.add_subcommand("evaluate", "evaluate a checkpoint again: precision, recall and F1 of each class");
    command->add_option("RUN", options->run, "RUN[@CHECKPOINT]: @best (the default), @last or @STEP")->required();
    command->add_option("--checkpoint", options->checkpoint, "best, last, a step, or all: a table of every one");
    command->add_option("--part", options->part, "train, validation (the default) or test")
        ->check(CLI::IsMember({"train", "validation", "test"}));
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return evaluate(session, *options); }; });
}

} // namespace trainyard::ctl
