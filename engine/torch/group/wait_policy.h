// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace trainyard::train {

// Whether a rank that has to wait for another keeps its core, or sleeps. Beside a program of lower priority it keeps
// the core: a sleeper finds it taken for a whole time slice. Beside one of the same priority it sleeps: the rank waited
// for is the one without a core, and can have the sleeper's. The kernel tells the two apart. It counts how long a
// thread was ready to run and had no core: a tenth of the time or less beside a lower priority, a third or a half
// beside the same. That holds only while waiting ranks keep their cores, so the policy measures then. Where the
// other is late by more than a time slice, again and again, as a slower rank is, a wait does not look on for it: that
// only keeps a core from others. Times are seconds of one clock.
class WaitPolicy {
public:
    // When the ranks of this host may keep their cores again. All of them sleep when one of them wants it: a sleeper
    // may find that the one it has to wait for sits on its core, waiting for it.
    double sleepUntil() const { return m_sleepUntil; }
    // Whether sawDelay() wants to be told; it is a look into /proc.
    bool isDue(double now) const { return !m_measures || now >= m_from + kWindow; }
    // Ranks keep their cores at `now`, and until now this thread was ready and without a core for `delay` seconds in
    // all. Where too much of a window was lost, ranks sleep, longer each time that keeping the core does not pay off.
    void sawDelay(double now, double delay) {
        const bool wasLost = m_measures && now >= m_from + kWindow && delay - m_delay > kMostLost * (now - m_from);
        m_measures = true;
        m_from = now;
        m_delay = delay;
        if (!wasLost) return;
        m_sleep = now < m_sleepUntil + kSoon ? std::min(2 * m_sleep, kLongestSleep) : kFirstSleep;
        m_sleepUntil = now + m_sleep;
        m_measures = false;
    }
    // Ranks sleep: what is lost meanwhile says nothing.
    void slept() { m_measures = false; }
    // Whether this wait looks on, instead of sleeping after a moment. It does, until looking was in vain: then the next
    // one sleeps, and more of them each time, until a look finds the other rank again.
    bool looksOn() {
        if (m_sleepers == 0) return true;
        --m_sleepers;
        return false;
    }
    // A wait has looked on; `came` where the other rank came meanwhile, and not only later.
    void lookedOn(bool came) {
        m_vainLooks = came ? 0 : std::min(m_vainLooks + 1, kMostVainLooks);
        m_sleepers = came ? 0 : (1 << m_vainLooks) - 1;
    }

private:
    static constexpr int kMostVainLooks = 5; // 31 waits asleep for one that looks
    static constexpr double kWindow = 0.1, kMostLost = 0.2, kSoon = 1, kFirstSleep = 0.4, kLongestSleep = 6.4;

    bool m_measures = false;
    double m_from = 0, m_delay = 0; // of the window
    double m_sleep = kFirstSleep, m_sleepUntil = 0;
    int m_vainLooks = 0, m_sleepers = 0; // one after the other; waits that sleep before the next look
};

} // namespace trainyard::train
