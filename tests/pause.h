// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>

namespace trainyard::test {

// How long a test waits before it asks again for what has not come, when asking took that long: six times as long, so
// that a program started to ask leaves the computer to what is waited for.
inline std::chrono::milliseconds pauseAfter(std::chrono::steady_clock::duration asking) {
    using std::chrono::milliseconds;
    return std::clamp(std::chrono::duration_cast<milliseconds>(6 * asking), milliseconds(20), milliseconds(500));
}

} // namespace trainyard::test
