// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/slot_ticket.h"

#include <sys/eventfd.h>

#include <cerrno>

namespace trainyard::run {

Result<SlotTicket> SlotTicket::make() {
    UniqueFd fd(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd) return systemError("cannot make a ticket for a trial", {}, limitRemedy(errno));
    return SlotTicket(std::move(fd));
}

// The kernel gives the 1 to one reader.
bool SlotTicket::take() {
    eventfd_t value = 0;
    int failed = 0;
    do failed = ::eventfd_read(m_fd.get(), &value);
    while (failed != 0 && errno == EINTR);
    return failed == 0;
}

} // namespace trainyard::run
