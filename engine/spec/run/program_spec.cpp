// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/program_spec.h"

#include "engine/base/json_text.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace trainyard::spec {

std::string Program::title() const {
    if (!module.empty()) return module;
    if (!script.empty()) return std::filesystem::path(script).filename().string();
    return command.empty() ? std::string() : std::filesystem::path(command.front()).filename().string();
}

RunSpec programRun(Program program) {
    RunSpec spec;
    spec.program = std::move(program);
    spec.scaling.workers = 1;
    spec.epochs.reset();
    spec.checkpoint.scoreBy.clear();
    spec.checkpoint.keep = 0; // all
    spec.failure.heartbeatSeconds = 600;
    spec.failure.nonFinite = "warn";
    return spec;
}

const std::map<std::string, std::string>& fieldsNotOfPrograms() {
    static const std::string argument = "the program decides: give it as one of its arguments";
    static const std::string none = "leave it out: a program averages its gradients itself";
    static const std::string saves = "leave it out: the program decides when it saves";
    static const std::map<std::string, std::string> fields{
        {"task", "leave it out"},
        {"model", argument},
        {"dataset", argument},
        {"data", argument},
        {"optimizer", argument},
        {"schedule", argument},
        {"loss", argument},
        {"batch", argument},
        {"augment", argument},
        {"finetune", argument},
        {"gradient", argument},
        {"ema", argument},
        {"precision", argument},
        {"tuning", argument},
        {"epochs", argument},
        {"steps", argument},
        {"deterministic", argument},
        {"debug", argument},
        {"scaling.backend", none},
        {"scaling.averaging", none},
        {"scaling.compression", none},
        {"scaling.compressionRank", none},
        {"scaling.syncBatchNorm", none},
        {"scaling.lrRule", argument},
        {"scaling.port", "leave it out: a port that nobody else can take is reserved for the ranks"},
        {"checkpoint.everyEpochs", saves},
        {"checkpoint.everySteps", saves},
        {"checkpoint.budgetMb", "leave it out: checkpoints of a program are never deleted"},
        {"failure.rollbackLrFactor", argument}};
    return fields;
}

std::string argumentText(const ArgumentValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return jsonText(Json(*texts));
    return std::visit(
        [](const auto& held) -> std::string {
            if constexpr (std::is_constructible_v<Value, decltype(held)>) return toText(Value(held));
            else return {};
        },
        value);
}

} // namespace trainyard::spec
