// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// Rule: which packages of Python that take long to import a process has imported, by the libraries that it has mapped.
// `maps`: as /proc/PID/maps has them. Only packages that can be forked; their names as they are imported, in order.
std::vector<std::string> heavyPackagesIn(std::string_view maps);
// Those of a living process; none if it cannot be read.
std::vector<std::string> heavyPackagesOf(pid_t pid);

} // namespace trainyard::run
