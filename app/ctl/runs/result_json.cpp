// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/runs/result_json.h"

#include "app/ctl/program/source_list.h"
#include "app/ctl/runs/estimate.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/run/record/keep_rule.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/record/series/system_series.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/results/sweep_result.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace trainyard::ctl {
namespace {

// Not a number is null in JSON.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Averaging, layout, precision and kernels, in words; null before the first step.
Json computedJson(const store::RunRow& row) {
    const auto environment = parseJson(row.environmentJson);
    const auto found = environment.is_object() ? environment.find("computed") : environment.end();
    return environment.is_object() && found != environment.end() && found->is_string() ? textOrNull(*found) : nullptr;
}

struct MetricsJson {
    Json metrics = Json::object(), best = Json::object(), system = Json::object();
};

Result<MetricsJson> metricsJson(store::RunQuery& query, const store::RunRow& row) {
    TY_ASSIGN(const auto summaries, query.summaries(row.id));
    const auto score = run::scoreOf(row);
    MetricsJson json;
    for (const auto& summary : summaries) {
        if (run::isSystemSeries(summary.series)) { // neither is better than another
            json.system[summary.series] = {
                {"last", number(summary.last)}, {"least", number(summary.min)}, {"greatest", number(summary.max)}};
            continue;
        }
        if (run::isSourceSeries(summary.series)) continue; // beside the curves: `sources` says which there are
        json.metrics[summary.series] = number(summary.last);
        const auto best = run::bestOf(summary, score);
        json.best[summary.series] = {{"value", number(best.value)}, {"step", best.step}};
    }
    return json;
}

} // namespace

Json checkpointJson(const store::CheckpointRow& row) {
    Json metrics = Json::object();
    for (const auto& [series, value] : row.metrics) metrics[series] = number(value);
    return {{"step", row.step},
            {"epoch", row.epoch},
            {"path", row.path},
            {"bytes", row.bytes},
            {"time", isoTime(row.wallMs)},
            {"metrics", metrics},
            {"best", row.best},
            {"last", row.last},
            {"pinned", row.pinned},
            {"kept", run::checkpointWords(row)}};
}

Json eventJson(const store::RunEventRow& row) {
    return {{"kind", store::toString(row.kind)}, {"step", row.step},
            {"time_s", number(row.seconds)},     {"before", number(row.before)},
            {"after", number(row.after)},        {"rank", row.rank < 0 ? Json(nullptr) : Json(row.rank)},
            {"reason", textOrNull(row.reason)},  {"text", store::describe(row).text()},
            {"time", isoTime(row.wallMs)}};
}

Result<Json> resultJson(store::RunQuery& query, const store::RunRow& row) {
    TY_ASSIGN(auto measured, metricsJson(query, row));
    TY_ASSIGN(const auto checkpoints, query.checkpoints(row.id));
    TY_ASSIGN(const auto workers, query.workers(row.id));
    TY_ASSIGN(const auto notice, query.notice(row.id));
    TY_ASSIGN(const auto events, query.events(row.id));
    Json list = Json::array(), marks = Json::array(), ranks = Json::array(), last = nullptr, best = nullptr;
    for (const auto& checkpoint : checkpoints) {
        list.push_back(checkpointJson(checkpoint));
        if (checkpoint.last) last = checkpoint.path;
        if (checkpoint.best) best = checkpoint.path;
    }
    for (const auto& event : events) marks.push_back(eventJson(event));
    for (const auto& worker : workers)
        ranks.push_back({{"rank", worker.rank},
                         {"host", worker.host},
                         {"pid", worker.pid},
                         {"device", worker.device},
                         {"status", wire::toString(worker.status)}});
    return Json{{"run", row.id},
                {"name", row.name},
                {"status", wire::toString(row.status)},
                {"metrics", std::move(measured.metrics)},
                {"best", std::move(measured.best)},
                {"system", std::move(measured.system)},
                {"sources", sourcesJson(row)},
                {"checkpoint", last},
                {"best_checkpoint", best},
                {"checkpoints", std::move(list)},
                {"path", row.folder},
                {"forked_from",
                 row.forkedFrom.empty() ? Json(nullptr) : Json{{"run", row.forkedFrom}, {"step", row.forkedStep}}},
                {"error", row.error.message.empty() ? Json(nullptr) : Json(row.error.text())},
                {"error_kind", row.error.message.empty() ? Json(nullptr) : Json(toString(row.error.kind))},
                {"error_code", row.error.message.empty() ? Json(nullptr) : Json(toString(row.error.code))},
                {"notice", row.error.message.empty() && !notice.empty() ? Json(notice) : Json(nullptr)},
                {"restarts", row.restarts},
                {"world_size", row.worldSize},
                {"steps", row.step},
                {"epochs", row.epoch},
                {"workers", std::move(ranks)},
                {"computed", computedJson(row)},
                {"events", std::move(marks)},
                {"timing",
                 {{"launch_to_first_step_s", row.launchToFirstStep < 0 ? Json(nullptr) : Json(row.launchToFirstStep)},
                  {"train_s", number(row.trainSeconds)},
                  {"samples_per_s", number(row.samplesPerSecond)}}},
                {"estimate", comparedEstimate(row, workers)}};
}

