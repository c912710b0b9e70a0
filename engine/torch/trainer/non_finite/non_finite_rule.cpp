// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/non_finite/non_finite_rule.h"

namespace trainyard::train {

NonFiniteRule::NonFiniteRule(const std::string& word)
    : m_first(word == "skip"       ? Then::Skip
              : word == "rollback" ? Then::RollBack
                                   : Then::End) {}

NonFiniteRule::Then NonFiniteRule::afterBadStep() {
    if (m_first == Then::Skip && ++m_skipsInARow >= kMostSkipsInARow) return Then::TooManySkips;
    if (m_first == Then::RollBack && m_rollbacks++ >= kMostRollbacks) return Then::TooManyRollbacks;
    return m_first;
}

} // namespace trainyard::train
