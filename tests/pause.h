// SPDX-License-Identifier: GPL-3.0-or-later
// How tests wait for what other processes do.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace trainyard::test {

// How long a test waits before it asks again for what has not come, when asking took that long: six times as long, so
// that a program started to ask leaves the computer to what is waited for.
inline std::chrono::milliseconds pauseAfter(std::chrono::steady_clock::duration asking) {
    using std::chrono::milliseconds;
    return std::clamp(std::chrono::duration_cast<milliseconds>(6 * asking), milliseconds(20), milliseconds(500));
}

// How often the usual time a test waits before it gives up: TRAINYARD_TEST_PATIENCE, at least 1. Above 1 where programs
// start slowly (installer/test.sh). It lengthens waits that guard against hanging, never a time that is promised.
inline double patience() {
    const char* given = std::getenv("TRAINYARD_TEST_PATIENCE");
    return given != nullptr ? std::clamp(std::atof(given), 1.0, 10.0) : 1;
}

} // namespace trainyard::test
