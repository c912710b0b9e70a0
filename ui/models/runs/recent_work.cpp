// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/recent_work.h"

#include "engine/sweep/results/sweep_result.h"

#include <algorithm>
#include <map>

namespace trainyard::ui {

namespace {

RecentWork workOf(const RunItemPtr& run) {
    return {.run = run,
            .name = run->name,
            .status = run->status,
            .scoreSeries = run->scoreSeries,
            .best = run->best,
            .atMs = run->row.finishedMs > 0 ? run->row.finishedMs : run->row.createdMs};
}

RecentWork workOf(const store::SweepRow& sweep, const RunItemPtr& newest, const run::Score& score) {
    return {.run = newest,
            .sweep = QString::fromStdString(sweep.id),
            .name = QString::fromStdString(sweep.name),
            .status = sweep.status,
            .trials = sweep.trials,
            .scoreSeries = QString::fromStdString(score.series),
            .atMs = sweep.finishedMs > 0 ? sweep.finishedMs : sweep.createdMs};
}

// `best`: the best trial by the sweep's record, once it has one. Before that, with two series, only the Sweeps page
// decides, because it ranks all trials.
void add(RecentWork& sweep, const RunItemPtr& trial, const sweep::Scores& scores, const std::string& best) {
    sweep.done += trial->active() ? 0 : 1;
    if (trial->status == wire::RunStatus::Failed || (!best.empty() && trial->row.id != best)) return;
    if (scores.second && best.empty()) return;
    const run::Score& score = scores.first;
    const auto value = sweep::scoreTrial(trial->series, score).value;
    if (!value || (std::isfinite(sweep.best) && !spec::isBetter(score.better, *value, sweep.best))) return;
    sweep.best = *value;
    sweep.run = trial;
}

} // namespace

const sweep::Scores& SweepScores::of(const store::SweepRow& sweep) {
    const QString id = QString::fromStdString(sweep.id);
    const auto known = m_scores.constFind(id);
    if (known != m_scores.constEnd()) return *known;
    const auto spec = sweep::specOf(sweep);
    return *m_scores.insert(id, spec ? sweep::scoresOf(*spec) : sweep::Scores());
}

std::vector<RecentWork> recentWork(const std::vector<RunItemPtr>& runs, const std::vector<store::SweepRow>& sweeps,
                                   std::size_t count, SweepScores& scores) {
    std::map<std::string_view, const store::SweepRow*> known;
    for (const auto& sweep : sweeps) known.emplace(sweep.id, &sweep);
    std::map<std::string_view, std::size_t> listed; // by id of the sweep
    std::vector<RecentWork> work;
    for (const RunItemPtr& run : runs) {
        const auto sweep = known.find(run->row.sweep);
        if (sweep == known.end()) {
            if (work.size() < count) work.push_back(workOf(run));
            continue;
        }
        const sweep::Scores& compared = scores.of(*sweep->second);
        if (!listed.contains(sweep->first)) {
            if (work.size() == count) continue;
            listed.emplace(sweep->first, work.size());
            work.push_back(workOf(*sweep->second, run, compared.first));
        }
        add(work[listed.at(sweep->first)], run, compared, sweep->second->bestRun);
    }
    return work;
}

} // namespace trainyard::ui
