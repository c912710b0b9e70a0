// SPDX-License-Identifier: GPL-3.0-or-later
// What a user asks of a run while it trains: pause, go on, a checkpoint now, another learning rate. The ranks do it;
// the supervisor passes it on, keeps it over restarts, writes it down and answers. For more workers:
// supervisor_resize.cpp. And what becomes of checkpoints, asked for or not, that cannot be saved.
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/params.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr std::size_t kMostOpen = 100;

std::string sentence(const wire::CommandDone& done) {
    const std::string step = std::to_string(done.step);
    if (!done.error.empty()) return std::string(wire::toString(done.kind)) + " was not possible: " + done.error;
    switch (done.kind) {
    case wire::CommandKind::Pause: return "paused after step " + step;
    case wire::CommandKind::Unpause: return "goes on after step " + step;
    case wire::CommandKind::Checkpoint: return "checkpoint of step " + step + " saved on request";
    case wire::CommandKind::SetRate:
        return "learning rate set to " + spec::toText(spec::Value(done.value)) + " after step " + step;
    case wire::CommandKind::Resize:
        return "trains with " + spec::toText(spec::Value(done.value)) + " workers after step " + step;
    }
    return {};
}

} // namespace

void Supervisor::requestCommand(const wire::Command& command) {
    const auto refuse = [&](const char* why) { answer({command.id, command.kind, command.value, m_state.step, why}); };
    if (m_stop || !wire::isActive(m_state.status)) return refuse("the run is stopping");
    if (command.kind == wire::CommandKind::Resize) return requestResize(command);
    if (command.kind == wire::CommandKind::SetRate && !(std::isfinite(command.value) && command.value > 0))
        return refuse("the learning rate must be greater than 0");
    if (m_openCommands.size() >= kMostOpen) return refuse("too much was asked for at once");
    if (command.kind == wire::CommandKind::Unpause && !m_paused) {
        const bool asked = std::any_of(m_openCommands.begin(), m_openCommands.end(),
                                       [](const auto& each) { return each.kind == wire::CommandKind::Pause; });
        if (!asked) return refuse("the run is not paused");
    }
    if (command.kind == wire::CommandKind::Pause && m_paused)
        return answer({command.id, command.kind, command.value, m_state.step, {}});
    m_openCommands.push_back(command);
    for (auto& link : m_links)
        if (link->rank() == 0 && link->started) link->send(command);
}

void Supervisor::repeatCommands(WorkerLink& link, std::int64_t fromStep) {
    if (m_rateSet && m_rateSet->step > fromStep)
        link.send(wire::Command{{}, wire::CommandKind::SetRate, m_rateSet->value});
    if (m_paused) link.send(wire::Command{{}, wire::CommandKind::Pause, 0});
    for (const auto& command : m_openCommands) link.send(command);
}

void Supervisor::on(WorkerLink& link, const wire::CommandDone& done) {
    if (link.rank() != 0) return;
    std::erase_if(m_openCommands, [&](const auto& each) { return !done.id.empty() && each.id == done.id; });
    const bool good = done.error.empty();
    if (good && done.kind == wire::CommandKind::SetRate) m_rateSet = done;
    if (good && (done.kind == wire::CommandKind::Pause || done.kind == wire::CommandKind::Unpause)) {
        m_paused = done.kind == wire::CommandKind::Pause;
        m_state.step = std::max(m_state.step, done.step);
        m_state.etaSeconds = -1;
        if (m_paused) m_state.samplesPerSecond = 0;
        m_rate.clear();
        if (!m_stop) setStatus(m_paused ? wire::RunStatus::Paused : wire::RunStatus::Running);
    }
    if (!good || done.kind != wire::CommandKind::Checkpoint) return answer(done);
    m_unsavedDone.push_back(done);
    const auto& rows = m_checkpoints.rows();
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.step == done.step; }))
        settleSaves(done.step, {}); // it was there already
    else if (const auto why = m_unsaved.why(done.step); !why.empty()) settleSaves(done.step, why);
}

// Training goes on: a later one may succeed.
void Supervisor::saveFailed(const WorkerLink& link, std::int64_t step, Error cause) {
    m_state.notice = notSavedText(step, cause);
    logLine(link.rank(), "warning", m_state.notice);
    m_unsaved.failed(step, std::move(cause));
    settleSaves(step, m_state.notice);
    publish();
}

void Supervisor::settleSaves(std::int64_t step, const std::string& error) {
    if (m_unsavedDone.empty()) return;
    (void)m_recorder.flush(); // whoever is answered finds it in the list
    for (auto place = m_unsavedDone.begin(); place != m_unsavedDone.end();) {
        if (place->step > step) {
            ++place;
            continue;
        }
        place->error = place->step == step ? error : "";
        answer(*place);
        place = m_unsavedDone.erase(place);
    }
}

// A run that was to save its last state and could not has lost it, however well it trained.
Supervisor::End Supervisor::judgeSaves(End end) {
    const bool unwanted = end == End::Stopped && m_stop && *m_stop != wire::StopMode::SaveAndStop;
    if (end == End::Failed || unwanted) return end;
    std::optional<std::int64_t> newest;
    for (const auto& row : m_checkpoints.rows()) // a folder that vanished took its files with it
        if (std::error_code ignored; std::filesystem::exists(row.path, ignored)) newest = row.step;
    if (auto error = m_unsaved.atTheEnd(end == End::Stopped ? "stopped" : "trained", m_state.step, newest)) {
        m_firstCause = Cause{0, {}, m_state.step, {}, std::move(*error), false, false};
        return End::Failed;
    }
    const auto notice = m_unsaved.notice();
    if (notice.empty()) return end;
    m_state.notice = notice;
    logLine(-1, store::kNoticeLevel, notice);
    return end;
}

void Supervisor::answer(const wire::CommandDone& done) {
    const bool repeated = done.id.empty(); // after a restart: nobody has asked anew
    if (!repeated || done.kind == wire::CommandKind::SetRate)
        logLine(-1, done.error.empty() ? "info" : "warning", sentence(done));
    if (m_server && !repeated) m_server->broadcast(done);
}

} // namespace trainyard::run
