// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asks of a run while it trains. Rank 0 hears it; the ranks agree on it between two steps, with a flag in
// the reduction of the metrics, so that all of them do it after the same step.
#include "engine/base/clock.h"
#include "engine/torch/trainer/trainer.h"

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

// Collective. Does what rank 0 was asked to, and waits as long as the run is paused.
void Trainer::applyCommands() {
    m_commanded = false;
    const double begun = monotonicSeconds();
    bool paused = applyRound(false);
    if (!paused) return;
    m_progress.samplesPerSecond = 0;
    while (paused && !m_stopped) {
        m_progress.setDoing(Engine::tr("paused"));
        std::this_thread::sleep_for(kPausePoll);
        paused = applyRound(true);
    }
    m_series.leaveOut(monotonicSeconds() - begun);
}

// One round; returns whether the run is paused after it.
bool Trainer::applyRound(bool paused) {
    auto commands = m_group.rank() == 0 ? m_report.takeCommands() : std::vector<wire::Command>{};
    int stop = -1;
    bool allOrphaned = true;
    std::vector<Round> said;
    for (const auto& text : m_group.gatherText(roundText(m_report.stopRequested(), m_report.orphaned(), commands))) {
        said.push_back(roundIn(text));
        stop = std::max(stop, said.back().stop);
        allOrphaned = allOrphaned && said.back().orphaned;
    }
    if (stop < 0 && allOrphaned) stop = static_cast<int>(wire::StopMode::SaveAndStop);
    if (m_group.rank() != 0) commands = std::move(said.front().commands);
    for (const auto& command : commands) {
        const auto applied = applyCommand(command);
        if (applied && command.kind == wire::CommandKind::Pause) paused = true;
        if (applied && command.kind == wire::CommandKind::Unpause) paused = false;
        if (m_group.rank() == 0) m_report.notify(wire::answerTo(command, m_place.step, applied));
    }
    if (stop >= 0) {
        m_stopped = true;
        m_saveOnStop = stop == static_cast<int>(wire::StopMode::SaveAndStop);
    }
    return paused;
}

// What all ranks do alike. Input: it cannot be done.
Result<void> Trainer::applyCommand(const wire::Command& command) {
    switch (command.kind) {
    case wire::CommandKind::Pause:
    case wire::CommandKind::Unpause: return {};
    case wire::CommandKind::Checkpoint:
        if (m_input.checkpointFolder.empty()) return inputError("this run has no folder for checkpoints");
        if (m_savedStep != m_place.step) saveState(true);
        else if (m_writer) m_writer->hurry();
        return {};
    case wire::CommandKind::SetLearningRate:
        if (!std::isfinite(command.value) || command.value <= 0)
            return inputError("the learning rate must be greater than 0").withCode(ErrorCode::FieldInvalid);
        m_policy.setLr(command.value, m_place.step);
        return {};
    case wire::CommandKind::Resize: break; // the supervisor's
    }
    return inputError("this version does not know the command");
}

} // namespace trainyard::train
