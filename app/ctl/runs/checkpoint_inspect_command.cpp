// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints inspect: what is in a checkpoint file; none of its code is run.
#include "app/ctl/runs/checkpoint_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/read_content.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using program::FileContent;

Json finiteJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json namedJson(const std::vector<program::NamedNumber>& numbers) {
    Json json = Json::object();
    for (const auto& each : numbers) json[each.path] = finiteJson(each.value);
    return json;
}

std::int64_t valuesIn(const program::TensorPlace& tensor) {
    std::int64_t count = 1; // of a tensor that has bytes it fits
    if (tensor.bytes == 0) return 0;
    for (const auto size : tensor.shape) count *= size;
    return count;
}

Json contentJson(const std::string& file, const FileContent& content) {
    Json tensors = Json::array(), parts = Json::array();
    for (const auto& each : content.tensors)
        tensors.push_back({{"name", each.path},
                           {"dtype", each.dtype.empty() ? Json(nullptr) : Json(each.dtype)},
                           {"shape", each.shape},
                           {"bytes", each.bytes},
                           {"offset", each.offset ? Json(*each.offset) : Json(nullptr)}});
    for (const auto& each : content.parts) parts.push_back({{"name", each.name}, {"bytes", each.bytes}});
    return {{"file", file},
            {"format", toString(content.format)},
            {"bytes", content.bytes},
            {"step", content.step ? Json(*content.step) : Json(nullptr)},
            {"epoch", content.epoch ? finiteJson(*content.epoch) : Json(nullptr)},
            {"learning_rates", namedJson(content.learningRates)},
            {"numbers", namedJson(content.numbers)},
            {"tensors", std::move(tensors)},
            {"parts", std::move(parts)},
            {"code", content.code},
            {"notes", content.notes}};
}

std::string shapeCell(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const auto size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "scalar" : text;
}

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

void printNumbers(const char* title, const std::vector<program::NamedNumber>& numbers) {
    for (const auto& each : numbers)
        std::printf("%s%s = %s\n", title, printable(each.path).c_str(), shortNumber(each.value).c_str());
}

void printContent(const FileContent& content) {
    std::vector<std::vector<std::string>> table;
    std::int64_t values = 0;
    for (const auto& each : content.tensors) {
        if (table.empty()) table.push_back({"tensor", "dtype", "shape", "size"});
        table.push_back({printable(each.path), each.dtype.empty() ? "-" : each.dtype, shapeCell(each.shape),
                         bytesText(static_cast<std::int64_t>(each.bytes))});
        values += valuesIn(each);
    }
    for (const auto& each : content.parts) {
        if (table.empty()) table.push_back({"record", "size"});
        table.push_back({printable(each.name), bytesText(static_cast<std::int64_t>(each.bytes))});
    }
    printTable(table);
    std::printf("%s%s, %s", table.empty() ? "" : "\n", toString(content.format),
                bytesText(static_cast<std::int64_t>(content.bytes)).c_str());
    if (!content.tensors.empty())
        std::printf(", %s %s with %s values", grouped(static_cast<std::int64_t>(content.tensors.size())).c_str(),
                    content.tensors.size() == 1 ? "tensor" : "tensors", grouped(values).c_str());
    if (content.step) std::printf(", step %s", grouped(*content.step).c_str());
    if (content.epoch) std::printf(", epoch %s", shortNumber(*content.epoch).c_str());
    std::printf("\n");
    printNumbers("", content.numbers);
    printNumbers("learning rate ", content.learningRates);
    for (const auto& each : content.notes) std::printf("note: %s\n", printable(each).c_str());
    if (content.code.empty()) return;
    std::printf("code that loading it with Python's pickle would import and may run; nothing of it was run here:\n");
    for (const auto& each : content.code) std::printf("  %s\n", printable(each).c_str());
}

Result<int> inspectFile(const Session& session, const std::string& given) {
    TY_ASSIGN(const auto file, checkpointFileOf(session, given));
    TY_ASSIGN(const auto content, program::readContent(file));
    if (session.json) return printJson(contentJson(file.string(), content));
    printContent(content);
    return 0;
}

} // namespace

void addCheckpointInspectCommand(CLI::App& checkpoints, Session& session) {
    const auto given = std::make_shared<std::string>();
    auto* command = checkpoints.add_subcommand(
        "inspect", "show what is in a .pt or safetensors file: tensors, step, learning rates, code; nothing is run");
    command->add_option("FILE", *given, "a file of torch.save, a safetensors file, or RUN[@CHECKPOINT]")->required();
    addCommonOptions(*command, session);
    command->callback([&session, given] {
        session.action = [&session, given] {
            const auto code = inspectFile(session, *given);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
