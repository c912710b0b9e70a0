// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/relay/hold_watch.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kHeardSeconds = 3; // a supervisor says something every second
constexpr double kResetSeconds = 5; // for one that lives to be back after a reset

} // namespace

double HoldWatch::until() const {
    const double silent = m_heard + m_linkSeconds;
    if (!m_ended) return silent;
    const double soon = *m_ended + std::min(kResetSeconds, m_linkSeconds);
    return *m_ended - m_heard < kHeardSeconds ? soon : std::max(soon, silent);
}

} // namespace trainyard::run
