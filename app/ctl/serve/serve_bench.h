// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl::serving {

// Below `serve`: bench NAME, which raises the rate of requests until the service does not bear it, and advises.
void addBenchCommand(CLI::App& serve, Session& session);

} // namespace trainyard::ctl::serving
