// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/failures/stop_sequence.h"

namespace trainyard::run {
namespace {

constexpr double kNoStepSeconds = 5; // the same, when there is nothing to save yet
constexpr double kTermSeconds = 3;   // between SIGTERM and SIGKILL

} // namespace

bool StopSequence::request(wire::StopMode mode) {
    if (m_mode && *m_mode >= mode) return false;
    m_mode = mode;
    return true;
}

bool StopSequence::awaitCheckpoint(const Moment& from) {
    if (m_mode || m_awaited) return false;
    m_awaited = from;
    return true;
}

bool StopSequence::isAwaited(std::int64_t step, std::optional<std::int64_t> changedMs, std::int64_t nowMs) const {
    if (!awaitsCheckpoint()) return false;
    return changedMs && nowMs >= m_awaited->wallMs ? *changedMs >= m_awaited->wallMs : step > m_awaited->step;
}

StopSequence::Action StopSequence::next(double now, const Workers& workers) {
    if (m_mode == wire::StopMode::Kill || m_stage == Stage::Ended) {
        m_stage = Stage::Ended;
        return Action::End;
    }
    if (m_asked != m_mode) {
        m_asked = m_mode;
        const bool saves = m_mode == wire::StopMode::SaveAndStop;
        const double wait = !saves ? m_settings.nowSeconds : workers.training ? m_settings.saveSeconds : kNoStepSeconds;
        m_deadline = now + wait;
        m_limit = now + (saves ? m_settings.saveLimit : wait);
        return Action::Ask;
    }
    if (now < m_deadline) return Action::Wait;
    if (m_stage == Stage::Terminated) {
        m_stage = Stage::Ended;
        return Action::End;
    }
    if (isSaving(workers) && now < m_limit) return Action::Wait;
    m_stage = Stage::Terminated;
    m_deadline = now + kTermSeconds;
    return Action::Terminate;
}

// Rank 0 cannot answer before its validation is over, and the checkpoint that was asked for comes after it.
bool StopSequence::isSaving(const Workers& workers) const {
    return workers.phase == wire::Phase::Checkpoint ||
           (workers.phase == wire::Phase::Validate && m_mode == wire::StopMode::SaveAndStop);
}

} // namespace trainyard::run
