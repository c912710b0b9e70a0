// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/failure.h"

#include <optional>
#include <utility>

namespace trainyard::run {

// Decides what follows a loss, from its cause and from earlier attempts: a failure that would only happen again is not
// retried. A value: it neither waits nor ends a process.
class RecoveryPolicy {
public:
    enum class Action {
        Replace, // what is lost; the others keep their state
        Shrink,  // the others go on without what is lost
        Restart, // all, from the newest checkpoint
        GiveUp
    };
    struct Decision {
        Action action = Action::GiveUp;
        double pause = 0;       // seconds before it is done
        bool isCertain = false; // given up although there are restarts: it would end the same way
    };
    struct Settings {
        int maxRestarts = 0;
        int fewestRanks = 0;  // scaling.elastic.min; 0: no rank may be left out
        bool program = false; // ranks of a program of its own, which can only start again from its checkpoint
    };
    struct Survivors {               // of the group
        int able = 0;                // hold a state to continue from
        bool finished = false;       // a rank has finished, and cannot join a new group
        bool newcomerLost = false;   // a rank that was launched into the group, before it trained
        bool newcomerFailed = false; // the cause is such a rank's
    };
    explicit RecoveryPolicy(const Settings& settings) : m_settings(settings) {}

    // If no rank can continue: Restart or GiveUp. Nothing counts as used before spendRestart().
    Decision decide(const Cause& cause, const Survivors& left);
    // If this ends the group, the survivors save their state first: nothing is wrong with it.
    bool survivorsSave(const Cause& cause, const Survivors& left) const;
    bool mayShrinkTo(int ranks) const { return m_settings.fewestRanks > 0 && ranks >= m_settings.fewestRanks; }

    // Ranks are launched in the place of lost ones, for the cause that was decided on last.
    void spendRestart();
    bool hasRestarts() const { return m_used < m_settings.maxRestarts; }
    int restartsUsed() const { return m_used; }

    // A group begins after this step; empty: not known before its first heartbeat.
    void beginGroup(std::optional<std::int64_t> step) { m_firstStep = step; }
    void noteStep(std::int64_t step);
    void forgetNewcomers() { m_newcomersLost = 0; } // other ranks come than those that were lost

    // The error that the run ends with when it is given up.
    const std::optional<Cause>& firstCause() const { return m_firstCause; }
    void noteFirstCause(const Cause& cause);
    void endWith(Cause cause) { m_firstCause = std::move(cause); } // whatever was lost before, and made up for

private:
    bool hasProgressed(const Cause& cause) const;
    bool isCertain(const Cause& cause) const;
    bool canGoOn(const Survivors& left) const;
    double backoff(const Cause& cause) const;

    Settings m_settings;
    int m_used = 0;
    int m_newcomersLost = 0;                 // consecutively
    std::optional<std::int64_t> m_firstStep; // of this group
    std::optional<Cause> m_firstCause;
    std::optional<Cause> m_decided, m_retried; // the newest, and the newest that a restart was spent for
};

// When a launch that failed is tried again: after a quarter of a second, then twice as long each time.
class LaunchRetries {
public:
    LaunchRetries(double now, double seconds) : m_until(now + seconds) {}
    std::optional<double> nextPause(double now); // empty: no more

private:
    double m_until, m_pause = 0.25;
};

} // namespace trainyard::run
