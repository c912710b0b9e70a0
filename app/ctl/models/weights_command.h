// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace trainyard::ctl {

struct Session;

// weights: what a file of weights holds, and which model it fits.
void addWeightsCommand(CLI::App& app, Session& session);

} // namespace trainyard::ctl
