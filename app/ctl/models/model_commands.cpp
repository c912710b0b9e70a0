// SPDX-License-Identifier: GPL-3.0-or-later
// models, inspect and predict: the worker does the work, because it alone has LibTorch.
#include "app/ctl/models/predictions.h"
#include "app/ctl/models/weights_command.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "app/ctl/worker_call.h"
#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/catalog_cache.h"
#include "engine/run/launch/programs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

std::string listText(const Json& list, const char* separator = ", ") {
    std::string text;
    for (const auto& each : list)
        text += (text.empty() ? "" : separator) + (each.is_string() ? each.get<std::string>() : jsonText(each));
    return text;
}

void printReport(const std::string& file, const Json& report) {
    const auto number = [&](const char* key) { return grouped(report.value(key, std::int64_t{0})); };
    std::vector<std::vector<std::string>> rows{{"file", file}};
    rows.push_back(
        {"size", bytesText(report.value("bytes", std::int64_t{0})) + ", " + number("records") + " records, all whole"});
    rows.push_back({"SHA-256", report.value("sha256", "")});
    rows.push_back({"parameters", number("parameters") + " in " + number("parameterTensors") + " tensors, " +
                                      number("trainable") + " to be trained"});
    rows.push_back({"buffers", number("buffers")});
    rows.push_back({"methods", listText(report["methods"])});
    rows.push_back({"operations", listText(report["operations"])});
    if (!report["inputShape"].empty())
        rows.push_back({"tried with", "[" + listText(report["inputShape"]) + "], which gives [" +
                                          listText(report["outputShape"]) + "] " + report.value("outputType", "")});
    for (const auto& notice : report.value("notices", Json::array()))
        rows.push_back({"notice", printable(notice.is_string() ? notice.get<std::string>() : std::string(), 1000)});
    printTable(rows);
}

// "width=64 (1 to 4096)"
std::string settingsText(const Json& plugin) {
    std::string text;
    for (const auto& each : plugin.value("settings", Json::array())) {
        const auto number = [&](const char* key) { return spec::toText(each.value(key, 0.0)); };
        text += (text.empty() ? "" : ", ") + printable(each.value("name", "")) + "=" + number("default") + " (" +
                number("min") + " to " + number("max") + ")";
    }
    return text;
}

// Loaded by the worker's sandboxed child and nowhere else; one that is no good stays in the list, with the reason.
Json pluginsJson() {
    Json list = Json::array();
    for (const auto& file : installedPlugins()) {
        Json one{{"file", file.stem().string()}, {"path", file.string()}};
        const auto report = workerJson({"inspect", file.string()});
        const bool fits = report && report->contains("plugin");
        one["plugin"] = fits ? (*report)["plugin"] : Json(nullptr);
        one["settings"] = fits ? (*report)["settings"] : Json::array();
        one["error"] = fits ? Json(nullptr) : Json(report ? "is not a plug-in" : report.error().text());
        list.push_back(std::move(one));
    }
    return list;
}

// The catalog's models, and the plug-ins that a run file can name as the path of the model "plugin".
int models(const Session& session) {
    const auto catalog = run::loadCatalog(run::workerProgram());
    if (!catalog) return fail(catalog.error());
    const Json plugins = pluginsJson();
    if (session.json) {
        auto json = parseJson(spec::toJson(**catalog))["models"];
        for (auto& entry : json)
            if (entry.value("name", "") == "plugin") entry["installed"] = plugins;
        return printJson(json);
    }
    printCatalogEntries(session, "models", &spec::Catalog::models);
    if (plugins.empty()) return 0;
    std::vector<std::vector<std::string>> table{{"plug-in", "model", "settings", "file"}};
    for (const auto& one : plugins)
        table.push_back({printable(one.value("file", "")),
                         one["error"].is_null() ? printable(one.value("plugin", ""))
                                                : "not usable: " + printable(one.value("error", "")),
                         settingsText(one), printable(one.value("path", ""))});
    std::printf("\n");
    printTable(table);
    return 0;
}

struct InspectOptions {
    std::string file, shape, task;
    std::int64_t outputs = 0;
};

