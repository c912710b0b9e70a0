// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/amounts.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard {

std::string durationText(double seconds) {
    if (!(seconds >= 0)) return "-";
    std::array<char, 48> text{};
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (seconds < 10) std::snprintf(text.data(), text.size(), "%.1f s", seconds);
    else if (whole < 60) std::snprintf(text.data(), text.size(), "%lld s", whole);
    else if (whole < 3600) std::snprintf(text.data(), text.size(), "%lld min %02lld s", whole / 60, whole % 60);
    else std::snprintf(text.data(), text.size(), "%lld h %02lld min", whole / 3600, whole / 60 % 60);
    return text.data();
}

std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::size_t first = text.front() == '-' ? 1 : 0;
    for (std::size_t place = text.size(); place > first + 3;) text.insert(place -= 3, ",");
    return text;
}

std::string bytesText(std::int64_t bytes) {
    std::array<char, 32> text{};
    const auto size = static_cast<double>(bytes);
    if (size < 1e3) std::snprintf(text.data(), text.size(), "%.0f B", size);
    else if (size < 1e6) std::snprintf(text.data(), text.size(), "%.1f kB", size / 1e3);
    else if (size < 1e9) std::snprintf(text.data(), text.size(), "%.1f MB", size / 1e6);
    else std::snprintf(text.data(), text.size(), "%.2f GB", size / 1e9);
    return text.data();
}

} // namespace trainyard
