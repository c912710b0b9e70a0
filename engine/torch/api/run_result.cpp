// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a run, from the workspace's record of it.
#include "engine/run/record/run_folder.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/better.h"
#include "engine/store/run_query.h"
#include "engine/torch/api/run_driver.h"

#include <algorithm>
#include <limits>

namespace trainyard::train {
namespace {

std::vector<Result::Row> historyOf(const std::map<std::string, std::vector<wire::Point>>& series) {
    std::map<std::int64_t, Result::Row> rows;
    for (const auto& [name, points] : series)
        for (const auto& point : points) {
            auto& row = rows[point.step];
            row.step = point.step;
            row.epoch = point.epoch;
            row.seconds = point.seconds;
            row.metrics[name] = point.value;
        }
    std::vector<Result::Row> list;
    for (auto& [step, row] : rows) list.push_back(std::move(row));
    return list;
}

// Best first by the run's score, those without one after them, newest first.
std::vector<Result::Scored> ranked(std::vector<store::CheckpointRow> rows, const spec::CheckpointPolicy& policy) {
    std::reverse(rows.begin(), rows.end());
    const auto better = spec::betterOf(policy.scoreBy, policy.mode);
    const auto score = [&](const store::CheckpointRow& row) {
        const auto found = row.metrics.find(policy.scoreBy);
        return found == row.metrics.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto& a, const auto& b) { return spec::isBetter(better, score(a), score(b)); });
    std::vector<Result::Scored> list;
    for (auto& row : rows) list.push_back({Checkpoint::fromFile(row.path), std::move(row.metrics)});
    return list;
}

} // namespace

std::string RunError::text() const {
    return trainyard::Error{errorKindFromString(kind), message, where, remedy}.text();
}

std::optional<RunError> recordedError(const store::RunRow& row) {
    if (row.status == wire::RunStatus::Finished || wire::isActive(row.status)) return std::nullopt;
    if (row.status == wire::RunStatus::Stopped)
        return RunError{"stopped", "the run was stopped on request", "step " + std::to_string(row.step),
                        "trainyardctl resume " + row.id, toString(ErrorCode::Stopped)};
    if (!row.error.message.empty())
        return RunError{toString(row.error.kind), row.error.message, row.error.where, row.error.remedy,
                        toString(row.error.code)};
    return RunError{"environment",
                    std::string("the run's supervisor is gone; the run is ") + wire::toString(row.status), row.folder,
                    "see supervisor.log in that folder", toString(ErrorCode::SupervisorLost)};
}

trainyard::Result<Result> recordedResult(const store::Workspace& workspace, const std::string& run) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto row, query->run(run));
    TY_ASSIGN(const auto spec, spec::parseRunSpec(row.specJson, "run " + row.name));
    Result result;
    result.path = row.folder;
    result.runId = row.id;
    result.restarts = row.restarts;
    result.error = recordedError(row);
    TY_ASSIGN(const auto names, query->seriesNames(row.id));
    std::map<std::string, std::vector<wire::Point>> series;
    for (const auto& name : names) {
        if (!run::tellsOfTraining(name)) continue; // they are no metrics of the program's
        TY_ASSIGN(series[name], query->points(RunId(row.id), name));
        if (!series[name].empty()) result.metrics[name] = series[name].back().value;
    }
    result.metricsHistory = historyOf(series);
    TY_ASSIGN(auto rows, query->checkpoints(row.id));
    if (!rows.empty()) result.checkpoint = Checkpoint::fromFile(rows.back().path);
    result.bestCheckpoints = ranked(std::move(rows), spec.checkpoint);
    return result;
}

Result failedResult(const trainyard::Error& error) {
    Result result;
    result.error = RunError{toString(error.kind), error.message, error.where, error.remedy, toString(error.code)};
    return result;
}

} // namespace trainyard::train
