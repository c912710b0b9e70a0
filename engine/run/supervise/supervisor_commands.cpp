// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asks of a run while it trains: pause, go on, a checkpoint now, another learning rate. The ranks do it;
// the supervisor passes it on, keeps it over restarts, writes it down and answers. For more workers:
// supervisor_resize.cpp. And what becomes of checkpoints, asked for or not, that cannot be saved.
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/params.h"
#include "engine/store/run_query.h"

#include <algorithm>

namespace trainyard::run {
namespace {

std::string sentence(const wire::CommandDone& done) {
    const std::string step = std::to_string(done.step);
    if (!done.error.empty()) return std::string(wire::toString(done.kind)) + " was not possible: " + done.error;
    switch (done.kind) {
    case wire::CommandKind::Pause: return "paused after step " + step;
    case wire::CommandKind::Unpause: return "resumed after step " + step;
    case wire::CommandKind::Checkpoint: return "checkpoint of step " + step + " saved on request";
    case wire::CommandKind::SetLearningRate:
        return "learning rate set to " + spec::toText(spec::Value(done.value)) + " after step " + step;
    case wire::CommandKind::Resize:
        return "trains with " + spec::toText(spec::Value(done.value)) + " workers after step " + step;
    }
    return {};
}

} // namespace

void Supervisor::requestCommand(const wire::Command& command) {
    const auto reply = [&](const Result<void>& done) { answer(wire::answerTo(command, m_state.step, done)); };
    if (m_stop || !wire::isActive(m_state.status))
        return reply(inputError("the run is stopping").withCode(ErrorCode::NotRunning));
    if (command.kind == wire::CommandKind::Resize) return requestResize(command);
    auto [verdict, why] = m_commands.ask(command);
    if (verdict == PendingCommands::Verdict::Refuse) return reply(inputError(std::move(why)));
    if (verdict == PendingCommands::Verdict::Done) return reply({});
    // Before the answer the points may have the new rate already.
    if (command.kind == wire::CommandKind::SetLearningRate) m_rateWhenAsked = lastLearningRate();
    for (auto& link : m_links)
        if (link->rank() == 0 && link->started) link->send(command);
}

void Supervisor::repeatCommands(WorkerLink& link, std::int64_t fromStep) {
    for (const auto& command : m_commands.toRepeat(fromStep)) link.send(command);
}

void Supervisor::on(WorkerLink& link, const wire::CommandDone& done) {
    if (link.rank() != 0) return;
    m_commands.finish(done);
    const bool good = done.error.empty();
    if (good && (done.kind == wire::CommandKind::Pause || done.kind == wire::CommandKind::Unpause)) notePause(done);
    if (!good || done.kind != wire::CommandKind::Checkpoint) return answer(done);
    const auto& rows = m_checkpoints.rows();
    const bool recorded = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.step == done.step; });
    answerSaves(m_commands.finishSave(done, recorded));
}

void Supervisor::notePause(const wire::CommandDone& done) {
    const bool paused = m_commands.isPaused();
    m_state.applyPause(paused, done.step);
    if (!m_stop) setStatus(paused ? wire::RunStatus::Paused : wire::RunStatus::Running);
}

// Training continues: a later save may succeed.
void Supervisor::saveFailed(std::int64_t step, Error cause) {
    m_state.notice = notSavedText(step, cause);
    logLine(0, "warning", m_state.notice);
    const Error error{cause.kind, m_state.notice, {}, {}, ErrorCode::CheckpointNotSaved};
    m_unsaved.failed(step, std::move(cause));
    settleSaves(step, error);
    publish();
}

void Supervisor::settleSaves(std::int64_t step, const Result<void>& saved) {
    answerSaves(m_commands.settleSaves(step, saved));
}

void Supervisor::answerSaves(const std::vector<wire::CommandDone>& answers) {
    if (answers.empty()) return;
    (void)m_recorder.flush(); // the checkpoint is listed before its request is answered
    for (const auto& done : answers) answer(done);
}

// A run that was to save its last state and could not has lost it, however well it trained.
Supervisor::End Supervisor::endAfterSaves(End end) {
    const bool unwanted = end == End::Stopped && m_stop && m_stop.mode() != wire::StopMode::SaveAndStop;
    if (end == End::Failed || unwanted) return end;
    std::optional<std::int64_t> newest;
    for (const auto& row : m_checkpoints.rows()) // a folder that vanished took its files with it
        if (std::error_code ignored; std::filesystem::exists(row.path, ignored)) newest = row.step;
    if (auto error = m_unsaved.atTheEnd(end == End::Stopped ? "stopped" : "trained", m_state.step, newest)) {
        m_recovery.endWith(Cause{FailureCode::NotSaved, 0, {}, m_state.step, {}, std::move(*error)});
        return End::Failed;
    }
    const auto notice = m_unsaved.notice();
    if (notice.empty()) return end;
    m_state.notice = notice;
    logLine(-1, store::kNoticeLevel, notice);
    return end;
}

double Supervisor::lastLearningRate() const {
    const auto values = m_series.lastValues();
    const auto rate = values.find("lr");
    return rate == values.end() ? store::RunEventRow::kNone : rate->second;
}

void Supervisor::markLearningRate(const wire::CommandDone& done) {
    RunMoment now = moment();
    now.step = done.step;
    mark({m_events.learningRate(m_rateWhenAsked, done.value, now)});
}

void Supervisor::answer(const wire::CommandDone& done) {
    const bool repeated = done.id.empty(); // after a restart: not a new request
    if (done.error.empty() && done.kind == wire::CommandKind::SetLearningRate) markLearningRate(done);
    if (!repeated || done.kind == wire::CommandKind::SetLearningRate)
        logLine(-1, done.error.empty() ? "info" : "warning", sentence(done));
    if (m_server && !repeated) m_server->broadcast(done);
}

} // namespace trainyard::run
