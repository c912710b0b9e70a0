// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep simulate FILE --curves SWEEP`: what a sweep would come to, from the curves of another.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/judge/replayed_curves.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

constexpr int kSimulatedSlots = 4; // where the file says nothing

struct SimulateOptions {
    std::string file, curves;
    std::vector<std::string> overrides;
};

Result<std::vector<sweep::RecordedCurve>> curvesOf(store::RunQuery& query, const store::SweepRow& row,
                                                   const spec::SweepSpec& spec, bool epochs) {
    const auto better = sweep::scoreOf(spec).better;
    TY_ASSIGN(const auto trials, query.trials(row.id));
    std::vector<sweep::RecordedCurve> curves;
    for (const auto& trial : trials) {
        TY_ASSIGN(const auto points, query.points(RunId(trial.id), spec.scoreBy));
        sweep::RecordedCurve curve{trial.trial, spec::paramsFromText(trial.paramsJson), {}};
        for (const auto& point : points) {
            const double t = epochs ? std::round(point.epoch * 1e6) / 1e6 : static_cast<double>(point.step);
            curve.losses.emplace_back(t, sweep::lossOf(point.value, better));
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

struct Outcome {
    spec::SweepSpec spec;
    sweep::Simulated found;
    bool epochs = true;
};

Result<Outcome> simulated(const OpenWorkspace& open, const SimulateOptions& options) {
    Outcome outcome;
    TY_ASSIGN(const auto text, spec::readWithOverrides(options.file, options.overrides));
    TY_ASSIGN(auto given, spec::parseSweepSpec(text, options.file));
    TY_ASSIGN(outcome.spec, sweep::checkedSweep(std::move(given)));
    if (spec::isOpenEnded(outcome.spec))
        return inputError("is missing, and a simulation has no budget", "trials", "add --set trials=100");
    TY_ASSIGN(const auto length, sweep::lengthOf(outcome.spec));
    outcome.epochs = length.epochs;
    TY_ASSIGN(const auto row, open.query->sweep(options.curves));
    TY_ASSIGN(const auto curves, curvesOf(*open.query, row, outcome.spec, length.epochs));
    const int slots = outcome.spec.parallel > 0 ? outcome.spec.parallel : kSimulatedSlots;
    TY_ASSIGN(outcome.found, sweep::simulate(outcome.spec, curves, slots));
    return outcome;
}

int sayOutcome(const Session& session, const Outcome& outcome) {
    const auto& [spec, found, epochs] = outcome;
    const double sign = sweep::scoreOf(spec).better == spec::Better::Larger ? -1 : 1;
    if (session.json) {
        Json stopped = Json::array();
        for (const auto& [rung, trials] : found.stoppedAt) stopped.push_back({{"at", rung}, {"trials", trials}});
        const bool any = found.best >= 0;
        return printJson({{"searcher", spec.searcher.name},
                          {"scheduler", spec.scheduler.name},
                          {"unit", epochs ? "epochs" : "steps"},
                          {"started", found.started},
                          {"ended", found.ended},
                          {"stopped", std::move(stopped)},
                          {"best", any ? Json(sign * found.bestLoss) : Json(nullptr)},
                          {"best_trial", any ? Json(found.best) : Json(nullptr)},
                          {"used", found.used},
                          {"fifo", found.fifo}});
    }
    const char* unit = epochs ? "epochs" : "steps";
    std::printf("%s with %s: %d trials started, %d trained to their end\n", spec.searcher.name.c_str(),
                spec.scheduler.name.c_str(), found.started, found.ended);
    for (const auto& [rung, trials] : found.stoppedAt)
        std::printf("  %d stopped at %s %s\n", trials, epochs ? "epoch" : "step", spec::toText(rung).c_str());
    if (found.best >= 0)
        std::printf("best: %s %.4g, the curve of trial %d\n", spec.scoreBy.c_str(), sign * found.bestLoss, found.best);
    std::printf("%.4g %s used, %.4g with FIFO (%.0f%%)\n", found.used, unit, found.fifo,
                found.fifo > 0 ? 100 * found.used / found.fifo : 0.0);
    return 0;
}

int simulateCommand(const Session& session, const SimulateOptions& options) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto outcome = simulated(*open, options);
    return outcome ? sayOutcome(session, *outcome) : failIn(options.file, outcome.error());
}

} // namespace

void addSimulateCommand(CLI::App& parent, Session& session) {
    const auto options = std::make_shared<SimulateOptions>();
    auto* command = parent.add_subcommand("simulate", "simulate a sweep file on the recorded curves of a sweep");
    command->add_option("FILE", options->file, "sweep file (JSON)")->required();
    command->add_option("--curves", options->curves, "the sweep: id, beginning of an id, or name")
        ->type_name("SWEEP")
        ->required();
    command->add_option("--set", options->overrides, "path=value: replaces one field; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return simulateCommand(session, *options); }; });
}

} // namespace trainyard::ctl
