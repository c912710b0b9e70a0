// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace trainyard::train {

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

} // namespace trainyard::train
