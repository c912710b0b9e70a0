// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

namespace trainyard::run {

// Decides between two processes who has a trial: the slot at which it waits, which takes the ticket to begin the
// trial, or the sweep's supervisor, which takes it to withdraw the trial.
class SlotTicket {
public:
    // Environment when there are too many open files.
    static Result<SlotTicket> make();
    explicit SlotTicket(UniqueFd fd) : m_fd(std::move(fd)) {} // one that came from another process

    // True for the first caller in any process only.
    bool take();
    int fd() const { return m_fd.get(); } // to be handed to the other process

private:
    UniqueFd m_fd; // an eventfd that is 1 until the ticket is taken
};

} // namespace trainyard::run
