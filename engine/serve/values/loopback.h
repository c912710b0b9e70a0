// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::serve {

// Rule: which addresses only this computer can reach.
// "localhost", 127.0.0.0/8 and "::1".
bool isLoopback(std::string_view host);

} // namespace trainyard::serve
