// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asks of a run while it trains. Rank 0 hears it; the ranks agree on it between two steps, with a flag in
// the reduction of the metrics, so that all of them do it after the same step.
#pragma once

#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/trainer/metrics/step_window.h"
#include "engine/torch/trainer/metrics/trainer_report.h"

#include <functional>
#include <string>
#include <vector>

namespace trainyard::train {

// The agreement of the ranks of a group: whether they continue, and what they do first. The same on every rank.
class GroupControl {
public:
    // What a reduction of the metrics told.
    void agree(const StepWindow::Reduced& reduced);
    void beginGroup(bool endsEarly); // stops are agreed on anew
    void saveAndStop() { m_stopped = m_saves = true; }
    void setEndsEarly(bool on) { m_endsEarly = on; }

    bool isStopped() const { return m_stopped; }
    bool stopsUnsaved() const { return m_stopped && !m_saves; }
    bool endsEarly() const { return m_endsEarly; } // the run no longer gets better
    bool isOver() const { return m_stopped || m_endsEarly; }
    bool hasCommands() const { return m_commanded; } // rank 0 has some for all

    // Does on this rank what a user asks; pausing is done here. Input: it cannot be done.
    using Apply = std::function<Result<void>(const wire::Command&)>;
    // Collective. Does what rank 0 was asked to after step `step`, and waits as long as the run is paused. Returns for
    // how many seconds it was.
    double applyCommands(const ProcessGroup& group, RunReport& report, Progress& progress, std::int64_t step,
                         const Apply& apply);

private:
    bool applyRound(bool paused, const ProcessGroup& group, RunReport& report, std::int64_t step, const Apply& apply);

    bool m_stopped = false, m_saves = false; // m_saves: before it stops
    bool m_endsEarly = false;
    bool m_commanded = false;
};

} // namespace trainyard::train
