// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/hosts/copy_queue.h"

#include <algorithm>
#include <utility>

namespace trainyard::run {

std::vector<CopyQueue::Copy> CopyQueue::add(Copy copy, const CheckpointBook& here,
                                            const std::function<bool(std::int64_t step)>& isAsked) {
    m_copies.push_back(std::move(copy));
    std::vector<wire::CheckpointSaved> coming;
    for (const auto& each : m_copies) coming.push_back(each.saved);
    const auto kept = here.keptWhenHere(coming);
    std::vector<Copy> dropped;
    std::deque<Copy> left;
    for (std::size_t i = 0; i < m_copies.size(); ++i) {
        const bool underWay = i == 0 && m_underWay, newest = i + 1 == m_copies.size();
        const bool stays = underWay || newest || kept[i] || (isAsked && isAsked(coming[i].step));
        if (stays) left.push_back(std::move(m_copies[i]));
        else dropped.push_back(std::move(m_copies[i]));
    }
    m_copies = std::move(left);
    return dropped;
}

std::optional<CopyQueue::Copy> CopyQueue::begin() {
    if (m_underWay || m_copies.empty()) return std::nullopt;
    m_underWay = true;
    return m_copies.front();
}

void CopyQueue::end() {
    m_copies.pop_front();
    m_underWay = false;
}

void CopyQueue::postpone() { m_underWay = false; }

std::vector<CopyQueue::Copy> CopyQueue::takeOf(const HostName& host) {
    std::vector<Copy> taken;
    std::deque<Copy> left;
    for (std::size_t i = 0; i < m_copies.size(); ++i) {
        const bool isTaken = m_copies[i].host == host && !(i == 0 && m_underWay);
        if (isTaken) taken.push_back(std::move(m_copies[i]));
        else left.push_back(std::move(m_copies[i]));
    }
    m_copies = std::move(left);
    return taken;
}

bool CopyQueue::isInTheWay() const {
    const auto elsewhere = [this](const Copy& each) { return each.host != m_copies.front().host; };
    return std::ranges::any_of(m_copies, elsewhere);
}

} // namespace trainyard::run
