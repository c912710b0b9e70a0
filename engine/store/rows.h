// SPDX-License-Identifier: GPL-3.0-or-later
// Which column holds which member, written once: columns(row, visit) calls visit(column, member, kind) for each.
#pragma once

#include "engine/store/database.h"
#include "engine/store/queue_rows.h"
#include "engine/store/run_events.h"
#include "engine/store/store.h"
#include "engine/store/trial_log.h"
#include "engine/wire/messages_words.h"

#include <concepts>
#include <map>
#include <string>
#include <type_traits>

namespace trainyard::store {

// {"val/loss": 0.25} as JSON and back. A value that is not finite is null and comes back as NaN.
std::string metricsToText(const std::map<std::string, double>& metrics);
std::map<std::string, double> metricsFromText(const std::string& text); // empty when it is no JSON object

template <class R, class T>
concept RowOf = std::same_as<std::remove_const_t<R>, T>;

enum class Column {
    Key,
    Once,  // set at creation
    User,  // set at creation, then only by the user's edits
    State, // what the supervisor updates
};

void columns(RowOf<Error> auto& e, auto&& visit) {
    visit("error", e.message, Column::State);
    visit("error_kind", e.kind, Column::State);
    visit("error_where", e.where, Column::State);
    visit("error_remedy", e.remedy, Column::State);
    visit("error_code", e.code, Column::State);
}

void columns(RowOf<RunRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("name", r.name, Column::User);
    visit("status", r.status, Column::State);
    visit("spec", r.specJson, Column::State); // continuing a run makes it longer
    visit("sweep", r.sweep, Column::Once);
    visit("trial", r.trial, Column::Once);
    visit("params", r.paramsJson, Column::State); // adopting another trial's state changes them
    columns(r.error, visit);
    visit("color_index", r.colorIndex, Column::Once);
    visit("archived", r.archived, Column::User);
    visit("notes", r.notes, Column::User);
    visit("tags", r.tags, Column::User);
    visit("created_ms", r.createdMs, Column::Once);
    visit("started_ms", r.startedMs, Column::State);
    visit("finished_ms", r.finishedMs, Column::State);
    visit("step", r.step, Column::State);
    visit("total_steps", r.totalSteps, Column::State);
    visit("epoch", r.epoch, Column::State);
    visit("world_size", r.worldSize, Column::State);
    visit("restarts", r.restarts, Column::State);
    visit("launch_to_first_step", r.launchToFirstStep, Column::State);
    visit("train_seconds", r.trainSeconds, Column::State);
    visit("samples_per_second", r.samplesPerSecond, Column::State);
    visit("supervisor_pid", r.supervisorPid, Column::State);
    visit("socket_path", r.socketPath, Column::State);
    visit("folder", r.folder, Column::State);
    visit("environment", r.environmentJson, Column::State);
    visit("forked_from", r.forkedFrom, Column::Once);
    visit("forked_step", r.forkedStep, Column::Once);
    visit("color", r.color, Column::User);
}

void columns(RowOf<SweepRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("name", r.name, Column::Once);
    visit("status", r.status, Column::State);
    visit("spec", r.specJson, Column::Once);
    visit("created_ms", r.createdMs, Column::Once);
    visit("finished_ms", r.finishedMs, Column::State);
    visit("supervisor_pid", r.supervisorPid, Column::State);
    visit("trials", r.trials, Column::State);
    visit("best_run", r.bestRun, Column::State);
}

void columns(RowOf<CheckpointRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("path", r.path, Column::Once);
    visit("step", r.step, Column::State);
    visit("epoch", r.epoch, Column::State);
    visit("bytes", r.bytes, Column::State);
    visit("wall_ms", r.wallMs, Column::State);
    visit("metrics", r.metrics, Column::State);
    visit("best", r.best, Column::State);
    visit("last", r.last, Column::State);
    visit("pinned", r.pinned, Column::User);
    visit("superseded", r.superseded, Column::State);
}

void columns(RowOf<wire::WorkerState> auto& r, auto&& visit) {
    visit("rank", r.rank, Column::Key);
    visit("host", r.host, Column::State);
    visit("pid", r.pid, Column::State);
    visit("device", r.device, Column::State);
    visit("status", r.status, Column::State);
    visit("step", r.beat.step, Column::State);
    visit("total_steps", r.beat.totalSteps, Column::State);
    visit("epoch", r.beat.epoch, Column::State);
    visit("total_epochs", r.beat.totalEpochs, Column::State);
    visit("samples_per_second", r.beat.samplesPerSecond, Column::State);
    visit("data_share", r.beat.dataShare, Column::State);
    visit("compute_share", r.beat.computeShare, Column::State);
    visit("comm_share", r.beat.commShare, Column::State);
    visit("resident_bytes", r.beat.residentBytes, Column::State);
    visit("doing", r.beat.doing, Column::State);
}

void columns(RowOf<RunEventRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("kind", r.kind, Column::Once);
    visit("step", r.step, Column::Once);
    visit("seconds", r.seconds, Column::Once);
    visit("before", r.before, Column::Once);
    visit("after", r.after, Column::Once);
    visit("rank", r.rank, Column::Once);
    visit("reason", r.reason, Column::Once);
    visit("wall_ms", r.wallMs, Column::Once);
}

void columns(RowOf<TrialEventRow> auto& r, auto&& visit) {
    visit("number", r.number, Column::Key);
    visit("kind", r.kind, Column::Once);
    visit("trial", r.trial, Column::Once);
    visit("t", r.t, Column::Once);
    visit("loss", r.loss, Column::Once);
    visit("params", r.params, Column::Once);
    visit("memo", r.memo, Column::Once);
    visit("wall_ms", r.wallMs, Column::Once);
    visit("author", r.author, Column::Once);
}

void columns(RowOf<SweepRequestRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("trial", r.trial, Column::Once);
    visit("body", r.body, Column::Once);
    visit("author", r.author, Column::Once);
    visit("wall_ms", r.wallMs, Column::Once);
    visit("answer", r.answer, Column::State);
}

void columns(RowOf<TrialDecisionRow> auto& r, auto&& visit) {
    visit("trial", r.trial, Column::Key);
    visit("decision", r.decision, Column::State);
    visit("rule", r.rule, Column::State);
    visit("rung", r.rung, Column::State);
    visit("loss", r.loss, Column::State);
    visit("cut", r.cut, Column::State);
    visit("place", r.place, Column::State);
    visit("places", r.places, Column::State);
}

void columns(RowOf<QueueRow> auto& r, auto&& visit) {
    visit("id", r.id, Column::Key);
    visit("place", r.place, Column::User);
    visit("state", r.state, Column::State);
    visit("name", r.name, Column::Once);
    visit("spec", r.specJson, Column::Once);
    visit("checkpoint", r.checkpoint, Column::Once);
    visit("forked_from", r.forkedFrom, Column::Once);
    visit("added_ms", r.addedMs, Column::Once);
    visit("run", r.run, Column::State);
    columns(r.error, visit);
}

inline void bindMember(Statement& s, int at, const auto& value) { s.bind(at, value); }
inline void bindMember(Statement& s, int at, ErrorKind value) { s.bind(at, std::string(toString(value))); }
inline void bindMember(Statement& s, int at, ErrorCode value) { s.bind(at, std::string(toString(value))); }
inline void bindMember(Statement& s, int at, const std::map<std::string, double>& value) {
    s.bind(at, metricsToText(value));
}
inline void bindMember(Statement& s, int at, wire::RunStatus value) { s.bind(at, std::string(wire::toString(value))); }
inline void bindMember(Statement& s, int at, TrialDecision value) { s.bind(at, std::string(toString(value))); }
inline void bindMember(Statement& s, int at, QueueState value) { s.bind(at, std::string(toString(value))); }
inline void bindMember(Statement& s, int at, RunEventKind value) { s.bind(at, std::string(toString(value))); }
inline void bindMember(Statement& s, int at, wire::RankStatus value) { s.bind(at, std::string(wire::toString(value))); }

inline void readMember(Statement& s, int at, std::string& out) { out = s.text(at); }
inline void readMember(Statement& s, int at, std::int64_t& out) { out = s.integer(at); }
inline void readMember(Statement& s, int at, int& out) { out = static_cast<int>(s.integer(at)); }
inline void readMember(Statement& s, int at, bool& out) { out = s.integer(at) != 0; }
inline void readMember(Statement& s, int at, double& out) { out = s.number(at); }
inline void readMember(Statement& s, int at, ErrorKind& out) { out = errorKindFromString(s.text(at)); }
inline void readMember(Statement& s, int at, ErrorCode& out) { out = errorCodeFromString(s.text(at)); }
inline void readMember(Statement& s, int at, std::map<std::string, double>& out) { out = metricsFromText(s.text(at)); }
inline void readMember(Statement& s, int at, wire::RunStatus& out) {
    out = wire::runStatusFromString(s.text(at)).valueOr(wire::RunStatus::Unknown);
}
inline void readMember(Statement& s, int at, TrialDecision& out) { out = trialDecisionFromString(s.text(at)); }
inline void readMember(Statement& s, int at, QueueState& out) { out = queueStateFromString(s.text(at)); }
inline void readMember(Statement& s, int at, RunEventKind& out) { out = runEventKindFromString(s.text(at)); }
inline void readMember(Statement& s, int at, wire::RankStatus& out) {
    if (!wire::fromWord(s.text(at), out)) out = wire::RankStatus::Lost;
}

// ('queued', 'running', …): the words of the states in which a supervisor should be alive.
std::string activeWords();

// "id, name, …" of a row type, for SELECT; readRow takes the columns in that order.
template <class Row>
std::string columnList() {
    std::string list;
    Row row;
    columns(row,
            [&](const char* name, const auto&, Column) { list += (list.empty() ? "" : ", ") + std::string(name); });
    return list;
}

// How many columns that are.
template <class Row>
int columnCount() {
    int count = 0;
    const Row row;
    columns(row, [&](const char*, const auto&, Column) { ++count; });
    return count;
}

// "?, ?, …": a placeholder for each.
template <class Row>
std::string placeholders() {
    std::string marks;
    Row row;
    columns(row, [&](const char*, const auto&, Column) { marks += marks.empty() ? "?" : ", ?"; });
    return marks;
}

// "name = ?, …": what of a row changes after its creation, for UPDATE; bindChanges fills it in.
template <class Row>
std::string changeList() {
    std::string list;
    const Row row;
    columns(row, [&](const char* name, const auto&, Column kind) {
        if (kind == Column::State) list += (list.empty() ? "" : ", ") + std::string(name) + " = ?";
    });
    return list;
}

// Binds the parameters after `at`, which becomes the last of them.
template <class Row>
void bindChanges(Statement& s, int& at, const Row& row) {
    columns(row, [&](const char*, const auto& member, Column kind) {
        if (kind == Column::State) bindMember(s, ++at, member);
    });
}

template <class Row>
Row readRow(Statement& s) {
    Row row;
    int at = 0;
    columns(row, [&](const char*, auto& member, Column) { readMember(s, at++, member); });
    return row;
}

} // namespace trainyard::store
