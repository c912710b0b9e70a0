// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/program_stop.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kLookAgain = 0.5; // seconds, whether the checkpoint still grows

} // namespace

void ProgramStopping::request(wire::StopMode mode, double now) {
    if (mode == wire::StopMode::AtCheckpoint || (m_mode && *m_mode >= mode)) return;
    m_mode = mode;
    const double wait = mode == wire::StopMode::SaveAndStop ? m_grace
                        : mode == wire::StopMode::StopNow   ? std::min(m_grace, m_now)
                                                            : 0;
    const double deadline = now + wait;
    m_deadline = m_terminated ? std::min(m_deadline, deadline) : deadline;
    m_limit = mode == wire::StopMode::SaveAndStop ? deadline + kGrowSeconds : m_deadline;
}

ProgramStopping::Action ProgramStopping::next(double now, bool isWriting) {
    if (!m_mode || m_killed) return Action::None;
    if (m_terminated && isWriting && now >= m_deadline && now < m_limit)
        m_deadline = std::min(now + kLookAgain, m_limit);
    if (*m_mode == wire::StopMode::Kill || (m_terminated && now >= m_deadline)) {
        m_killed = true;
        return Action::Kill;
    }
    if (m_terminated) return Action::None;
    m_terminated = true;
    return Action::Terminate;
}

std::optional<double> ProgramStopping::due() const {
    if (!m_mode || m_killed) return std::nullopt;
    return m_terminated ? m_deadline : 0;
}

} // namespace trainyard::run
