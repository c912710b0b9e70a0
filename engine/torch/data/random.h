// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace trainyard::data {

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). Its numbers do not
// depend on the LibTorch version, so orders and generated samples stay the same across upgrades.
class Random {
public:
    // Streams of different (seed, stream) are independent.
    Random(std::uint64_t seed, std::uint64_t stream) : m_state(mix(seed) ^ mix(stream + 0x632BE59BD9B4E019ULL)) {}

    std::uint64_t next() { return mix(m_state += 0x9E3779B97F4A7C15ULL); }
    // Uniform in [0, bound), without bias (Lemire 2019); bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        std::uint64_t low, high;
        do { multiply(next(), bound, high, low); } while (low < bound && low < (0 - bound) % bound);
        return high;
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    double uniform(double from, double to) { return from + (to - from) * uniform(); }
    double normal() { // Box–Muller, one of the pair
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    static void multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& high, std::uint64_t& low) {
        const std::uint64_t aLow = a & 0xFFFFFFFFu, aHigh = a >> 32, bLow = b & 0xFFFFFFFFu, bHigh = b >> 32;
        const std::uint64_t middle = aHigh * bLow + ((aLow * bLow) >> 32);
        const std::uint64_t cross = aLow * bHigh + (middle & 0xFFFFFFFFu);
        high = aHigh * bHigh + (middle >> 32) + (cross >> 32);
        low = a * b;
    }

    std::uint64_t m_state;
};

} // namespace trainyard::data

namespace trainyard::train {

// A separate random stream for each step of each rank (splitmix64), so that no generator state has to move between
// processes: any process that runs the step draws the same numbers.
inline std::uint64_t seedOfStep(std::int64_t seed, int rank, std::int64_t step) {
    std::uint64_t z = static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(rank) + 1) +
                      0xd1342543de82ef95u * static_cast<std::uint64_t>(step);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

} // namespace trainyard::train
