// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/group_control.h"

#include "engine/base/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

namespace trainyard::train {
namespace {

constexpr auto kPausePoll = std::chrono::milliseconds(40);

// What one rank brings to a round: whether it was asked to stop or is orphaned, and rank 0's commands.
std::string roundText(std::optional<wire::StopMode> stop, bool orphaned, const std::vector<wire::Command>& commands) {
    std::ostringstream text;
    text.precision(17);
    text << (stop ? static_cast<int>(*stop) : -1) << ' ' << orphaned << ' ' << commands.size();
    for (const auto& command : commands) // what is no number would not be read back
        text << ' ' << static_cast<int>(command.kind) << ' ' << (std::isfinite(command.value) ? command.value : 0);
    return text.str();
}

struct Round {
    int stop = -1;
    bool orphaned = false;
    std::vector<wire::Command> commands;
};

Round roundIn(const std::string& text) {
    std::istringstream words(text);
    Round round;
    int kind = 0;
    std::size_t count = 0;
    words >> round.stop >> round.orphaned >> count;
    for (double value = 0; round.commands.size() < count && words >> kind >> value;)
        round.commands.push_back({{}, static_cast<wire::CommandKind>(kind), value});
    return round;
}

} // namespace

void GroupControl::agree(const StepWindow::Reduced& reduced) {
    m_commanded = reduced.commands;
    m_stopped = reduced.saveAndStop || reduced.stopNow;
    m_saves = m_stopped && !reduced.stopNow;
}

void GroupControl::beginGroup(bool endsEarly) {
    m_stopped = m_saves = false;
    m_endsEarly = endsEarly;
}

double GroupControl::applyCommands(const ProcessGroup& group, RunReport& report, Progress& progress, std::int64_t step,
                                   const Apply& apply) {
    m_commanded = false;
    const double begun = monotonicSeconds();
    bool paused = applyRound(false, group, report, step, apply);
    if (!paused) return 0;
    progress.samplesPerSecond = 0;
    while (paused && !m_stopped) {
        progress.setDoing(Engine::tr("paused"));
        std::this_thread::sleep_for(kPausePoll);
        paused = applyRound(true, group, report, step, apply);
    }
    return monotonicSeconds() - begun;
}

// One round; returns whether the run is paused after it.
bool GroupControl::applyRound(bool paused, const ProcessGroup& group, RunReport& report, std::int64_t step,
                              const Apply& apply) {
    auto commands = group.rank() == 0 ? report.takeCommands() : std::vector<wire::Command>{};
    int stop = -1;
    bool allOrphaned = true;
    std::vector<Round> said;
    for (const auto& text : group.gatherText(roundText(report.stopRequested(), report.orphaned(), commands))) {
        said.push_back(roundIn(text));
        stop = std::max(stop, said.back().stop);
        allOrphaned = allOrphaned && said.back().orphaned;
    }
    if (stop < 0 && allOrphaned) stop = static_cast<int>(wire::StopMode::SaveAndStop);
    if (group.rank() != 0) commands = std::move(said.front().commands);
    for (const auto& command : commands) {
        const bool pauses = command.kind == wire::CommandKind::Pause;
        const bool isPause = pauses || command.kind == wire::CommandKind::Unpause;
        const Result<void> applied = isPause ? Result<void>() : apply(command);
        if (isPause) paused = pauses;
        if (group.rank() == 0) report.notify(wire::answerTo(command, step, applied));
    }
    if (stop >= 0) {
        m_stopped = true;
        m_saves = stop == static_cast<int>(wire::StopMode::SaveAndStop);
    }
    return paused;
}

} // namespace trainyard::train
