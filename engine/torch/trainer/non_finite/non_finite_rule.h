// SPDX-License-Identifier: GPL-3.0-or-later
// What is done about steps whose loss or gradient is not a finite number (failure.nonFinite): values alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace trainyard::train {

// Each rank has its own and tells it the same, so all decide alike.
class NonFiniteRule {
public:
    static constexpr int kMostSkipsInARow = 100;
    static constexpr int kMostRollbacks = 3; // to the same checkpoint

    enum class Then {
        End,             // the run
        Skip,            // the step
        RollBack,        // to the newest checkpoint
        TooManySkips,    // in a row: the run ends
        TooManyRollbacks // to the same checkpoint: the run ends
    };

    NonFiniteRule() = default;
    // `word`: failure.nonFinite.
    explicit NonFiniteRule(const std::string& word);

    bool endsRun() const { return m_first == Then::End; }
    bool rollsBack() const { return m_first == Then::RollBack; }

    Then afterBadStep();
    void afterGoodStep() { m_skipsInARow = 0; }
    void afterCheckpoint() { m_rollbacks = 0; }
    void beginAnew() { m_skipsInARow = m_rollbacks = 0; } // in another group

private:
    Then m_first = Then::End; // after a bad step, until there are too many
    int m_skipsInARow = 0, m_rollbacks = 0;
};

// A loss that was not finite: this rank's since the last time that the ranks spoke of it, or the first of theirs.
struct BadLoss {
    std::int64_t step = -1;
    std::string why{}; // empty: there is none
    std::size_t rank = 0;
    bool ofData = false; // the batch itself holds such numbers
};

} // namespace trainyard::train
