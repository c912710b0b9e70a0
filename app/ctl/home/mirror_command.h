// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

void addMirrorCommand(CLI::App& app, Session& session);

} // namespace trainyard::ctl
