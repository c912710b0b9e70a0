// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// run --test-patterns LOG: what a run with this run file would read from such printed lines. Returns the exit code.
int testPatternsOn(const Session& session, const std::string& log, const std::string& runFile);

} // namespace trainyard::ctl
