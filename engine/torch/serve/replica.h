// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::train {

// `trainyard-worker serve FILE NAME VERSION THREADS INFO [behind]`: a replica of a service (engine/serve/SERVING.md):
// loads the file, says on descriptor 0 what it takes, is given its memory there, warms up, says so, and computes
// batches until it is killed: it ends with the server, whatever it does then. After the warm-up it can open no file and
// start nothing. `behind`: until it is ready, it gives way to those that answer requests. Returns the program's exit
// code where it could not begin.
int serveCommand(const std::vector<std::string>& arguments);

} // namespace trainyard::train
