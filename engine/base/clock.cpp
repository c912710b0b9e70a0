// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace trainyard {

std::int64_t wallClockMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

double monotonicSeconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string isoTime(std::int64_t wallMs) {
    // Floor, so that times before 1970 round the same way as those after it.
    const std::int64_t second = wallMs / 1000 - (wallMs % 1000 < 0 ? 1 : 0);
    const std::time_t time = second;
    std::tm parts{};
    if (::gmtime_r(&time, &parts) == nullptr) return "unknown time";
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

} // namespace trainyard
