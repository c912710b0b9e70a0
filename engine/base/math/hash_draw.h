// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers without a state: each is a hash of what it is for, so that nothing has to be kept to go on with the
// same ones, and no draw depends on how many came before it elsewhere.
#pragma once

#include <cstdint>

namespace trainyard {

// What a number is drawn for: draws for different purposes have nothing to do with one another.
enum class Draw : std::uint64_t { Configuration = 1, Candidate = 2, Shift = 3, Bracket = 4, Donor = 5, Mutation = 6 };

// A hash of the four, with all 64 bits mixed (splitmix64, Steele, Lea and Flood 2014).
std::uint64_t hashDraw(std::uint64_t seed, Draw purpose, std::uint64_t trial, std::uint64_t count);
// The same as a number in [0, 1), a multiple of 2^-53.
double unitDraw(std::uint64_t seed, Draw purpose, std::uint64_t trial, std::uint64_t count);

// The draws of one trial for one purpose, one after another.
class DrawStream {
public:
    DrawStream(std::uint64_t seed, Draw purpose, std::uint64_t trial, std::uint64_t first = 0)
        : m_seed(seed), m_purpose(purpose), m_trial(trial), m_count(first) {}
    double next() { return unitDraw(m_seed, m_purpose, m_trial, m_count++); }

private:
    std::uint64_t m_seed;
    Draw m_purpose;
    std::uint64_t m_trial, m_count;
};

} // namespace trainyard
