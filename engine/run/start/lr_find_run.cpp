// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attach/run_follower.h"
#include "engine/run/share/temporary_workspace.h"
#include "engine/run/start/lr_find.h"
#include "engine/run/start/run_start.h"

#include <map>

namespace trainyard::run {
namespace {

Result<LrCurve> curveOf(const store::Workspace& workspace, const std::string& run) {
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
    return curveOf(*workspace, run);
}

} // namespace trainyard::run
