// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/home/head_call.h"

namespace trainyard::ctl {

// Follows a run or sweep there with the words of `attach`, and passes on what is printed. When the link is lost it says
// so and connects again, after 1, 2, 4, … 30 s, until it is there or Ctrl+C is pressed. With --json it ends:
// Environment, ConnectionLost, as for passThrough(). Returns the exit code.
Result<int> followThere(const Session& session, remote::Head head, const std::vector<std::string>& words);

} // namespace trainyard::ctl
