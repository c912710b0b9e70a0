// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/hash_draw.h"

namespace trainyard {
namespace {

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

std::uint64_t hashDraw(std::uint64_t seed, Draw purpose, std::uint64_t trial, std::uint64_t count) {
    return mixed(mixed(mixed(mixed(seed) ^ static_cast<std::uint64_t>(purpose)) ^ trial) ^ count);
}

double unitDraw(std::uint64_t seed, Draw purpose, std::uint64_t trial, std::uint64_t count) {
    return static_cast<double>(hashDraw(seed, purpose, trial, count) >> 11) * 0x1p-53;
}

} // namespace trainyard
