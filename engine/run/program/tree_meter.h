// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/host_load.h"
#include "engine/wire/messages.h"

#include <sys/types.h>

#include <optional>
#include <vector>

namespace trainyard::run {

// Measures what the processes of one rank, and their computer, are busy with.
class TreeMeter {
public:
    TreeMeter(); // the first sample begins here
    // `withHost`: this rank measures for its computer. What the time went to is not known: computeShare is negative.
    wire::SystemSample take(const std::vector<pid_t>& processes, bool withHost);

private:
    double m_at = 0, m_cpuSeconds = 0;
    std::optional<HostMeter> m_host;
};

} // namespace trainyard::run
