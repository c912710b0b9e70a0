// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/cores.h"
#include "engine/base/unique_fd.h"

#include <sys/types.h>

namespace trainyard::train {

// How one thread shares its core with programs that are not of its run. Made and used by that thread; its cores are
// given back when this goes.
class CoreShare {
public:
    CoreShare();
    ~CoreShare() { useAllCoresInEveryThread(); } // also in threads that a moved one has made
    CoreShare(const CoreShare&) = delete;
    CoreShare& operator=(const CoreShare&) = delete;

    // How long this thread was ready to run and had no core, seconds in all; 0 where the kernel does not count it.
    double delay() const;
    // This thread goes to the core of `process`' first thread, which goes to this one's: what waits for a core behind
    // another program runs at once where the caller is about to sleep. Both stay there until each takes its cores back
    // (useAllCores). False: it may not be done, or both are on one core already.
    bool exchangeWith(pid_t process) const;

private:
    UniqueFd m_statistics; // of this thread, in /proc
};

} // namespace trainyard::train
