// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

namespace trainyard::serve {

bool isLoopback(std::string_view host) {
    const std::string text(host);
    if (text == "localhost") return true;
    in_addr four{};
    if (::inet_pton(AF_INET, text.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
    in6_addr six{};
    return ::inet_pton(AF_INET6, text.c_str(), &six) == 1 && std::memcmp(&six, &in6addr_loopback, sizeof six) == 0;
}

} // namespace trainyard::serve
