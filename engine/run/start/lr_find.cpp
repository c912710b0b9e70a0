// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/lr_find.h"

#include "engine/run/attach/run_follower.h"
#include "engine/run/share/temporary_workspace.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/run/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::run {
namespace {

constexpr double kKept = 0.9;     // of the moving average, at each step
constexpr double kBlownUp = 4;    // times the lowest loss: the sweep has gone too far
constexpr std::size_t kSlope = 5; // points to each side that a slope is measured over

// Least squares of the smoothed loss over the logarithm of the rate, around point `at`.
double slopeAt(const std::vector<LrPoint>& points, std::size_t at) {
    const std::size_t begin = at > kSlope ? at - kSlope : 0, end = std::min(points.size(), at + kSlope + 1);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double lr = std::log(points[i].lr);
        ++n;
        x += lr;
        y += points[i].smoothed;
        xx += lr * lr;
        xy += lr * points[i].smoothed;
    }
    const double spread = n * xx - x * x;
    return spread > 0 ? (n * xy - x * y) / spread : 0;
}

Result<LrCurve> curveOf(const store::Workspace& workspace, const RunId& run) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto losses, query->points(run, "train/loss"));
    TY_ASSIGN(const auto rates, query->points(run, "lr"));
    std::map<std::int64_t, double> rateOf;
    for (const auto& point : rates) rateOf[point.step] = point.value;
    std::vector<double> lr, loss;
    for (const auto& point : losses)
        if (const auto found = rateOf.find(point.step); found != rateOf.end()) {
            lr.push_back(found->second);
            loss.push_back(point.value);
        }
    if (loss.size() >= 12) return evaluateLrCurve(lr, loss);
    TY_ASSIGN(const auto row, query->run(run)); // nothing to judge: the run itself is wrong
    if (row.error.message.empty())
        return runError("the run ended after " + std::to_string(loss.size()) + " steps", "lr-find");
    return row.error;
}

} // namespace

Result<spec::RunSpec> lrSweepRun(spec::RunSpec spec, const LrSweep& sweep) {
    if (!(sweep.from > 0) || !(sweep.to > sweep.from) || !(sweep.to <= spec::kMaxLearningRate))
        return inputError("the learning rates must grow from above 0 to at most " +
                              spec::toText(spec::kMaxLearningRate),
                          "--from, --to", "for example --from 1e-6 --to 1");
    if (sweep.steps < 20 || sweep.steps > 100'000)
        return inputError(std::to_string(sweep.steps) + " steps are not enough for a curve, or too many", "--steps",
                          "give 20 to 100000");
    spec.name = "lr-find";
    spec.optimizer.params["lr"] = sweep.from;
    spec.schedule = {"exponential", {{"endLr", sweep.to}}};
    spec.steps = sweep.steps;
    spec.epochs.reset();
    spec.scaling.lrRule = "none";
    spec.scaling.elastic = {};
    spec.ema = 0;
    spec.earlyStop = {};
    spec.debug = {};
    spec.checkpoint.everyEpochs = spec.checkpoint.everySteps = 0;
    spec.failure.maxRestarts = 0;
    spec.failure.nonFinite = "stop";
    spec.tensorBoard = false;
    spec.storage.clear();
    return spec;
}

LrCurve evaluateLrCurve(const std::vector<double>& rates, const std::vector<double>& losses) {
    LrCurve curve;
    double average = 0, lowest = INFINITY;
    for (std::size_t i = 0; i < std::min(rates.size(), losses.size()); ++i) {
        if (!std::isfinite(losses[i])) {
            curve.diverged = true;
            break;
        }
        average = kKept * average + (1 - kKept) * losses[i];
        const double smoothed = average / (1 - std::pow(kKept, static_cast<double>(i + 1)));
        curve.points.push_back({static_cast<std::int64_t>(i + 1), rates[i], losses[i], smoothed});
        if (smoothed < lowest) {
            lowest = smoothed;
            curve.lowest = rates[i];
        }
        if (i >= 10 && smoothed > kBlownUp * lowest) {
            curve.diverged = true;
            break;
        }
    }
    double steepest = 0;
    for (std::size_t i = kSlope; i < curve.points.size() && curve.points[i].lr <= curve.lowest; ++i) {
        const double slope = slopeAt(curve.points, i);
        if (slope >= steepest) continue;
        steepest = slope;
        curve.suggested = curve.points[i].lr;
    }
    return curve;
}

double lrRuleFactor(const spec::Scaling& scaling) {
    if (scaling.lrRule == "linear") return scaling.workers;
    return scaling.lrRule == "sqrt" ? std::sqrt(static_cast<double>(scaling.workers)) : 1.0;
}

Result<LrCurve> findRates(const spec::RunSpec& spec, const LrSweep& sweep,
                          const std::function<void(std::int64_t)>& progress) {
    TY_ASSIGN(auto measured, lrSweepRun(spec, sweep));
    TY_ASSIGN(const auto workspace, TemporaryWorkspace::make("trainyard-lr"));
    TY_ASSIGN(const std::string run, startRun(*workspace, std::move(measured)));
    TY_ASSIGN(const auto follower, RunFollower::open(*workspace, run));
    for (bool ended = false; !ended;) { // which may be that the loss blew up: that is a result too
        TY_ASSIGN(const auto update, follower->poll(500));
        ended = update.ended;
        if (progress && update.state) progress(update.state->step);
    }
    return curveOf(*workspace, RunId(run));
}

} // namespace trainyard::run