namespace {

// Empty where each configuration has one seed.
Json configurationsJson(const sweep::Ranking& ranking) {
    Json list = Json::array();
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    for (const auto& each : ranking.configurations) {
        Json runs = Json::array();
        for (const std::size_t index : each.trials) runs.push_back(ranking.trials[index].row.id);
        list.push_back({{"runs", std::move(runs)},
                        {"seeds", each.stats.count},
                        {"mean", number(each.stats.mean)},
                        {"sd", number(each.stats.sd)}});
        if (!ranking.scores.second) continue;
        list.back()["second_mean"] = number(each.second.mean);
        list.back()["second_sd"] = number(each.second.sd);
        list.back()["on_front"] = each.onFront;
    }
    return list;
}

Json adoptionsJson(const std::vector<sweep::Adoption>& adoptions) {
    Json list = Json::array();
    for (const auto& each : adoptions)
        list.push_back({{"trial", each.donor < 0 ? Json(nullptr) : Json(each.donor)},
                        {"t", each.t},
                        {"params", parseJson(spec::paramsToText(each.params))}});
    return list;
}

} // namespace

Result<Json> sweepJson(store::RunQuery& query, const store::SweepRow& sweep) {
    TY_ASSIGN(const auto ranking, sweep::rankTrials(query, sweep));
    Json trials = Json::array(), bestTrial = nullptr, bestParams = nullptr;
    for (const auto& trial : ranking.trials) {
        TY_ASSIGN(auto measured, metricsJson(query, trial.row));
        auto params = parseJson(trial.row.paramsJson);
        if (params.is_discarded()) params = Json::object();
        if (trial.row.id == ranking.best) {
            bestTrial = trial.row.id;
            bestParams = params;
        }
        const auto& score = trial.standing.score;
        const auto& second = trial.standing.second;
        trials.push_back({{"run", trial.row.id},
                          {"params", std::move(params)},
                          {"status", wire::toString(trial.row.status)},
                          {"score", score ? Json{{"value", *score}, {"step", trial.standing.step}} : Json(nullptr)},
                          {"second", second ? Json(*second) : Json(nullptr)},
                          {"reason", textOrNull(trial.reason)},
                          {"adopted", adoptionsJson(trial.adoptions)},
                          {"error", textOrNull(trial.row.error.message)},
                          {"metrics", std::move(measured.metrics)},
                          {"best", std::move(measured.best)}});
    }
    Json front = Json::array();
    for (std::size_t i = 0; i < ranking.front; ++i) front.push_back(ranking.trials[ranking.order[i]].row.id);
    return Json{{"sweep", sweep.id},
                {"trials", std::move(trials)},
                {"best_trial", bestTrial},
                {"best_params", bestParams},
                {"front", std::move(front)},
                {"configurations", configurationsJson(ranking)},
                {"reason", textOrNull(ranking.reason)}};
}

} // namespace trainyard::ctl
