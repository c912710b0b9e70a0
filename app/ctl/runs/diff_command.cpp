// SPDX-License-Identifier: GPL-3.0-or-later
// checkpoints diff.
#include "app/ctl/runs/checkpoint_file.h"
#include "engine/base/json_text.h"
#include "engine/run/actions/diff_checkpoints.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using run::TensorDiff;

struct DiffCommand {
    std::string first, second, sort = "relative";
    bool all = false, withOptimizer = false;
};

Json numberJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json measuresJson(const TensorDiff& diff) {
    return {{"values", diff.values},
            {"changed", diff.changed},
            {"not_finite", diff.notFinite},
            {"norm", {numberJson(diff.norm), numberJson(diff.otherNorm)}},
            {"difference_norm", numberJson(diff.differenceNorm)},
            {"relative", numberJson(diff.relative())},
            {"max_abs", numberJson(diff.greatest)}};
}

Json tensorJson(const TensorDiff& diff) {
    Json json{{"name", diff.name},
              {"state", run::toString(diff.state)},
              {"dtype", {diff.dtype, diff.otherDtype}},
              {"shape", {diff.shape, diff.otherShape}}};
    json.update(measuresJson(diff));
    json["histogram"] = {{"low", numberJson(diff.low)},
                         {"high", numberJson(diff.high)},
                         {"counts", {diff.histogram, diff.otherHistogram}}};
    return json;
}

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const auto size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "scalar" : text;
}

// A histogram in a line, for a terminal.
std::string barsText(const std::array<std::int64_t, TensorDiff::kBins>& bins) {
    static constexpr std::array kBars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double most = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
    std::string text;
    for (const auto count : bins)
        text += most == 0 ? " " : kBars[static_cast<std::size_t>(std::ceil(static_cast<double>(count) / most * 8))];
    return text;
}

std::vector<std::string> cellsOf(const TensorDiff& diff) {
    const bool both = diff.state == TensorDiff::State::Same || diff.state == TensorDiff::State::Changed;
    const bool hasFirst = diff.state != TensorDiff::State::OnlySecond;
    const bool hasSecond = diff.state != TensorDiff::State::OnlyFirst;
    std::string shape = shapeText(hasFirst ? diff.shape : diff.otherShape);
    if (diff.state == TensorDiff::State::Reshaped) shape += " -> " + shapeText(diff.otherShape);
    return {diff.name,
            shape,
            run::toString(diff.state),
            both ? grouped(diff.changed) + " of " + grouped(diff.values) : "-",
            hasFirst ? numberText(diff.norm) : "-",
            hasSecond ? numberText(diff.otherNorm) : "-",
            both ? numberText(diff.relative()) : "-",
            both ? numberText(diff.greatest) : "-",
            barsText(hasSecond && diff.state != TensorDiff::State::Reshaped ? diff.otherHistogram : diff.histogram)};
}

void printDiff(const run::CheckpointDiff& diff, bool all) {
    std::vector<std::vector<std::string>> table{
        {"tensor", "shape", "", "changed", "norm", "norm after", "relative", "max abs", "distribution after"}};
    for (const TensorDiff& each : diff.tensors)
        if (all || each.state != TensorDiff::State::Same) table.push_back(cellsOf(each));
    if (table.size() > 1) printTable(table);
    if (diff.step >= 0 && diff.otherStep >= 0)
        std::printf("step %s -> %s: ", grouped(diff.step).c_str(), grouped(diff.otherStep).c_str());
    std::printf("%d of %zu tensors differ; norm %s -> %s, relative change %s, largest change %s\n", diff.differing,
                diff.tensors.size(), numberText(diff.all.norm).c_str(), numberText(diff.all.otherNorm).c_str(),
                numberText(diff.all.relative()).c_str(), numberText(diff.all.greatest).c_str());
    if (diff.all.notFinite > 0) std::printf("%s values are not finite\n", grouped(diff.all.notFinite).c_str());
}

// Tensors without a counterpart come first: they matter most.
void sortBy(const std::string& key, std::vector<TensorDiff>& tensors) {
    const auto value = [&](const TensorDiff& diff) {
        const bool both = diff.state == TensorDiff::State::Same || diff.state == TensorDiff::State::Changed;
        return !both ? INFINITY : key == "max-abs" ? diff.greatest : diff.relative();
    };
    if (key != "name")
        std::stable_sort(tensors.begin(), tensors.end(),
                         [&](const auto& a, const auto& b) { return value(a) > value(b); });
}

Result<int> diff(const Session& session, const DiffCommand& options) {
    TY_ASSIGN(const auto first, checkpointFileOf(session, options.first));
    TY_ASSIGN(const auto second, checkpointFileOf(session, options.second));
    TY_ASSIGN(auto found, run::diffCheckpoints(first, second, {.withOptimizer = options.withOptimizer}));
    sortBy(options.sort, found.tensors);
    if (!session.json) return printDiff(found, options.all), 0;
    Json tensors = Json::array();
    for (const TensorDiff& each : found.tensors)
        if (options.all || each.state != TensorDiff::State::Same) tensors.push_back(tensorJson(each));
    return printJson({{"files", {first.string(), second.string()}},
                      {"step", {found.step, found.otherStep}},
                      {"compared", found.tensors.size()},
                      {"differing", found.differing},
                      {"all", measuresJson(found.all)},
                      {"tensors", std::move(tensors)}});
}

} // namespace

void addDiffCommand(CLI::App& checkpoints, Session& session) {
    const auto options = std::make_shared<DiffCommand>();
    auto* command = checkpoints.add_subcommand("diff", "compare the weights of two checkpoints, tensor by tensor");
    command->add_option("FIRST", options->first, "RUN[@CHECKPOINT], a safetensors file, or a .pt file of PyTorch's")
        ->required();
    command->add_option("SECOND", options->second, "the same")->required();
    command->add_flag("--all", options->all, "also list equal tensors");
    command->add_flag("--optimizer", options->withOptimizer, "also compare the optimizer's tensors and averages");
    command->add_option("--sort", options->sort, "relative (change relative to the tensor), max-abs or name")
        ->check(CLI::IsMember({"relative", "max-abs", "name"}));
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto code = diff(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
