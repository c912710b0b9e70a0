// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace trainyard::train {

// Whether a rank that has to wait for another keeps its core, or sleeps. Beside a program of lower priority it has to
// keep it: who sleeps for a moment finds the core taken for a whole time slice. Beside one of the same priority it has
// to sleep: the rank waited for is the one without a core, and gets the one that is left. How much of the time goes
// into waiting tells the two apart. Times are seconds of one clock.
class WaitPolicy {
public:
    static constexpr double kLongestLook = 0.01; // one wait; what takes longer is no matter of time slices

    // When the ranks of this host may keep their cores again. All of them sleep when one of them wants it: a sleeper
    // may find that the one it has to wait for sits on its core, waiting for it.
    double sleepUntil() const { return m_sleepUntil; }
    // A wait that kept the core and was not over at once. Where most of the time goes into such waits the next ones
    // sleep, longer each time that keeping the core is tried again in vain.
    void keptCore(double from, double to) {
        m_lost = m_lost * std::exp((m_last - to) / kMemory) + std::min(to - from, kLongestLook);
        m_last = to;
        if (m_lost < kMostLost * kMemory) return;
        m_sleep = to < m_sleepUntil + 4 * kMemory ? std::min(2 * m_sleep, kLongestSleep) : kFirstSleep;
        m_sleepUntil = to + m_sleep;
        m_lost = 0;
    }

private:
    static constexpr double kMemory = 0.05, kMostLost = 0.25, kFirstSleep = 0.4, kLongestSleep = 3.2;

    double m_lost = 0, m_last = 0; // seconds lost, older ones counting less
    double m_sleep = kFirstSleep, m_sleepUntil = 0;
};

} // namespace trainyard::train
