// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommand weights: a file of weights, and the model of the catalog that it fits.
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/weights/adapter_weights.h"
#include "engine/torch/weights/guess_model.h"
#include "engine/torch/weights/load_weights.h"
#include "engine/torch/worker/commands.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::train {
namespace {

using nlohmann::json;

json paramsJson(const spec::Params& params) {
    json all = json::object();
    for (const auto& [name, value] : params) {
        const auto parsed = parseSortedJson(spec::toText(value));
        all[name] = parsed.is_discarded() ? json(spec::toText(value)) : parsed;
    }
    return all;
}

// What the model named is made for, where the file does not show it.
weights::GuessedModel withName(const std::string& name, const std::optional<weights::GuessedModel>& guessed) {
    if (guessed && (name.empty() || guessed->model.name == name)) return *guessed;
    if (name == "gpt" || name == "lstm") return {{name, {}}, {{128}, 256, TaskKind::Language}};
    return {{name, {}}, {{3, 224, 224}, 1000}};
}

Result<std::string> fileJson(const std::string& path, const std::string& name) {
    TY_ASSIGN(const auto file, program::TensorFile::open(path));
    std::int64_t numbers = 0;
    for (const auto& tensor : file.tensors()) {
        std::int64_t count = 1;
        for (const auto side : tensor.shape)
            if (__builtin_mul_overflow(count, std::max<std::int64_t>(0, side), &count)) count = 0;
        if (__builtin_add_overflow(numbers, count, &numbers)) numbers = 0;
    }
    TY_ASSIGN(const auto digest, file.sha256());
    json answer{{"file", file.name()},
                {"format", program::toString(file.format())},
                {"bytes", file.bytes()},
                {"sha256", digest},
                {"tensors", file.tensors().size()},
                {"numbers", numbers},
                {"code", file.code()},
                {"notes", file.notes()},
                {"model", nullptr},
                {"report", nullptr},
                {"fits", false}};
    const bool adapts = weights::isAdapterFile(file); // then the model is that of the weights that it belongs to
    std::optional<program::TensorFile> base;
    if (adapts) { TY_ASSIGN(base, weights::baseFileOf(file)); }
    const program::TensorFile& shown = base ? *base : file;
    const auto guessed = weights::guessModel(shown.tensors(), shown.bytes());
    if (!guessed && name.empty()) return jsonText(answer);
    const auto use = withName(name, guessed);
    TY_ASSIGN(const auto model, models::makeModel(use.model, use.context));
    const weights::WeightsUse wanted{use.model.name, use.context, {}, "auto"};
    TY_ASSIGN(auto report,
              adapts ? weights::loadAdapter(*model, file, wanted) : weights::fitWeights(*model, file, wanted));
    report.sha256 = digest;
    answer["model"] = {
        {"name", use.model.name}, {"params", paramsJson(use.model.params)}, {"sampleShape", use.context.sampleShape}};
    answer["report"] = parseSortedJson(weights::jsonOf(report));
    answer["lines"] = weights::linesOf(report);
    answer["fits"] = report.share() >= weights::kLeastShare;
    return jsonText(answer);
}

Result<std::string> weightsOf(const std::vector<std::string>& args) {
    std::string file, model;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (args[i] == "--model" && i + 1 == args.size()) return inputError("has no value", args[i]);
        if (args[i] == "--model") model = args[++i];
        else if (args[i].starts_with("-") || !file.empty())
            return inputError("\"" + printable(args[i], 80) + "\" is not known here", "weights");
        else file = args[i];
    }
    if (file.empty()) return inputError("no file is named", "weights", "trainyard-worker weights FILE [--model NAME]");
    return fileJson(file, model);
}

} // namespace

int weightsCommand(const std::vector<std::string>& args) {
    const auto text = guarded("weights", [&] { return weightsOf(args); });
    if (text && std::printf("%s\n", text->c_str()) > 0 && std::fflush(stdout) == 0) return 0;
    return failCommand(text ? systemError("cannot write the result", "standard output") : text.error());
}

} // namespace trainyard::train
