// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sync_bracket.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::sweep {

double SyncBracket::nextReport(int trial) const {
    const auto member = m_live.find(trial);
    if (member == m_live.end() || member->second.arrived || m_rung >= m_rungs.size()) return kNever;
    return m_rungs[m_rung];
}

std::vector<Order> SyncBracket::report(const Event& report) {
    if (report.t < nextReport(report.trial)) return {};
    const double rung = m_rungs[m_rung];
    if (!std::isfinite(report.loss)) return {{Order::Kind::Stop, report.trial, {m_rule, rung}}};
    m_live[report.trial] = {true, report.loss, m_turn++};
    ++m_arrived;
    auto orders = judgeWhenComplete(report.trial);
    if (m_arrived > 0) orders.push_back({Order::Kind::Pause, report.trial, {m_rule, rung, report.loss}});
    return orders;
}

std::vector<Order> SyncBracket::leave(int trial) {
    const auto member = m_live.find(trial);
    if (member == m_live.end()) return {};
    if (member->second.arrived) --m_arrived;
    m_live.erase(member);
    std::erase(m_ready, trial);
    return judgeWhenComplete(-1);
}

std::vector<Order> SyncBracket::resume() {
    if (m_ready.empty()) return {};
    const Order order{Order::Kind::Resume, m_ready.front()};
    m_ready.pop_front();
    return {order};
}

// `lastTrial` has just arrived and still trains: it continues without an order.
std::vector<Order> SyncBracket::judgeWhenComplete(int lastTrial) {
    if (m_arrived == 0 || m_arrived < m_live.size()) return {};
    std::vector<std::pair<int, Member>> ranked(m_live.begin(), m_live.end());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.loss, a.second.turn) < std::pair(b.second.loss, b.second.turn);
    });
    const auto count = static_cast<int>(ranked.size());
    const auto kept = static_cast<std::size_t>(std::ceil(count / m_factor - 1e-9));
    const double rung = m_rungs[m_rung++], cut = ranked[kept - 1].second.loss;
    m_arrived = 0;
    std::vector<Order> orders;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        const auto& [trial, member] = ranked[i];
        if (i < kept) {
            m_live[trial] = {};
            if (trial != lastTrial) m_ready.push_back(trial);
            continue;
        }
        m_live.erase(trial);
        orders.push_back({Order::Kind::Stop, trial, {m_rule, rung, member.loss, cut, static_cast<int>(i) + 1, count}});
    }
    return orders;
}

std::string SyncBracket::state() const {
    nlohmann::json live = nlohmann::json::array();
    for (const auto& [trial, member] : m_live) live.push_back({trial, member.arrived, member.loss, member.turn});
    return nlohmann::json{{"rung", m_rung}, {"live", live}, {"ready", m_ready}, {"turn", m_turn}}.dump();
}

} // namespace trainyard::sweep
