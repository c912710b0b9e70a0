// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/history.h"

#include "engine/base/json_text.h"
#include "engine/sweep/values/pareto.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::sweep {

History::History(const Space& space, std::vector<double> rungs, std::size_t enough, bool paired)
    : m_space(space), m_rungs(std::move(rungs)), m_enough(enough), m_paired(paired), m_levels(m_rungs.size() + 1) {}

void History::take(const Event& event) {
    if (event.kind == Event::Kind::Started) {
        if (!m_space.contains(event.params)) return; // of a person, outside of what the sweep is restricted to
        auto point = m_space.pointOf(event.params);
        m_points.insert(point);
        m_trials[event.trial] = {std::move(point)};
        m_running.insert(event.trial);
        return;
    }
    const auto found = m_trials.find(event.trial);
    if (found == m_trials.end()) return;
    TrialRecord& trial = found->second;
    const std::size_t end = m_rungs.size();
    switch (event.kind) {
    case Event::Kind::Report: {
        if (std::isfinite(event.loss)) trial.best = std::min(trial.best, event.loss);
        std::size_t reached = trial.next;
        while (reached < end && m_rungs[reached] <= event.t) ++reached;
        if (reached > trial.next) record(event.trial, reached - 1, event.loss, event.second);
        return;
    }
    case Event::Kind::Ended:
        rejoin(event.trial);
        record(event.trial, end, event.loss, event.second);
        break;
    case Event::Kind::Stopped: // a scheduler without rungs compares trials that are stopped with those that ended
        if (end == 0) record(event.trial, end, trial.best);
        leave(event.trial);
        break;
    case Event::Kind::Failed:
        for (std::size_t level = trial.next; level <= end; ++level) record(event.trial, level, event.loss);
        break;
    default: return;
    }
    m_running.erase(event.trial);
}

// Their numbers lie below those of all trials.
void History::recall(const spec::WarmStart& earlier) {
    constexpr int kBelow = -2 * spec::kMaxTrials;
    for (const auto& [params, loss, second] : earlier.results) {
        const auto fitting = m_space.fitted(params);
        if (!fitting) continue;
        const int number = kBelow - m_recalls++;
        auto point = m_space.pointOf(*fitting);
        m_trials[number] = {std::move(point), m_levels.size()};
        if (earlier.sameRun) {
            m_points.insert(m_trials[number].point);
            record(number, m_rungs.size(), loss, second.value_or(std::nan("")));
            continue;
        }
        const double rank = static_cast<double>(m_recalled.losses.size());
        m_recalled.ranked.emplace(rank, m_recalled.losses.size());
        m_recalled.losses.push_back({number, rank});
    }
}

void History::record(int trial, std::size_t level, double loss, double second) {
    Losses& at = m_levels[level];
    if (m_paired && !LossPair{loss, second}.isFinite()) loss = second = std::nan("");
    if (std::isfinite(loss)) at.ranked.emplace(loss, at.losses.size());
    at.losses.push_back({trial, loss, second});
    m_trials.at(trial).next = level + 1;
    m_trials.at(trial).last = loss;
    if (at.losses.size() < m_enough || level <= m_use) return;
    m_use = level;
    findBeaten();
}

void History::findBeaten() {
    m_beaten.clear();
    for (const int each : m_over)
        if (m_trials.at(each).next <= m_use) m_beaten.push_back(each);
}

// A trial that was stopped or failed, but was then trained to its end at a user's request.
void History::rejoin(int trial) {
    if (m_running.contains(trial)) return;
    std::erase(m_over, trial);
    std::erase(m_beaten, trial);
    if (m_trials.at(trial).next <= m_rungs.size()) return;
    Losses& ends = m_levels.back(); // its failure stands there
    std::erase_if(ends.losses, [&](const Loss& each) { return each.trial == trial; });
    ends.rank();
}

void History::moveFrom(const Space& before) {
    std::set<int> outside;
    m_points.clear();
    for (auto& [number, trial] : m_trials) {
        const auto params = before.paramsOf(trial.point);
        if (!m_space.contains(params)) {
            outside.insert(number);
            continue;
        }
        trial.point = m_space.pointOf(params);
        m_points.insert(trial.point);
    }
    const auto isOutside = [&](int trial) { return outside.contains(trial); };
    std::erase_if(m_trials, [&](const auto& each) { return isOutside(each.first); });
    std::erase_if(m_running, isOutside);
    std::erase_if(m_over, isOutside);
    m_use = 0;
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        Losses& at = m_levels[level];
        std::erase_if(at.losses, [&](const Loss& each) { return isOutside(each.trial); });
        at.rank();
        if (at.losses.size() >= m_enough) m_use = level;
    }
    findBeaten();
}

void History::Losses::rank() {
    ranked.clear();
    for (std::size_t i = 0; i < losses.size(); ++i)
        if (std::isfinite(losses[i].loss)) ranked.emplace(losses[i].loss, i);
}

void History::leave(int trial) {
    m_over.push_back(trial);
    if (m_trials.at(trial).next <= m_use) m_beaten.push_back(trial);
}

double History::behind(int trial) const {
    const TrialRecord& record = m_trials.at(trial);
    if (record.next == 0 || !std::isfinite(record.last)) return std::numeric_limits<double>::quiet_NaN();
    return record.last - m_levels[record.next - 1].ranked.begin()->first;
}

std::vector<std::size_t> History::best(std::size_t count) const {
    std::vector<std::size_t> indices;
    if (isPaired()) {
        std::vector<LossPair> pairs;
        for (const Loss& each : level()) pairs.push_back({each.loss, each.second});
        indices = bestFirst(pairs);
        indices.resize(std::min(indices.size(), count));
        return indices;
    }
    for (const auto& [loss, index] : used().ranked) {
        if (indices.size() == count) break;
        indices.push_back(index);
    }
    return indices;
}

double History::worstFinite() const {
    const auto& ranked = used().ranked;
    return ranked.empty() ? 0 : ranked.rbegin()->first;
}

std::vector<int> History::pending() const {
    std::vector<int> trials;
    for (const int trial : m_running)
        if (m_trials.at(trial).next <= m_use) trials.push_back(trial);
    return trials;
}

std::string History::state() const {
    nlohmann::json trials = nlohmann::json::array(), levels = nlohmann::json::array();
    for (const auto& [number, trial] : m_trials) trials.push_back({number, trial.point, trial.next, trial.best});
    for (const Losses& level : m_levels) {
        nlohmann::json& list = levels.emplace_back(nlohmann::json::array());
        for (const Loss& each : level.losses) {
            list.push_back({each.trial, each.loss});
            if (m_paired) list.back().push_back(each.second);
        }
    }
    return jsonText(nlohmann::json{
        {"trials", trials}, {"running", m_running}, {"levels", levels}, {"use", m_use}, {"beaten", m_beaten}});
}

} // namespace trainyard::sweep
