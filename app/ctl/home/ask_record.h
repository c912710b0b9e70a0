// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/home/head_call.h"
#include "engine/run/mirror/mirror_line.h"

namespace trainyard::ctl {

// All that the host has of a run and the request has not, as it is now; without a row when there is no such run.
// Environment, ConnectionLost: the link broke.
Result<run::MirrorNews> askRecord(remote::Head& head, const run::MirrorRequest& request);

} // namespace trainyard::ctl
