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

Result<std::vector<Event>> TrialReports::read(const TrialRow& row) {
    auto watch = m_watches.find(row.trial);
    if (watch == m_watches.end()) {
        std::vector<std::string> series{m_scores.first.series}; // then that of each rule, and the second one
        for (const auto& rule : m_stop) series.push_back(rule.series);
        if (m_scores.second) series.push_back(m_scores.second->series);
        TY_ASSIGN(auto opened, TrialWatch::open(m_workspace, row.id, std::move(series), m_epochs));
        watch = m_watches.emplace(row.trial, std::move(opened)).first;
    }
    TY_ASSIGN(const auto measures, watch->second.read());
    std::vector<Event> events;
    for (const auto& [series, t, value] : measures) {
        if (series > m_stop.size()) m_pairs[row.trial].addSecond(t, value);
        else if (series == 0 && m_scores.second) m_pairs[row.trial].addFirst(t, value);
        else if (series == 0) events.push_back(reportOf(row.trial, t, value));
        else if (const auto rule = series - 1; m_stop[rule].isPassedBy(t, value))
            events.push_back({.kind = Event::Kind::Passed,
                              .trial = row.trial,
                              .t = t,
                              .loss = value,
                              .rule = static_cast<int>(rule)});
    }
    if (!m_scores.second) return events;
    for (const auto& [t, first, second] : m_pairs[row.trial].take()) {
        events.push_back(reportOf(row.trial, t, first));
        events.back().second = lossOf(second, m_scores.second->better);
    }
    return events;
}

Event TrialReports::reportOf(int trial, double t, double value) const {
    return {.kind = Event::Kind::Report, .trial = trial, .t = t, .loss = lossOf(value, m_scores.first.better)};
}

std::optional<Error> TrialReports::missing(int trial, double t) const {
    const auto watch = m_watches.find(trial);
    if (watch == m_watches.end() || !watch->second.misses(t)) return std::nullopt;
    return unmeasured(m_scores.first.series, watch->second.measured());
}

Result<std::optional<Error>> TrialReports::missingAtEnd(store::RunQuery& query, const TrialRow& row) const {
    TY_ASSIGN(const auto summaries, query.summaries(row.id));
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

bool TrialReports::isReadToEnd(int trial) const {
    const auto watch = m_watches.find(trial);
    return watch == m_watches.end() || watch->second.ended();
}

Result<Event> TrialReports::endOf(store::RunQuery& query, const TrialRow& row) {
    TY_ASSIGN(const auto score, scoreOfTrial(query, row));
    const double second =
        score.second ? lossOf(*score.second, m_scores.second->better) : std::numeric_limits<double>::quiet_NaN();
    return Event{.kind = row.status == wire::RunStatus::Failed ? Event::Kind::Failed : Event::Kind::Ended,
                 .trial = row.trial,
                 .t = m_epochs ? row.epoch : static_cast<double>(row.step),
                 .loss = score.value ? lossOf(*score.value, m_scores.first.better) : std::nan(""),
                 .second = second,
                 .failure = {row.errorKind, row.errorCode, row.finishedMs}};
}

Result<RankOrder> TrialReports::orderOf(store::RunQuery& query, const std::vector<TrialRow>& trials) {
    std::vector<Standing> standings;
    standings.reserve(trials.size());
    for (const auto& row : trials) {
        TY_ASSIGN(const auto score, scoreOfTrial(query, row));
        standings.push_back(m_plan.standing(row.trial, row.status, score.value, score.second));
    }
    return rank(standings, m_scores);
}

Result<std::string> TrialReports::bestRun(store::RunQuery& query, const std::vector<TrialRow>& trials) {
    TY_ASSIGN(const auto order, orderOf(query, trials));
    return order.hasBest ? trials[order.indices.front()].id : std::string();
}

Result<std::vector<const TrialRow*>> TrialReports::ranked(store::RunQuery& query, const std::vector<TrialRow>& trials) {
    TY_ASSIGN(const auto order, orderOf(query, trials));
    std::vector<const TrialRow*> list;
    list.reserve(trials.size());
    for (const std::size_t index : order.indices) list.push_back(&trials[index]);
    return list;
}

std::vector<int> TrialReports::fds() const {
    std::vector<int> list;
    for (const auto& [trial, watch] : m_watches)
        if (watch.fd() >= 0) list.push_back(watch.fd());
    return list;
}

Result<TrialScore> TrialReports::scoreOfTrial(store::RunQuery& query, const TrialRow& row) {
    const auto known = m_known.find(row.trial);
    const bool isOver = !wire::isActive(row.status);
    if (isOver && known != m_known.end() && known->second.step == row.step &&
        known->second.finishedMs == row.finishedMs)
        return known->second.score;
    TY_ASSIGN(const auto summaries, query.summaries(row.id));
    const auto score = scoreTrialByAll(summaries, m_scores);
    if (isOver) m_known[row.trial] = {row.step, row.finishedMs, score};
    return score;
}

} // namespace trainyard::sweep
