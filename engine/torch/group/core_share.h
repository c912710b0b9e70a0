// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <sys/types.h>

namespace trainyard::train {

// How one thread shares its core with programs that are not of its run. Made and used by that thread; its cores are
// given back when this goes.
class CoreShare {
public:
    CoreShare();
    ~CoreShare() { takeBack(); }
    CoreShare(const CoreShare&) = delete;
    CoreShare& operator=(const CoreShare&) = delete;

    // How long this thread was ready to run and had no core, seconds in all; 0 where the kernel does not count it.
    double delay() const;
    // This thread goes to the core of `process`' first thread, which goes to this one's: what waits for a core behind
    // another program runs at once where the caller is about to sleep. Both stay there until each takes its cores back.
    // Nothing where it may not be done, or both are on one core already.
    void exchangeWith(pid_t process) const;
    // Back to any of the cores that this process was given.
    void takeBack() const;

private:
    UniqueFd m_statistics; // of this thread, in /proc
};

} // namespace trainyard::train
