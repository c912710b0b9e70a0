// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/clock.h"
#include "engine/base/result.h"

#include <chrono>
#include <thread>

namespace trainyard::store {

// Makes a call again for up to `seconds` while it ends in an Environment error: a drive that is away for a moment, a
// file that another program holds. The call must be one that can be repeated. Gives the last result.
template <class Call>
auto patiently(double seconds, const Call& call) {
    for (const double deadline = monotonicSeconds() + seconds;;) {
        auto result = call();
        if (result || result.error().kind != ErrorKind::Environment || monotonicSeconds() > deadline) return result;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

} // namespace trainyard::store
