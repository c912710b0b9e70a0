// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <exception>
#include <stdexcept>

namespace trainyard::train {

// A wait for another rank has ended without it: it is dead, its connection is, or it did not come in time. The text
// says which rank and which step.
class PeerLost : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Says that a peer of the group is gone, so that threads that wait for it in shared memory, where no connection would
// break, give up. Raised by the thread that reads the supervisor's frames; lowered by the training thread once it is in
// a new group.
class AbortFlag {
public:
    void raise() { m_raised.store(true, std::memory_order_release); }
    void lower() { m_raised.store(false, std::memory_order_release); }
    bool raised() const { return m_raised.load(std::memory_order_acquire); }

private:
    std::atomic<bool> m_raised{false};
};

// True when what a collective, a rendezvous or a wait has thrown means that another rank is gone, out of reach or did
// not come in time: a PeerLost, or an exception of Gloo, NCCL or c10d's store, which are known by their texts alone.
bool isPeerLoss(const std::exception& thrown);

} // namespace trainyard::train
