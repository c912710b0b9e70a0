// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/lr_find.h"
#include "engine/run/actions/run_start.h"
#include "engine/run/attach/run_follower.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

namespace trainyard::run {
namespace {

// A workspace of its own that goes when it is done: the measured run is not one of the user's.
class PassingWorkspace {
public:
    static Result<std::unique_ptr<PassingWorkspace>> make() {
        std::string name = (std::filesystem::temp_directory_path() / "trainyard-lr-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return systemError("cannot make a folder", name);
        auto made = std::make_unique<PassingWorkspace>();
        made->m_folder = name;
        TY_ASSIGN(made->workspace, store::Workspace::open(name));
        return made;
    }
    ~PassingWorkspace() {
        std::error_code ignored;
        if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
    }
    store::Workspace workspace;

private:
    std::filesystem::path m_folder;
};

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
    if (loss.size() >= 12) return judgeRates(lr, loss);
    TY_ASSIGN(const auto row, query->run(run)); // nothing to judge: the run itself is wrong
    if (row.error.empty()) return runError("the run ended after " + std::to_string(loss.size()) + " steps", "lr-find");
    return row.failure();
}

} // namespace

Result<LrCurve> findRates(const spec::RunSpec& spec, const LrSweep& sweep,
                          const std::function<void(std::int64_t)>& progress) {
    TY_ASSIGN(auto measured, lrSweepRun(spec, sweep));
    TY_ASSIGN(const auto passing, PassingWorkspace::make());
    TY_ASSIGN(const std::string run, startRun(passing->workspace, std::move(measured)));
    TY_ASSIGN(const auto follower, RunFollower::open(passing->workspace, run));
    for (bool ended = false; !ended;) { // which may be that the loss blew up: that is a result too
        TY_ASSIGN(const auto update, follower->poll(500));
        ended = update.ended;
        if (progress && update.state) progress(update.state->step);
    }
    return curveOf(passing->workspace, run);
}

} // namespace trainyard::run
