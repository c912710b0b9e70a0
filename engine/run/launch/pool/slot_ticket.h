// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

namespace trainyard::run {

// Decides between two processes that share it who has a trial: the slot that it waits at, which takes the ticket when
// it begins the trial, or the sweep's supervisor, which takes it to withdraw the trial.
class SlotTicket {
public:
    // Environment when there are too many open files.
    static Result<SlotTicket> make();
    explicit SlotTicket(UniqueFd fd) : m_fd(std::move(fd)) {} // one that came from another process

    // True for one caller in all processes, the first.
    bool take();
    int fd() const { return m_fd.get(); } // to be handed to the other process

private:
    UniqueFd m_fd; // an eventfd that is 1 until the ticket is taken
};

} // namespace trainyard::run
