// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/schedule/sync_bracket.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace trainyard::sweep {

double SyncBracket::nextReport(int trial) const {
    const auto member = m_live.find(trial);
    if (member == m_live.end() || member->second.arrived || m_rung >= m_rungs.size()) return kNever;
    return m_rungs[m_rung];
}

std::vector<Order> SyncBracket::report(const Event& report) {
    if (report.t < nextReport(report.trial)) return {};
    const double rung = m_rungs[m_rung];
    const LossPair losses{report.loss, m_options.paired ? report.second : 0};
    if (!losses.isFinite()) {
        m_live.at(report.trial).wentWrong = true;
        return {{Order::Kind::Stop, report.trial, {m_rule, rung}}};
    }
    m_live[report.trial] = {.arrived = true, .losses = losses, .turn = m_turn++};
    ++m_arrived;
    auto orders = judgeWhenComplete(report.trial);
    if (m_arrived > 0) orders.push_back({Order::Kind::Pause, report.trial, {m_rule, rung, report.loss}});
    return orders;
}

std::vector<Order> SyncBracket::leave(const Event& event) {
    const auto member = m_live.find(event.trial);
    if (member == m_live.end()) return {};
    if (member->second.arrived) --m_arrived;
    if (event.kind == Event::Kind::Failed || member->second.wentWrong) ++m_lost;
    m_live.erase(member);
    std::erase(m_ready, event.trial);
    return judgeWhenComplete(-1);
}

std::vector<Order> SyncBracket::resume() {
    if (m_ready.empty()) return {};
    const Order order{Order::Kind::Resume, m_ready.front()};
    m_ready.pop_front();
    return {order};
}

// The best first, of equal ones the first that came; those that have measured nothing come last.
std::vector<std::pair<int, SyncBracket::Member>> SyncBracket::ranked() const {
    std::vector<std::pair<int, Member>> members(m_live.begin(), m_live.end()), ranked;
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.second.turn < b.second.turn; });
    std::vector<LossPair> losses;
    for (const auto& [trial, member] : members) losses.push_back(member.losses);
    for (const std::size_t index : bestFirst(losses)) ranked.push_back(members[index]);
    std::copy_if(members.begin(), members.end(), std::back_inserter(ranked),
                 [](const auto& each) { return !each.second.losses.isFinite(); });
    return ranked;
}

double SyncBracket::nextTick() const {
    if (m_options.deadline <= 0 || m_arrived == 0 || 2 * m_arrived < m_live.size()) return kNever;
    return m_judgeAt < kNever ? m_judgeAt : 0;
}

std::vector<Order> SyncBracket::tick(double seconds) {
    if (seconds < nextTick()) return {};
    if (m_judgeAt < kNever) return judge(-1);
    m_judgeAt = seconds + m_options.deadline;
    return {};
}

std::vector<Order> SyncBracket::judgeWhenComplete(int lastTrial) {
    return m_arrived == 0 || m_arrived < m_live.size() ? std::vector<Order>{} : judge(lastTrial);
}

// `lastTrial` has just arrived and still trains: it continues without an order. So do those that have not arrived.
std::vector<Order> SyncBracket::judge(int lastTrial) {
    const auto ranked = this->ranked();
    const auto count = static_cast<int>(ranked.size() + std::exchange(m_lost, 0));
    const auto measured = static_cast<std::size_t>(
        std::count_if(ranked.begin(), ranked.end(), [](const auto& each) { return each.second.losses.isFinite(); }));
    const auto kept = std::min(measured, static_cast<std::size_t>(std::ceil(count / m_options.factor - 1e-9)));
    const double rung = m_rungs[m_rung++], cut = m_options.paired ? kNan : ranked[kept - 1].second.losses.first;
    m_arrived = 0;
    m_judgeAt = kNever;
    std::vector<Order> orders;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        const auto& [trial, member] = ranked[i];
        if (i < kept) {
            m_live[trial].arrived = false;
            if (member.arrived && trial != lastTrial) m_ready.push_back(trial);
            continue;
        }
        m_live.erase(trial);
        std::erase(m_ready, trial);
        orders.push_back(
            {Order::Kind::Stop, trial, {m_rule, rung, member.losses.first, cut, static_cast<int>(i) + 1, count}});
    }
    return orders;
}

std::string SyncBracket::state() const {
    nlohmann::json live = nlohmann::json::array();
    for (const auto& [trial, member] : m_live)
        live.push_back({trial, member.arrived, member.losses.first, member.losses.second, member.turn});
    return jsonText(nlohmann::json{{"rung", m_rung},
                                   {"live", live},
                                   {"ready", m_ready},
                                   {"turn", m_turn},
                                   {"lost", m_lost},
                                   {"judgeAt", m_judgeAt}});
}

} // namespace trainyard::sweep
