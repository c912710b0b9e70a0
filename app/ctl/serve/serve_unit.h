// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl::serving {

// Below `serve`: unit NAME, which writes a systemd user unit.
void addUnitCommand(CLI::App& serve, Session& session);

} // namespace trainyard::ctl::serving
