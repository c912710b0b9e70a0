// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands inspect, predict, evaluate and data: arguments in, JSON out.
#include "engine/base/text/printable.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/script/probe.h"
#include "engine/torch/worker/commands.h"
#include "engine/torch/worker/evaluate_checkpoint.h"
#include "engine/torch/worker/folder_report.h"
#include "engine/torch/worker/pack_folder.h"
#include "engine/torch/worker/predict.h"

#include <charconv>
#include <cstdio>
#include <sstream>

namespace trainyard::train {
namespace {

int ended(const Result<std::string>& result) {
    if (result && std::printf("%s\n", result->c_str()) > 0 && std::fflush(stdout) == 0) return 0;
    return failCommand(result ? systemError("cannot write the result", "standard output") : result.error());
}

Result<std::int64_t> wholeNumber(const std::string& text, const std::string& where, const char* remedy) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc() && end == text.data() + text.size() && number > 0) return number;
    return inputError("\"" + text + "\" is not a whole number above 0", where, remedy);
}

Result<std::string> inspect(const std::vector<std::string>& args) {
    std::string file;
    script::Use use;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string& word = args[i];
        const bool known = word == "--sample-shape" || word == "--task" || word == "--outputs";
        if (known && i + 1 == args.size()) return inputError("has no value", word);
        if (word == "--task") {
            TY_ASSIGN(use.task, taskFromString(args[++i]));
        } else if (word == "--outputs") {
            TY_ASSIGN(use.outputs, wholeNumber(args[++i], word, "for example 10"));
        } else if (word == "--sample-shape") {
            std::istringstream sides(args[++i]);
            for (std::string side; std::getline(sides, side, ',');) {
                TY_ASSIGN(const std::int64_t number,
                          wholeNumber(side, word, "separate the sides with commas: 1,28,28"));
                use.sampleShape.push_back(number);
            }
        } else if (word.starts_with("-") || !file.empty()) {
            return inputError("\"" + word + "\" is not known here", "inspect");
        } else {
            file = word;
        }
    }
    if (file.empty()) return inputError("no file is named", "inspect");
    if (script::isLibrary(file)) {
        TY_ASSIGN(const script::PluginReport plugin, script::probePlugin(file));
        return script::toJson(plugin, file);
    }
    TY_ASSIGN(const script::Archive archive, script::readArchive(file));
    TY_ASSIGN(const script::Report report,
              script::probe(archive, use.sampleShape.empty() ? std::nullopt : std::optional(use)));
    return script::toJson(report);
}

Result<double> temperatureOf(const std::string& text) {
    double number = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc() && end == text.data() + text.size() && number >= 0 && number <= 100) return number;
    return inputError("\"" + printable(text) + "\" is not a number from 0 to 100", "--temperature");
}

Result<std::string> predict(const std::vector<std::string>& args) {
    std::vector<std::string> words;
    PredictOptions options;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string& word = args[i];
        const bool known = word == "--top" || word == "--continue" || word == "--temperature" || word == "--seed";
        if (!known) {
            words.push_back(word);
            continue;
        }
        if (i + 1 == args.size()) return inputError("has no value", word);
        const std::string& value = args[++i];
        if (word == "--temperature") {
            TY_ASSIGN(options.temperature, temperatureOf(value));
            continue;
        }
        TY_ASSIGN(const std::int64_t number, wholeNumber(value, word, "for example 10"));
        if (word == "--seed") options.seed = number;
        else
            (word == "--top" ? options.top : options.continueBy) =
                static_cast<int>(std::min<std::int64_t>(number, 4096));
    }
    if (words.size() < 2)
        return inputError("a checkpoint and at least one input are needed", "predict",
                          "trainyard-worker predict CHECKPOINT INPUT...");
    const std::string checkpoint = words.front();
    words.erase(words.begin());
    return predictJson(checkpoint, words, options);
}

Result<std::string> evaluate(const std::vector<std::string>& args) {
    std::vector<std::string> checkpoints;
    std::string part = "validation";
    for (std::size_t i = 0; i < args.size(); ++i)
        if (args[i] != "--part") checkpoints.push_back(args[i]);
        else if (i + 1 == args.size()) return inputError("has no value", "--part");
        else part = args[++i];
    if (checkpoints.empty())
        return inputError("no checkpoint is named", "evaluate",
                          "trainyard-worker evaluate CHECKPOINT... [--part validation]");
    return evaluationsJson(checkpoints, part);
}

Result<std::string> packData(const std::vector<std::string>& args) {
    PackQuestion question;
    for (std::size_t i = 1; i < args.size(); ++i) {
        const bool known = args[i] == "--out" || args[i] == "--archive-bytes";
        if (known && i + 1 == args.size()) return inputError("has no value", args[i]);
        if (args[i] == "--out") question.out = args[++i];
        else if (args[i] == "--archive-bytes") {
            TY_ASSIGN(question.archiveBytes, wholeNumber(args[i + 1], args[i], "for example 1000000000"));
            ++i;
        } else question.folder = args[i];
    }
    if (question.folder.empty() || question.out.empty())
        return inputError("a folder and a place for the pack are needed", "data",
                          "trainyard-worker data pack FOLDER --out PACK");
    return packFolder(question);
}

Result<std::string> lookAtData(const std::vector<std::string>& args) {
    if (!args.empty() && args[0] == "pack") return packData(args);
    FolderQuestion question;
    bool fix = false;
    for (std::size_t i = 1; i < args.size(); ++i) {
        const std::string& word = args[i];
        const bool known = word == "--labels" || word == "--task" || word == "--column";
        if (known && i + 1 == args.size()) return inputError("has no value", word);
        if (word == "--labels") question.labels = args[++i];
        else if (word == "--task") question.task = args[++i];
        else if (word == "--column") question.columns.push_back(args[++i]);
        else if (word == "--fix") fix = true;
        else question.folder = word;
    }
    if (args.empty() || question.folder.empty() || (args[0] != "inspect" && args[0] != "check"))
        return inputError("a verb and a folder are needed", "data", "trainyard-worker data inspect|check|pack FOLDER");
    return args[0] == "inspect" ? inspectFolder(question) : checkFolder(question, fix);
}

} // namespace

int dataCommand(const std::vector<std::string>& args) {
    return ended(guarded("data", [&] { return lookAtData(args); }));
}

int inspectCommand(const std::vector<std::string>& args) {
    return ended(guarded("inspect", [&] { return inspect(args); }));
}

int predictCommand(const std::vector<std::string>& args) {
    return ended(guarded("predict", [&] { return predict(args); }));
}

int evaluateCommand(const std::vector<std::string>& args) {
    return ended(guarded("evaluate", [&] { return evaluate(args); }));
}

} // namespace trainyard::train
