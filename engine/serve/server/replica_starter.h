// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/serve/server/replica_process.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <thread>

namespace trainyard::serve {

// Starts replicas in a thread of its own, one after another: a start takes some milliseconds, or tenths of a second
// where a pool has to start first, and requests go on meanwhile.
class ReplicaStarter {
public:
    using Ticket = std::uint64_t; // from 1 on
    using Made = Result<std::unique_ptr<ReplicaProcess>>;

    // Both must outlive it. `bell`: an eventfd that is rung when one is there.
    ReplicaStarter(run::Launcher& launcher, int bell) : m_launcher(launcher), m_bell(bell) {}
    ~ReplicaStarter(); // waits for the start that is under way; what was started for nobody is killed

    // The thread begins with the first one, after the caller has blocked its signals.
    Ticket start(const ServedModel& model, const ReplicaOrders& orders);
    // What came of it, once; nothing: not yet.
    std::optional<Made> made(Ticket ticket);
    // It is not wanted any more: killed as soon as it is there.
    void forget(Ticket ticket);
    // Whether a start is under way or waits: the launcher may be used by nobody else meanwhile.
    bool isBusy();

private:
    struct Order {
        Ticket ticket = 0;
        ServedModel model;
        ReplicaOrders orders;
    };
    void work();

    run::Launcher& m_launcher;
    const int m_bell;
    Mutex m_mutex;
    Condition m_changed;
    std::deque<Order> m_waiting TY_GUARDED_BY(m_mutex);
    Ticket m_current TY_GUARDED_BY(m_mutex) = 0; // that is being started for somebody; 0: none
    bool m_isStarting TY_GUARDED_BY(m_mutex) = false, m_isOver TY_GUARDED_BY(m_mutex) = false;
    std::map<Ticket, Made> m_made TY_GUARDED_BY(m_mutex);
    Ticket m_last = 0;
    // A worker that was started as a program is killed when the thread that started it ends, so this one stays.
    std::thread m_thread;
};

} // namespace trainyard::serve
