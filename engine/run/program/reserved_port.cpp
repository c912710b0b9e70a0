// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/reserved_port.h"

#include <netinet/in.h>
#include <sys/socket.h>

namespace trainyard::run {

Result<ReservedPort> ReservedPort::take() {
    const auto failed = [] { return systemError("cannot reserve a port for the ranks' rendezvous"); };
    ReservedPort reserved;
    reserved.m_socket.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!reserved.m_socket) return failed();
    const int yes = 1;
    ::setsockopt(reserved.m_socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_ANY);
    auto* address = reinterpret_cast<sockaddr*>(&any);
    socklen_t size = sizeof any;
    if (::bind(reserved.m_socket.get(), address, size) != 0) return failed();
    if (::getsockname(reserved.m_socket.get(), address, &size) != 0) return failed();
    reserved.m_port = ntohs(any.sin_port);
    return reserved;
}

} // namespace trainyard::run
