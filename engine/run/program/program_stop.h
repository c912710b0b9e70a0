// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/program_spec.h"
#include "engine/wire/messages.h"

#include <optional>

namespace trainyard::run {

inline constexpr double kNowSeconds = 2;       // from SIGTERM to SIGKILL where nothing need be saved
inline constexpr double kTrialNowSeconds = 10; // the same of a trial that its sweep has seen enough of
inline constexpr double kGrowSeconds = 600;    // after its grace, for a checkpoint that grows

// Rule: how a program is stopped.
// SIGTERM, and SIGKILL when its grace is over and it writes no checkpoint. A value: times are monotonic seconds that
// are handed to it.
class ProgramStopping {
public:
    enum class Action { None, Terminate, Kill };

    explicit ProgramStopping(const spec::ProgramStop& terms, double nowSeconds = kNowSeconds)
        : m_grace(terms.graceSeconds), m_now(nowSeconds) {}

    // AtCheckpoint is not for a program: its supervisor waits, and asks for SaveAndStop then.
    void request(wire::StopMode mode, double now);
    bool isRequested() const { return m_mode.has_value(); }
    // What is due now; each action once. `isWriting`: a checkpoint grows.
    Action next(double now, bool isWriting);
    std::optional<double> due() const; // when the next action is

private:
    double m_grace, m_now; // seconds from SIGTERM to SIGKILL
    std::optional<wire::StopMode> m_mode;
    bool m_terminated = false, m_killed = false;
    double m_deadline = 0, m_limit = 0; // the same while a checkpoint grows
};

} // namespace trainyard::run
