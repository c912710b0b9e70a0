// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/models/weights_command.h"

#include "app/ctl/session.h"
#include "app/ctl/worker_call.h"
#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace trainyard::ctl {
namespace {

struct WeightsOptions {
    std::string file, model;
};

// "vit depth=12 heads=12 patch=16 width=768"
std::string modelText(const Json& model) {
    std::string text = printable(model.value("name", ""), 60);
    const Json params = model.value("params", Json::object());
    for (const auto& [name, value] : params.items())
        text += " " + printable(name, 60) + "=" +
                printable(value.is_string() ? value.get<std::string>() : jsonText(value), 60);
    return text;
}

// As a run file can be given it on the command line.
std::string overridesText(const Json& model) {
    std::string text = " --set model=" + shellArgument(model.value("name", ""));
    const Json params = model.value("params", Json::object());
    for (const auto& [name, value] : params.items())
        text += " --set " + shellArgument("model.params." + name + "=" +
                                          (value.is_string() ? value.get<std::string>() : jsonText(value)));
    return text;
}

void printWeights(const Json& answer) {
    std::vector<std::vector<std::string>> rows{
        {"file", printable(answer.value("file", ""), 4096)},
        {"format", answer.value("format", "") + ", " + bytesText(answer.value("bytes", std::int64_t{0}))},
        {"SHA-256", answer.value("sha256", "")},
        {"tensors", grouped(answer.value("tensors", std::int64_t{0})) + " with " +
                        grouped(answer.value("numbers", std::int64_t{0})) + " numbers"}};
    const Json& model = answer["model"];
    rows.push_back({"model", model.is_object()
                                 ? modelText(model) + (answer.value("fits", false) ? "" : ", which they do not fit")
                                 : "none of the catalog's that is known by its names"});
    for (const auto& line : answer.value("lines", Json::array()))
        if (line.is_string()) rows.push_back({"fits", printable(line.get<std::string>(), 1000)});
    for (const auto& code : answer.value("code", Json::array()))
        if (code.is_string()) rows.push_back({"code, not run", printable(code.get<std::string>(), 200)});
    for (const auto& note : answer.value("notes", Json::array()))
        if (note.is_string()) rows.push_back({"note", printable(note.get<std::string>(), 1000)});
    printTable(rows);
    if (answer.value("fits", false))
        std::printf("\nto train its head on your own data:\n  trainyardctl run FILE%s --weights %s --freeze body\n",
                    overridesText(model).c_str(), shellArgument(answer.value("file", "")).c_str());
}

int showWeights(const Session& session, const WeightsOptions& options) {
    std::error_code ignored;
    const auto file = std::filesystem::absolute(options.file, ignored).string();
    std::vector<std::string> words{"weights", file};
    if (!options.model.empty()) words.insert(words.end(), {"--model", options.model});
    const auto answer = workerJson(words);
    if (!answer) return fail(answer.error());
    if (session.json) return printJson(*answer);
    printWeights(*answer);
    return 0;
}

} // namespace

void addWeightsCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<WeightsOptions>();
    auto* command = app.add_subcommand("weights", "show what a file of weights holds, and which model it fits");
    command
        ->add_option("FILE", options->file,
                     "a file of torch.save (.pth, .pt, .bin), a .safetensors file, an index of either, or their folder")
        ->required();
    command->add_option("--model", options->model, "compare with this model of the catalog")->type_name("NAME");
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return showWeights(session, *options); }; });
}

} // namespace trainyard::ctl
