// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/replica_starter.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace trainyard::serve {

ReplicaStarter::~ReplicaStarter() {
    {
        const MutexLock lock(m_mutex);
        m_isOver = true;
        m_waiting.clear();
    }
    m_changed.notifyOne();
    if (m_thread.joinable()) m_thread.join();
}

void ReplicaStarter::begin() {
    m_changed.notifyOne();
    if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
}

ReplicaStarter::Ticket ReplicaStarter::start(const ServedModel& model, const ReplicaOrders& orders) {
    const Ticket ticket = ++m_last;
    {
        const MutexLock lock(m_mutex);
        m_waiting.push_back({ticket, model, orders});
    }
    begin();
    return ticket;
}

std::optional<ReplicaStarter::Made> ReplicaStarter::made(Ticket ticket) {
    const MutexLock lock(m_mutex);
    const auto found = m_made.find(ticket);
    if (found == m_made.end()) return std::nullopt;
    std::optional<Made> made(std::move(found->second));
    m_made.erase(found);
    return made;
}

void ReplicaStarter::forget(Ticket ticket) {
    if (auto unwanted = made(ticket); unwanted && *unwanted) return end(std::move(**unwanted));
    const MutexLock lock(m_mutex);
    std::erase_if(m_waiting, [&](const Order& each) { return each.ticket == ticket; });
    if (m_current == ticket) m_current = 0;
}

void ReplicaStarter::end(std::unique_ptr<ReplicaProcess> process) {
    process->kill();
    {
        const MutexLock lock(m_mutex);
        m_endings.push_back({0, std::move(process)});
    }
    begin();
}

ReplicaStarter::Ticket ReplicaStarter::bury(std::unique_ptr<ReplicaProcess> process) {
    process->kill(); // it may have closed its line alone, and another is given its slots
    const Ticket ticket = ++m_last;
    {
        const MutexLock lock(m_mutex);
        m_endings.push_back({ticket, std::move(process)});
    }
    begin();
    return ticket;
}

std::optional<std::string> ReplicaStarter::howEnded(Ticket ticket) {
    const MutexLock lock(m_mutex);
    const auto found = m_ends.find(ticket);
    if (found == m_ends.end()) return std::nullopt;
    std::optional<std::string> how(std::move(found->second));
    m_ends.erase(found);
    return how;
}

// Starts go first: somebody may wait for them.
void ReplicaStarter::work() {
    MutexLock lock(m_mutex);
    for (;;) {
        while (m_waiting.empty() && m_endings.empty() && !m_isOver) m_changed.wait(lock);
        if (!m_waiting.empty()) {
            const Order order = std::move(m_waiting.front());
            m_waiting.pop_front();
            m_current = order.ticket;
            lock.unlock();
            auto made = ReplicaProcess::start(m_launcher, order.model, order.orders);
            lock.lock();
            if (std::exchange(m_current, 0) == order.ticket) m_made.emplace(order.ticket, std::move(made));
            else if (made) m_endings.push_back({0, std::move(*made)});
        } else if (!m_endings.empty()) {
            Ending ending = std::move(m_endings.front());
            m_endings.pop_front();
            lock.unlock();
            std::string how = ending.ticket != 0 ? ending.process->howEnded() : std::string();
            ending.process.reset();
            lock.lock();
            if (ending.ticket != 0) m_ends.emplace(ending.ticket, std::move(how));
        } else return;
        const std::uint64_t one = 1;
        (void)!::write(m_bell, &one, sizeof one);
    }
}

} // namespace trainyard::serve
