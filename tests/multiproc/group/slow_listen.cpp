// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded: listen() on a TCP socket returns half a second late, so that a test can connect first.
#include <sys/socket.h>
#include <unistd.h>

#include <dlfcn.h>

extern "C" int listen(int socket, int backlog) {
    using Listen = int (*)(int, int);
    static const auto real = reinterpret_cast<Listen>(::dlsym(RTLD_NEXT, "listen"));
    const int result = real(socket, backlog);
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    if (address.ss_family == AF_INET || address.ss_family == AF_INET6) ::usleep(500'000);
    return result;
}