int inspect(const Session& session, const InspectOptions& options) {
    std::vector<std::string> words{"inspect", options.file};
    if (!options.shape.empty()) words.insert(words.end(), {"--sample-shape", options.shape});
    if (!options.task.empty()) words.insert(words.end(), {"--task", options.task});
    if (options.outputs > 0) words.insert(words.end(), {"--outputs", std::to_string(options.outputs)});
    const auto report = workerJson(words);
    if (!report) return fail(report.error());
    if (session.json) return printJson(*report);
    if (report->contains("plugin")) {
        printTable({{"file", options.file},
                    {"plug-in", printable(report->value("plugin", ""))},
                    {"settings", settingsText(*report)}});
        return 0;
    }
    printReport(options.file, *report);
    return 0;
}

struct PredictOptions {
    std::string run;
    std::vector<std::string> inputs, rows, texts;
    int top = 5;
    int continueBy = 0;
    double temperature = 0;
    std::int64_t seed = 1;
    bool csv = false;
};

int predict(const Session& session, const PredictOptions& options) {
    const auto checkpoint = findCheckpoint(session, options.run);
    if (!checkpoint) return fail(checkpoint.error());
    std::vector<std::string> words{"predict", checkpoint->path};
    words.insert(words.end(), options.inputs.begin(), options.inputs.end());
    for (const auto& row : options.rows) words.push_back("row:" + row);
    for (const auto& text : options.texts) words.push_back("text:" + text);
    if (words.size() == 2)
        return fail(inputError("no input is named", "predict", "give an INPUT, --row NUMBERS or --text WORDS"));
    words.insert(words.end(), {"--top", std::to_string(options.top)});
    if (options.continueBy > 0)
        words.insert(words.end(), {"--continue", std::to_string(options.continueBy), "--temperature",
                                   spec::toText(options.temperature), "--seed", std::to_string(options.seed)});
    const auto answer = workerJson(words);
    if (!answer) return fail(answer.error());
    if (session.json) return printJson(*answer);
    if (options.csv) printPredictionsCsv(*answer);
    else printPredictions(*answer);
    if (!options.csv) printAccuracy(*answer);
    return 0;
}

} // namespace

void addModelCommands(CLI::App& app, Session& session) {
    auto* command = app.add_subcommand("models", "the models a run file can name");
    addCommonOptions(*command, session);
    command->callback([&session] { session.action = [&session] { return models(session); }; });

    const auto looked = std::make_shared<InspectOptions>();
    command = app.add_subcommand("inspect", "check a TorchScript file or a plug-in and try it in a sandbox");
    command->add_option("FILE", looked->file, "file of torch.jit.save, or a shared library")->required();
    command->add_option("--sample-shape", looked->shape, "shape of the sample to try it with, such as 1,28,28");
    command->add_option("--task", looked->task, "classification (the default), regression or language");
    command->add_option("--outputs", looked->outputs, "number of classes, columns or tokens it must output");
    addCommonOptions(*command, session);
    command->callback(
        [&session, looked] { session.action = [&session, looked] { return inspect(session, *looked); }; });

    addWeightsCommand(app, session);

    const auto asked = std::make_shared<PredictOptions>();
    command = app.add_subcommand("predict", "run a trained model on inputs");
    command->add_option("RUN", asked->run, "RUN[@CHECKPOINT]: @best (the default), @last or @STEP")->required();
    command->add_option("INPUT", asked->inputs,
                        "an image, a folder of images, a table (.csv, .tsv, also gzip; columns by name), "
                        "data:train/17, data:validation/17, data:test/17 or text:WORDS");
    command->add_option("--row", asked->rows, "the cells of one row, such as 5.1,red,1.4")->take_all();
    command->add_option("--text", asked->texts, "beginning of a text")->take_all();
    command->add_option("--continue", asked->continueBy, "number of tokens to add to the text")
        ->check(CLI::Range(1, 4096));
    command->add_option("--temperature", asked->temperature, "0: the likeliest token; 1: sample by probability")
        ->check(CLI::Range(0.0, 100.0));
    command->add_option("--seed", asked->seed, "seed of the sampling")->check(CLI::Range(std::int64_t{1}, INT64_MAX));
    command->add_flag("--csv", asked->csv, "print CSV: input,label,predicted,probability, or a column for each output");
    command->add_option("--top", asked->top, "number of classes to print, the likeliest first")
        ->check(CLI::Range(1, 1000));
    addCommonOptions(*command, session);
    command->callback([&session, asked] { session.action = [&session, asked] { return predict(session, *asked); }; });
}

} // namespace trainyard::ctl
