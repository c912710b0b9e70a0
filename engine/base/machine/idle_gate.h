// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <atomic>
#include <cstddef>
#include <memory>

namespace trainyard {

// For work in the background that is in no hurry, on cores that may all be busy with what is: it is let through piece
// by piece, each when a core has nothing else to do, and at the latest after a few milliseconds. A thread of the lowest
// scheduling class, which does nothing else, says when a core is free. The work's own thread is like any other: it can
// be told to hurry at any moment, needs no privileges for that, and does not keep a lock while it waits for a core.
//
// The other thread lives from the first wait to rest(). A process cannot end without its threads, and on a computer
// whose cores are busy this one takes seconds to end: it must not be there when nothing waits for a core.
class IdleGate {
public:
    IdleGate() = default;
    ~IdleGate() { rest(); }
    IdleGate(const IdleGate&) = delete;
    IdleGate& operator=(const IdleGate&) = delete;

    // The working thread calls this before it processes `bytes` more; it waits after every kPiece of them.
    void pass(std::size_t bytes);
    // The same thread, when there is no more to do for now.
    void rest();
    // The next so many bytes shall wait no longer than this in all, however busy the cores are. While no thread works.
    void spread(std::size_t bytes, double seconds);
    double longestWait() const { return m_longestWait; } // of one piece, seconds
    // While it is on, pass() does not wait. Any thread.
    void hurry(bool on) { m_hurry.store(on, std::memory_order_relaxed); }
    bool isHurried() const { return m_hurry.load(std::memory_order_relaxed); }
    std::size_t waits() const { return m_waits; } // so far, however short. While no thread works.

    static constexpr std::size_t kPiece = 128u << 10;
    static constexpr double kLongestWait = 0.008; // seconds

private:
    struct Idler { // what the two threads share; the other one may come to its end only when a core is free
        UniqueFd question, reply; // eventfds
        std::atomic<bool> ending{false};
    };
    static std::shared_ptr<Idler> makeIdler(); // null: too many files or threads
    static void answer(const std::shared_ptr<Idler>& idler);

    std::shared_ptr<Idler> m_idler;
    std::atomic<bool> m_hurry{false};
    bool m_asked = false;
    std::size_t m_waits = 0;
    std::size_t m_bytes = 0;             // since the last wait
    double m_longestWait = kLongestWait; // seconds
};

} // namespace trainyard
