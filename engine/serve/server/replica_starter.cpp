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

ReplicaStarter::Ticket ReplicaStarter::start(const ServedModel& model, const ReplicaOrders& orders) {
    const Ticket ticket = ++m_last;
    {
        const MutexLock lock(m_mutex);
        m_waiting.push_back({ticket, model, orders});
    }
    if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
    m_changed.notifyOne();
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
    const MutexLock lock(m_mutex);
    m_made.erase(ticket);
    std::erase_if(m_waiting, [&](const Order& each) { return each.ticket == ticket; });
    if (m_current == ticket) m_current = 0;
}

bool ReplicaStarter::isBusy() {
    const MutexLock lock(m_mutex);
    return m_isStarting || !m_waiting.empty();
}

void ReplicaStarter::work() {
    MutexLock lock(m_mutex);
    for (;;) {
        while (m_waiting.empty() && !m_isOver) m_changed.wait(lock);
        if (m_isOver) return;
        const Order order = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_current = order.ticket;
        m_isStarting = true;
        lock.unlock();
        auto made = ReplicaProcess::start(m_launcher, order.model, order.orders);
        lock.lock();
        m_isStarting = false;
        if (std::exchange(m_current, 0) == order.ticket) m_made.emplace(order.ticket, std::move(made));
        const std::uint64_t one = 1;
        (void)!::write(m_bell, &one, sizeof one);
    }
}

} // namespace trainyard::serve
