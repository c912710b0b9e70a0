// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/pending_commands.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostOpen = 100;

} // namespace

PendingCommands::Reply PendingCommands::ask(const wire::Command& command) {
    if (command.kind == wire::CommandKind::SetLearningRate && !(std::isfinite(command.value) && command.value > 0))
        return {Verdict::Refuse, "the learning rate must be greater than 0"};
    if (m_open.size() >= kMostOpen) return {Verdict::Refuse, "too many pending requests"};
    if (command.kind == wire::CommandKind::Pause && m_paused) return {Verdict::Done, {}};
    if (command.kind == wire::CommandKind::Unpause && !m_paused) {
        const bool asked = std::any_of(m_open.begin(), m_open.end(),
                                       [](const auto& each) { return each.kind == wire::CommandKind::Pause; });
        if (!asked) return {Verdict::Refuse, "the run is not paused"};
    }
    m_open.push_back(command);
    return {};
}

std::vector<wire::Command> PendingCommands::toRepeat(std::int64_t fromStep) const {
    std::vector<wire::Command> commands;
    if (m_learningRate && m_learningRate->step > fromStep)
        commands.push_back({{}, wire::CommandKind::SetLearningRate, m_learningRate->value});
    if (m_paused) commands.push_back({{}, wire::CommandKind::Pause, 0});
    commands.insert(commands.end(), m_open.begin(), m_open.end());
    return commands;
}

void PendingCommands::finish(const wire::CommandDone& done) {
    std::erase_if(m_open, [&](const auto& each) { return !done.id.empty() && each.id == done.id; });
    if (done.kind != wire::CommandKind::Checkpoint || !done.isDone()) m_toldAway.erase(done.id);
    if (!done.isDone()) return;
    if (done.kind == wire::CommandKind::SetLearningRate) m_learningRate = done;
    if (done.kind == wire::CommandKind::Pause) m_paused = true;
    if (done.kind == wire::CommandKind::Unpause) m_paused = false;
}

std::vector<wire::CommandDone> PendingCommands::finishSave(const wire::CommandDone& done, bool recorded) {
    m_saving.push_back(done);
    if (recorded) return settleSaves(done.step, {});
    if (m_notSaved && m_notSaved->step == done.step) return settleSaves(done.step, Error(m_notSaved->error));
    return {};
}

std::vector<wire::CommandDone> PendingCommands::whileAway(const HostName& host, std::int64_t step) {
    std::vector<wire::CommandDone> answers;
    const auto tell = [&](const std::string& id, wire::CommandKind kind) {
        if (id.empty() || !m_toldAway.insert(id).second) return;
        const char* what = kind == wire::CommandKind::Checkpoint ? "the checkpoint is saved" : "it is done";
        answers.push_back({id, kind, 0, step,
                           environmentError("there is no link to " + host.text() + " now; " + what + " once it is back")
                               .withCode(ErrorCode::ConnectionLost)});
    };
    for (const auto& each : m_open) tell(each.id, each.kind);
    for (const auto& each : m_saving) tell(each.id, each.kind);
    return answers;
}

bool PendingCommands::isSaving(std::int64_t step) const {
    return std::ranges::find(m_saving, step, &wire::CommandDone::step) != m_saving.end();
}

std::vector<wire::CommandDone> PendingCommands::settleSaves(std::int64_t step, const Result<void>& saved) {
    m_notSaved.reset();
    if (!saved) m_notSaved = FailedSave{step, saved.error()};
    std::vector<wire::CommandDone> answers;
    for (auto save = m_saving.begin(); save != m_saving.end();) {
        if (save->step > step) {
            ++save;
            continue;
        }
        if (save->step == step && !saved) save->error = saved.error();
        m_toldAway.erase(save->id);
        answers.push_back(std::move(*save));
        save = m_saving.erase(save);
    }
    return answers;
}

} // namespace trainyard::run
