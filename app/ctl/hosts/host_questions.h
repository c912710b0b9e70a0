// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal is asked while hosts are connected to.
#pragma once

#include "remote/book/sign_in.h"

namespace trainyard::ctl {

// Asks on stderr; false without a terminal to ask on.
bool askYesNo(const std::string& question);
// Questions of host keys (`yes`: each is accepted, and told) and passphrases. Of several hosts that are connected to at
// once, one asks at a time.
remote::ConnectOptions askingOptions(bool yes);

} // namespace trainyard::ctl
