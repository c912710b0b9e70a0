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

// Starts replicas in a thread of its own, one after another, and waits there for the end of those that are let go: a
// start takes some milliseconds, or tenths of a second where a pool has to start first, and a process of some hundred
// megabytes as long to end; requests go on meanwhile. Nobody else uses the launcher.
class ReplicaStarter {
public:
    using Ticket = std::uint64_t; // from 1 on
    using Made = Result<std::unique_ptr<ReplicaProcess>>;

    // Both must outlive it. `bell`: an eventfd that is rung when one is there.
    ReplicaStarter(run::Launcher& launcher, int bell) : m_launcher(launcher), m_bell(bell) {}
    ~ReplicaStarter(); // waits for the start that is under way, and for all ends

    // The thread begins with the first one, after the caller has blocked its signals.
    Ticket start(const ServedModel& model, const ReplicaOrders& orders);
    // What came of it, once; nothing: not yet.
    std::optional<Made> made(Ticket ticket);
    // It is not wanted any more: killed as soon as it is there.
    void forget(Ticket ticket);
    // Kills it at once.
    void end(std::unique_ptr<ReplicaProcess> process);
    // The same of one that has ended by itself; the ticket is for howEnded().
    Ticket bury(std::unique_ptr<ReplicaProcess> process);
    // "was killed by SIGKILL", once; nothing: not known yet.
    std::optional<std::string> howEnded(Ticket ticket);

private:
    struct Order {
        Ticket ticket = 0;
        ServedModel model;
        ReplicaOrders orders;
    };
    struct Ending {
        Ticket ticket = 0; // 0: nobody asks how
        std::unique_ptr<ReplicaProcess> process;
    };
    void work();
    void begin();

    run::Launcher& m_launcher;
    const int m_bell;
    Mutex m_mutex;
    Condition m_changed;
    std::deque<Order> m_waiting TY_GUARDED_BY(m_mutex);
    Ticket m_current TY_GUARDED_BY(m_mutex) = 0; // that is being started for somebody; 0: none
    bool m_isOver TY_GUARDED_BY(m_mutex) = false;
    std::map<Ticket, Made> m_made TY_GUARDED_BY(m_mutex);
    std::deque<Ending> m_endings TY_GUARDED_BY(m_mutex);
    std::map<Ticket, std::string> m_ends TY_GUARDED_BY(m_mutex);
    Ticket m_last = 0;
    // A worker that was started as a program is killed when the thread that started it ends, so this one stays.
    std::thread m_thread;
};

} // namespace trainyard::serve
