// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/run/supervise/failures/link_watch.h"

#include <atomic>
#include <ctime>
#include <optional>

namespace trainyard::train {

// A LinkWatch with the clock of this process. Behind it a timer of the kernel ends the process (SIGKILL) when nobody
// looks at the watch in time: also one that is stopped. Every function may be called from any thread.
class DeadMansSwitch {
public:
    using Action = run::LinkWatch::Action;

    DeadMansSwitch();
    ~DeadMansSwitch(); // nothing ends the process any more
    DeadMansSwitch(const DeadMansSwitch&) = delete;
    DeadMansSwitch& operator=(const DeadMansSwitch&) = delete;

    void setLinkSeconds(double seconds); // failure.linkSeconds; its default until then
    void heard();
    void cut();
    void askedToEnd();        // by somebody else than the supervisor
    Action look(bool saving); // about twice a second

    bool isOrphaned() const { return m_action.load(std::memory_order_relaxed) >= Action::SaveTogether; }
    bool isAlone() const { return m_action.load(std::memory_order_relaxed) >= Action::SaveAlone; }

private:
    void setTimer(double seconds) TY_REQUIRES(m_mutex); // from now

    Mutex m_mutex;
    run::LinkWatch m_watch TY_GUARDED_BY(m_mutex);
    std::atomic<Action> m_action{Action::GoOn};
    std::optional<timer_t> m_timer;
};

} // namespace trainyard::train
