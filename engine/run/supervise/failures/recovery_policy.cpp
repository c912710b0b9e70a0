// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/failures/recovery_policy.h"

#include <algorithm>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kLongestBackoff = 5; // seconds
constexpr int kNewcomersTried = 3;    // consecutive replacements that fail before the group shrinks

} // namespace

RecoveryPolicy::Decision RecoveryPolicy::decide(const Cause& cause, const Survivors& left) {
    noteFirstCause(cause);
    m_decided = cause;
    const bool certain = isCertain(cause);
    const bool ends = certain || !cause.canRetry();
    // Those that are left have the memory that one more would need, and what a newcomer lacks on its host.
    const bool isTheirs = left.newcomerFailed || (certain && cause.error.code == ErrorCode::OutOfMemory);
    if (ends && isTheirs && canGoOn(left) && mayShrinkTo(left.able)) return {Action::Shrink, 0};
    if (ends) {
        m_firstCause = cause;
        return {Action::GiveUp, 0, certain};
    }
    m_newcomersLost = left.newcomerLost ? m_newcomersLost + 1 : 0;
    if (canGoOn(left)) {
        const bool shrinks = mayShrinkTo(left.able);
        if (hasRestarts() && (m_newcomersLost < kNewcomersTried || !shrinks)) return {Action::Replace, backoff(cause)};
        if (shrinks) return {Action::Shrink, 0};
    }
    if (hasRestarts()) return {Action::Restart, backoff(cause)};
    return {Action::GiveUp, 0};
}

bool RecoveryPolicy::survivorsSave(const Cause& cause, const Survivors& left) const {
    const bool lostOnly = blamesRank(cause.code) && cause.canRetry();
    return canGoOn(left) && (lostOnly || left.newcomerFailed || cause.code == FailureCode::NotLaunched);
}

bool RecoveryPolicy::hasProgressed(const Cause& cause) const { return m_firstStep && cause.step > *m_firstStep; }

// Of the group that is left.
bool RecoveryPolicy::canGoOn(const Survivors& left) const {
    return !m_settings.program && !left.finished && left.able > 0;
}

// What has taken no step needs as much memory the next time; and the same steps from the same state end alike.
bool RecoveryPolicy::isCertain(const Cause& cause) const {
    if (cause.error.code == ErrorCode::OutOfMemory && !hasProgressed(cause)) return true;
    return m_retried && cause.isSameAs(*m_retried);
}

void RecoveryPolicy::spendRestart() {
    ++m_used;
    m_retried = std::exchange(m_decided, {});
}

// Ranks that failed without getting anywhere are tried again after a pause.
double RecoveryPolicy::backoff(const Cause& cause) const {
    if (hasProgressed(cause) || m_used == 0) return 0;
    return std::min(kLongestBackoff, 0.25 * (1 << std::min(m_used, 5)));
}

void RecoveryPolicy::noteStep(std::int64_t step) {
    if (!m_firstStep) m_firstStep = step;
}

void RecoveryPolicy::noteFirstCause(const Cause& cause) {
    if (!m_firstCause) m_firstCause = cause;
}

std::optional<double> LaunchRetries::nextPause(double now) {
    if (now + m_pause > m_until) return {};
    return std::exchange(m_pause, std::min(kLongestBackoff, 2 * m_pause));
}

} // namespace trainyard::run
