// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/program_spec.h"
#include "engine/wire/messages.h"

#include <optional>

namespace trainyard::run {

// Rule: how a program is stopped.
// SIGTERM, and SIGKILL when its grace is over. A value: times are monotonic seconds that are handed to it.
class ProgramStopping {
public:
    enum class Action { None, Terminate, Kill };

    explicit ProgramStopping(const spec::ProgramStop& terms) : m_grace(terms.graceSeconds) {}

    void request(wire::StopMode mode, double now);
    bool isRequested() const { return m_mode.has_value(); }
    // What is due now; each action once.
    Action next(double now);
    std::optional<double> due() const; // when the next action is

private:
    double m_grace;
    std::optional<wire::StopMode> m_mode;
    bool m_terminated = false, m_killed = false;
    double m_deadline = 0;
};

} // namespace trainyard::run
