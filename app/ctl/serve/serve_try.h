// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl::serving {

// Below `serve`: try NAME FILE, which asks a service as a client would, and prints its answer as `predict` does.
void addTryCommand(CLI::App& serve, Session& session);

} // namespace trainyard::ctl::serving
