// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asks of a run while it trains: pause, go on, a checkpoint now, another learning rate. The ranks do it;
// the supervisor passes it on, keeps it over restarts, writes it down and answers. For more workers:
// supervisor_resize.cpp. And what becomes of checkpoints, asked for or not, that cannot be saved.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/values/params.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr double kWorthWaiting = 2; // seconds, for a link that is cut for a moment

std::string sentence(const wire::CommandDone& done) {
    const std::string step = std::to_string(done.step);
    if (!done.isDone()) return std::string(wire::toString(done.kind)) + " was not possible: " + done.error.message;
    switch (done.kind) {
    case wire::CommandKind::Pause: return "paused after step " + step;
    case wire::CommandKind::Unpause: return "resumed after step " + step;
    case wire::CommandKind::Checkpoint: return "checkpoint of step " + step + " saved on request";
    case wire::CommandKind::SetLearningRate:
        return "learning rate set to " + spec::toText(spec::Value(done.value)) + " after step " + step;
    case wire::CommandKind::Stacks: return "the stacks of all ranks were printed";
    case wire::CommandKind::Resize:
        return "trains with " + spec::toText(spec::Value(done.value)) + " workers after step " + step;
    }
    return {};
}

} // namespace

void Supervisor::requestCommand(const wire::Command& command) {
    const auto reply = [&](const Result<void>& done) { answer(wire::answerTo(command, m_journal.state().step, done)); };
    if (m_stop || !wire::isActive(m_journal.state().status))
        return reply(inputError("the run is stopping").withCode(ErrorCode::NotRunning));
    if (command.kind == wire::CommandKind::Resize) return requestResize(command);
    const bool isProgram = m_setup.task.spec.program.has_value();
    if (command.kind == wire::CommandKind::Stacks && !isProgram)
        return reply(
            inputError("only a program prints its stacks", {}, "a rank that hangs is named with its activity"));
    auto [verdict, why] = m_commands.ask(command);
    if (verdict == PendingCommands::Verdict::Refuse) return reply(inputError(std::move(why)));
    if (verdict == PendingCommands::Verdict::Done) return reply({});
    // Before the answer the points may have the new rate already.
    if (command.kind == wire::CommandKind::SetLearningRate) m_rateWhenAsked = m_journal.lastLearningRate();
    // Ranks of Trainyard's own pass it on to one another.
    for (auto& link : m_workers)
        if ((link->rank() == 0 || isProgram) && link->started) link->send(command);
}

void Supervisor::repeatCommands(WorkerLink& link, std::int64_t fromStep) {
    for (const auto& command : m_commands.toRepeat(fromStep)) link.send(command);
}

void Supervisor::on(WorkerLink& link, const wire::CommandDone& done) {
    if (link.rank() != 0) return;
    m_commands.finish(done);
    const bool good = done.isDone();
    if (good && (done.kind == wire::CommandKind::Pause || done.kind == wire::CommandKind::Unpause)) notePause(done);
    if (!good || done.kind != wire::CommandKind::Checkpoint) return answer(done);
    answerSaves(m_commands.finishSave(done, m_checkpoints.has(done.step)));
}

// Nobody waits for the link with a request; it reaches rank 0 once that is back.
void Supervisor::tellAway(double now) {
    if (m_workers.empty()) return;
    const auto& first = m_workers.first();
    if (first.awaySince < 0 || now - first.awaySince < kWorthWaiting) return;
    for (const auto& told : m_commands.whileAway(first.placement.host, m_journal.state().step)) m_journal.answer(told);
}

void Supervisor::notePause(const wire::CommandDone& done) {
    const bool paused = m_commands.isPaused();
    for (auto& link : m_workers) // whose time begins anew
        if (link->advancedAt >= 0) link->advancedAt = monotonicSeconds();
    m_journal.state().applyPause(paused, done.step);
    if (!m_stop) m_journal.setStatus(statusOfTraining());
}

void Supervisor::settleSaves(std::int64_t step, const Result<void>& saved) {
    answerSaves(m_commands.settleSaves(step, saved));
}

void Supervisor::answerSaves(const std::vector<wire::CommandDone>& answers) {
    if (answers.empty()) return;
    (void)m_journal.flush(); // the checkpoint is listed before its request is answered
    for (const auto& done : answers) answer(done);
}

// A run that was to save its last state and could not has lost it, however well it trained.
Supervisor::End Supervisor::endAfterSaves(End end) {
    const bool unwanted = end == End::Stopped && m_stop && m_stop.mode() != wire::StopMode::SaveAndStop;
    if (end == End::Failed || unwanted) return end;
    const auto saved = m_checkpoints.atTheEnd(end == End::Stopped ? "stopped" : "trained", m_journal.state().step);
    if (!saved) {
        m_recovery.endWith(Cause{FailureCode::NotSaved, 0, {}, m_journal.state().step, {}, saved.error()});
        return End::Failed;
    }
    const auto notice = m_checkpoints.unsavedNotice();
    if (notice.empty()) return end;
    m_journal.state().notice = notice;
    m_journal.log(-1, store::kNoticeLevel, notice);
    return end;
}

void Supervisor::markLearningRate(const wire::CommandDone& done) {
    RunMoment now = m_journal.moment();
    now.step = done.step;
    m_journal.mark(m_journal.events().learningRate(m_rateWhenAsked, done.value, now));
}

void Supervisor::answer(const wire::CommandDone& done) {
    const bool repeated = done.id.empty(); // after a restart: not a new request
    if (done.isDone() && done.kind == wire::CommandKind::SetLearningRate) markLearningRate(done);
    if (!repeated || done.kind == wire::CommandKind::SetLearningRate)
        m_journal.log(-1, done.isDone() ? "info" : "warning", sentence(done));
    if (!repeated) m_journal.answer(done);
}

} // namespace trainyard::run
