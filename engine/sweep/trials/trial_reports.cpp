// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_reports.h"

#include "engine/base/nearest_word.h"
#include "engine/sweep/results/sweep_analysis.h"

#include <algorithm>

namespace trainyard::sweep {

namespace {

Error unmeasured(const std::string& series, const std::vector<std::string>& measured) {
    std::string remedy;
    if (const auto near = nearestWord(series, measured); !near.empty() && editDistance(series, near) <= 2) {
        remedy = "did you mean \"" + near + "\"?";
    } else {
        for (const auto& each : measured) remedy += (remedy.empty() ? "measured are: " : ", ") + each;
    }
    return inputError("was never measured, found \"" + series + "\"", "scoreBy", remedy)
        .withCode(ErrorCode::FieldInvalid);
}

} // namespace

Result<std::vector<Event>> TrialReports::read(TrialEntry& trial) const {
    if (!trial.watch) {
        std::vector<std::string> series{m_scores.first.series}; // then that of each rule, and the second one
        for (const auto& rule : m_stop) series.push_back(rule.series);
        if (m_scores.second) series.push_back(m_scores.second->series);
        TY_ASSIGN(auto opened, TrialWatch::open(m_workspace, trial.id, std::move(series), m_epochs));
        trial.watch = std::make_unique<TrialWatch>(std::move(opened));
    }
    TY_ASSIGN(const auto measures, trial.watch->read());
    PairedSeries& pairs = trial.watch->pairs();
    std::vector<Event> events;
    for (const auto& [series, t, value] : measures) {
        if (series > m_stop.size()) pairs.addSecond(t, value);
        else if (series == 0 && m_scores.second) pairs.addFirst(t, value);
        else if (series == 0) events.push_back(reportOf(trial.number, t, value));
        else if (const auto rule = series - 1; m_stop[rule].isPassedBy(t, value))
            events.push_back({.kind = Event::Kind::Passed,
                              .trial = trial.number,
                              .t = t,
                              .loss = value,
                              .rule = static_cast<int>(rule)});
    }
    if (!m_scores.second) return events;
    for (const auto& [t, first, second] : pairs.take()) {
        events.push_back(reportOf(trial.number, t, first));
        events.back().second = lossOf(second, m_scores.second->better);
    }
    return events;
}

Event TrialReports::reportOf(int trial, double t, double value) const {
    return {.kind = Event::Kind::Report, .trial = trial, .t = t, .loss = lossOf(value, m_scores.first.better)};
}

std::optional<Error> TrialReports::missing(const TrialEntry& trial, double t) const {
    if (!trial.watch || !trial.watch->misses(t)) return std::nullopt;
    return unmeasured(m_scores.first.series, trial.watch->measured());
}

Result<std::optional<Error>> TrialReports::missingAtEnd(store::RunQuery& query, const TrialEntry& trial) const {
    TY_ASSIGN(const auto summaries, query.summaries(trial.id));
    std::vector<std::string> measured;
    for (const auto& summary : summaries)
        if (summary.count > 0) measured.push_back(summary.series);
    std::vector<std::string> wanted{m_scores.first.series};
    if (m_scores.second) wanted.push_back(m_scores.second->series);
    for (const auto& series : wanted)
        if (std::find(measured.begin(), measured.end(), series) == measured.end())
            return std::optional<Error>(unmeasured(series, measured));
    return std::optional<Error>();
}

Result<Event> TrialReports::endOf(store::RunQuery& query, TrialEntry& trial) const {
    TY_ASSIGN(const auto score, scoreOfTrial(query, trial));
    const double second =
        score.second ? lossOf(*score.second, m_scores.second->better) : std::numeric_limits<double>::quiet_NaN();
    return Event{.kind = trial.status == wire::RunStatus::Failed ? Event::Kind::Failed : Event::Kind::Ended,
                 .trial = trial.number,
                 .t = m_epochs ? trial.epoch : static_cast<double>(trial.step),
                 .loss = score.value ? lossOf(*score.value, m_scores.first.better) : std::nan(""),
                 .second = second,
                 .failure = {trial.errorKind, trial.errorCode, trial.finishedMs}};
}

Result<RankOrder> TrialReports::orderOf(store::RunQuery& query, const std::vector<TrialEntry*>& trials) const {
    std::vector<Standing> standings;
    standings.reserve(trials.size());
    for (TrialEntry* trial : trials) {
        TY_ASSIGN(const auto score, scoreOfTrial(query, *trial));
        standings.push_back(m_plan.standing(trial->number, trial->status, score));
    }
    return rank(standings, m_scores);
}

Result<std::string> TrialReports::bestRun(store::RunQuery& query, TrialBook& trials) const {
    const auto begun = trials.withRun();
    TY_ASSIGN(const auto order, orderOf(query, begun));
    return order.hasBest ? begun[order.indices.front()]->id : std::string();
}

Result<std::vector<TrialEntry*>> TrialReports::ranked(store::RunQuery& query, TrialBook& trials) const {
    const auto begun = trials.withRun();
    TY_ASSIGN(const auto order, orderOf(query, begun));
    std::vector<TrialEntry*> list;
    list.reserve(begun.size());
    for (const std::size_t index : order.indices) list.push_back(begun[index]);
    return list;
}

Result<TrialScore> TrialReports::scoreOfTrial(store::RunQuery& query, TrialEntry& trial) const {
    if (trial.score) return *trial.score;
    TY_ASSIGN(const auto summaries, query.summaries(trial.id));
    const auto score = scoreTrialByAll(summaries, m_scores);
    if (!wire::isActive(trial.status)) trial.score = score;
    return score;
}

} // namespace trainyard::sweep
