// SPDX-License-Identifier: GPL-3.0-or-later
// What arrives at a supervisor, and what it tells.
#include "engine/base/clock.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/wire/store_prefix.h"

#include <nlohmann/json.hpp>

#include <sys/signalfd.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kPushSeconds = 0.25; // state pushes for progress
constexpr double kRowSeconds = 1.0;   // the same in the store
constexpr double kRateWindow = 20;    // seconds of steps the rate is measured over

} // namespace

// Serves everybody until something happened or the deadline has passed. The only place that waits.
void Supervisor::pump(double deadline) {
    double now = monotonicSeconds();
    if (m_recorder.flushIfDue(now) && m_server) m_server->broadcast(wire::CheckpointListChanged{});
    if (m_dirty && now - m_lastPush >= kPushSeconds) publish();
    if (now >= m_evaluation.due()) writeEvaluation();

    std::vector<pollfd> entries{{m_setup.signals.get(), POLLIN, 0}};
    if (m_server) m_server->addPollEntries(entries);
    for (const auto& link : m_links) {
        const auto events = static_cast<short>(link->hasUnsent() ? POLLIN | POLLOUT : POLLIN);
        if (!link->channelClosed()) entries.push_back({link->process().frameFd(), events, 0});
        if (!link->logClosed()) entries.push_back({link->process().logFd(), POLLIN, 0});
    }
    double until = std::min({deadline, m_recorder.due(), m_evaluation.due()});
    if (m_dirty) until = std::min(until, m_lastPush + kPushSeconds);
    const double wait = std::clamp(until - monotonicSeconds(), 0.0, 1.0);
    ::poll(entries.data(), entries.size(), static_cast<int>(std::ceil(wait * 1000)));
    takeSignals();
    if (m_server) m_server->handle();
    readWorkers();
}

void Supervisor::readWorkers() {
    const double now = monotonicSeconds();
    for (auto& link : m_links) {
        for (auto& line : link->readLog()) logLine(link->rank(), "info", std::move(line));
        link->flush();
        const auto messages = link->receive(now);
        if (messages) {
            for (const auto& message : *messages) take(*link, message);
        } else if (!link->failureNoted) {
            Error error = messages.error();
            error.kind = ErrorKind::Run;
            error.message = "broke the frame protocol: " + error.message;
            noteCause(*link, {link->rank(), link->name(), link->state.beat.step, error.message, error, true, true});
        }
    }
}

void Supervisor::takeSignals() {
    signalfd_siginfo info{};
    while (::read(m_setup.signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo == SIGCHLD) continue; // it only had to wake the loop
        requestStop(m_stop ? wire::StopMode::StopNow : wire::StopMode::SaveAndStop);
    }
}

void Supervisor::take(WorkerLink& link, const wire::Message& message) {
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (requires { content.key; })
                link.meets = link.meets || content.key.starts_with(wire::storePrefix(m_generation) + "/");
            if constexpr (requires { on(link, content); }) on(link, content);
            else if constexpr (std::is_same_v<Content, wire::StoreSet>) deliver(m_rendezvous.set(content));
            else if constexpr (std::is_same_v<Content, wire::StoreAdd>) deliver(m_rendezvous.add(link.rank(), content));
            else if constexpr (std::is_same_v<Content, wire::StoreGet>) deliver(m_rendezvous.get(link.rank(), content));
            else if constexpr (std::is_same_v<Content, wire::StoreCheck>)
                deliver(m_rendezvous.check(link.rank(), content));
            else if (!link.failureNoted)
                noteCause(link,
                          {link.rank(), link.name(), link.state.beat.step, "sent a message of the wrong kind",
                           runError("broke the frame protocol: sent a message that is not a worker's"), true, true});
        },
        message);
}

void Supervisor::deliver(const std::vector<RendezvousStore::Reply>& replies) {
    for (const auto& reply : replies)
        for (auto& link : m_links)
            if (link->rank() == reply.rank) link->send(reply.message);
}

void Supervisor::on(WorkerLink& link, const wire::Hello& hello) {
    link.greeted = true;
    if (hello.pid > 0) link.state.pid = hello.pid;
    m_libtorch = hello.libtorchVersion;
    m_state.workers[static_cast<std::size_t>(link.rank())] = link.state;
    m_dirty = true;
    if (hello.protocol == wire::kProtocolVersion) return link.started ? void() : sendStart(link);
    noteCause(link, {link.rank(), link.name(), 0, "speaks another protocol",
                     environmentError("the worker speaks protocol " + std::to_string(hello.protocol) +
                                          ", this program " + std::to_string(wire::kProtocolVersion),
                                      {}, "install the same version of Trainyard on all hosts"),
                     true, false});
}

void Supervisor::on(WorkerLink& link, const wire::Ready& ready) {
    link.state.device = ready.device;
    link.rejoins = ready.rejoins;
    link.state.status = "running";
    m_state.workers[static_cast<std::size_t>(link.rank())] = link.state;
    if (!ready.note.empty()) logLine(link.rank(), "warning", ready.note);
    if (link.rank() == 0 && m_state.notice.empty()) m_state.notice = ready.note;
    const bool all =
        std::all_of(m_links.begin(), m_links.end(), [](const auto& each) { return each->state.status == "running"; });
    if (all) m_setup.row.environmentJson = environmentJson();
    m_recorder.workers(m_state.workers);
    publish();
}

void Supervisor::on(WorkerLink& link, const wire::PhaseChange& change) {
    link.phase = change.phase;
    if (change.phase == wire::Phase::Train) {
        link.trained = true;
        noteRegrouped();
    }
    if (link.rank() != 0) return;
    if (m_state.phase < wire::Phase::Train && change.phase > m_state.phase)
        m_state.checklist[wire::toString(m_state.phase)] = change.seconds - m_phaseEntered;
    m_phaseEntered = change.seconds;
    if (change.phase == wire::Phase::Checkpoint) m_recorder.soon(); // durable before the file is
    const bool firstTrain = change.phase == wire::Phase::Train && m_state.phase < wire::Phase::Train;
    m_state.phase = change.phase;
    if (change.phase == wire::Phase::FirstStep && !change.detail.empty()) {
        m_computedBy = change.detail;
        m_setup.row.environmentJson = environmentJson();
    }
    if (!change.detail.empty()) logLine(0, "info", std::string(wire::toString(change.phase)) + ": " + change.detail);
    if (firstTrain) enterTraining();
    publish();
}

void Supervisor::enterTraining() {
    auto& row = m_setup.row;
    const std::int64_t origin = row.startedMs == m_startedWallMs ? row.createdMs : m_startedWallMs;
    if (row.launchToFirstStep < 0) row.launchToFirstStep = static_cast<double>(wallClockMs() - origin) / 1000;
    if (!m_stop) setStatus(m_paused ? wire::RunStatus::Paused : wire::RunStatus::Running);
}

void Supervisor::on(WorkerLink& link, const wire::Metrics& metrics) {
    if (link.rank() != 0) return;
    auto delta = m_series.accept(metrics);
    if (delta.series.empty()) return;
    for (const auto& series : delta.series)
        m_state.trainSeconds = std::max(m_state.trainSeconds, series.points.back().seconds);
    for (const auto& series : delta.series) m_lastPointStep = std::max(m_lastPointStep, series.points.back().step);
    m_state.step = std::max(m_state.step, m_lastPointStep); // sooner than the next heartbeat says it
    m_server->broadcast(delta);
    if (m_board) m_board->add(delta);
    m_recorder.points(std::move(delta.series));
}

void Supervisor::on(WorkerLink& link, const wire::Heartbeat& beat) {
    noteBeat(link, beat, monotonicSeconds());
    link.state.beat = beat;
    m_state.workers[static_cast<std::size_t>(link.rank())] = link.state;
    m_dirty = true;
    if (link.rank() != 0) return;
    if (m_generationFirstStep < 0) m_generationFirstStep = beat.step;
    m_state.step = std::max(beat.step, m_state.step);
    m_state.epoch = beat.epoch;
    m_state.totalSteps = beat.totalSteps;
    if (beat.totalEpochs > 0) m_state.totalEpochs = beat.totalEpochs;
    double rate = 0;
    for (const auto& each : m_links) rate += each->state.beat.samplesPerSecond;
    m_state.samplesPerSecond = rate;
    if (rate > 0) m_setup.row.samplesPerSecond = rate;
    updateRate(monotonicSeconds());
}

// The time left, from the steps of the last seconds: so it includes validation, saving and waiting.
void Supervisor::updateRate(double now) {
    if (m_paused) m_rate.clear();
    m_rate.emplace_back(now, m_state.step);
    while (m_rate.size() > 2 && now - m_rate.front().first > kRateWindow) m_rate.pop_front();
    const double seconds = now - m_rate.front().first;
    const auto steps = static_cast<double>(m_state.step - m_rate.front().second);
    const auto left = static_cast<double>(m_state.totalSteps - m_state.step);
    m_state.etaSeconds = seconds > 0.3 && steps > 0 ? std::max(0.0, left) * seconds / steps : -1;
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSaved& saved) {
    if (link.rank() != 0) return;
    std::filesystem::path path = saved.path;
    const auto& host = link.place().host;
    if (!host.empty()) {
        path = m_setup.folder.checkpoints() / path.filename();
        const auto fetched = m_setup.launcherFor(host).fetch(host, saved.path, path);
        for (auto& each : m_links) each->lastSign = monotonicSeconds(); // nobody was listening meanwhile
        if (!fetched) {
            m_state.notice = "the checkpoint of step " + std::to_string(saved.step) +
                             " could not be brought here: " + fetched.error().text();
            logLine(0, "error", m_state.notice);
            return publish();
        }
    }
    m_checkpoints.add(saved, path, wallClockMs());
    auto voidFiles = m_checkpoints.prune();
    m_recorder.checkpoints(m_checkpoints.rows(), std::move(voidFiles));
    m_recorder.soon();
    settleSaves(saved.step, {});
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSkipped& skipped) {
    m_state.notice = "the checkpoint of step " + std::to_string(skipped.step) + " was not saved: " + skipped.message +
                     (skipped.remedy.empty() ? "" : " (" + skipped.remedy + ")");
    logLine(link.rank(), "warning", m_state.notice);
    settleSaves(skipped.step, m_state.notice);
    publish();
}

void Supervisor::on(WorkerLink& link, const wire::Evaluation& evaluation) {
    if (link.rank() == 0) m_evaluation.validated(evaluation);
}

void Supervisor::on(WorkerLink& link, const wire::Tested& tested) {
    if (link.rank() == 0) m_evaluation.tested(tested);
}

// A disk that is full costs the file, not the run.
void Supervisor::writeEvaluation() {
    if (const auto written = m_evaluation.write(); !written)
        logLine(0, "warning", "the evaluation could not be written: " + written.error().text());
}

void Supervisor::on(WorkerLink& link, const wire::Notice& notice) {
    m_state.notice = notice.message;
    logLine(link.rank(), "warning", notice.message);
    publish();
}

void Supervisor::on(WorkerLink& link, const wire::RolledBack& rolledBack) {
    if (link.rank() != 0) return;
    rewindTo(rolledBack.toStep);
    on(link, wire::Notice{rolledBack.toStep, rolledBack.message});
}

void Supervisor::on(WorkerLink& link, const wire::Failed& failed) {
    if (link.failureNoted) return;
    Error error{errorKindFromString(failed.kind), failed.message, failed.where, failed.remedy, failed.code};
    link.state.beat.step = std::max(link.state.beat.step, failed.step);
    // From the same checkpoint the same steps come to the same loss.
    const bool retry = error.kind != ErrorKind::Input && error.code != ErrorCode::LossNotFinite;
    const std::string what = "failed: " + failed.message;
    noteCause(link, {link.rank(), link.name(), failed.step, what, std::move(error), false, retry});
}

void Supervisor::on(WorkerLink& link, const wire::PeerLost& lost) {
    if (lost.generation != m_generation || link.lostPeerAt >= 0) return; // of a group that is being replaced already
    link.lostPeerAt = monotonicSeconds();
    link.state.beat.step = std::max(link.state.beat.step, lost.step);
    logLine(link.rank(), "warning", "has lost a peer: " + lost.message);
}

void Supervisor::on(WorkerLink& link, const wire::Finished& finished) {
    link.finished = finished;
    link.state.status = "finished";
    m_state.workers[static_cast<std::size_t>(link.rank())] = link.state;
    m_state.trainSeconds = std::max(m_state.trainSeconds, finished.trainSeconds);
    if (link.rank() == 0) {
        m_state.step = finished.step;
        m_state.epoch = finished.epoch;
    }
    m_dirty = true;
}

// Kept unchanged but for the place: rank, host and step come first, then what the worker itself named.
void Supervisor::noteCause(WorkerLink& link, Cause cause) {
    link.failureNoted = true;
    if (!m_watching) return;
    link.state.status = cause.processDied ? "lost" : "failed";
    m_state.workers[static_cast<std::size_t>(link.rank())] = link.state;
    std::string where = cause.name + ", step " + std::to_string(cause.step);
    const bool saidAlready = cause.error.where.starts_with("rank " + std::to_string(link.rank()));
    if (!cause.error.where.empty() && !saidAlready) where += ", " + cause.error.where;
    cause.error.where = where;
    logLine(link.rank(), "error", cause.error.text());
    m_state.step = std::max(m_state.step, cause.step);
    m_causes.push_back(std::move(cause));
    m_dirty = true;
}

void Supervisor::logLine(int rank, const char* level, std::string text) {
    wire::LogLine line{rank, level, std::move(text), wallClockMs()};
    if (m_server) m_server->broadcast(line);
    m_recorder.log(std::move(line));
}

void Supervisor::requestStop(wire::StopMode mode) {
    if (m_stop && *m_stop >= mode) return;
    m_stop = mode;
    setStatus(wire::RunStatus::Stopping);
}

void Supervisor::setStatus(wire::RunStatus status) {
    m_state.status = status;
    syncRow();
    publish();
}

void Supervisor::publish() {
    m_dirty = false;
    m_lastPush = monotonicSeconds();
    if (m_server) m_server->broadcast(m_state);
    if (m_lastPush - m_lastRow < kRowSeconds) return;
    m_lastRow = m_lastPush;
    syncRow();
    m_recorder.workers(m_state.workers);
}

void Supervisor::syncRow() {
    auto& row = m_setup.row;
    row.status = m_state.status;
    row.step = m_state.step;
    row.totalSteps = m_state.totalSteps;
    row.epoch = m_state.epoch;
    row.restarts = m_state.restarts;
    row.trainSeconds = m_state.trainSeconds;
    row.error = m_state.errorMessage;
    row.errorKind = m_state.errorKind;
    row.errorWhere = m_state.errorWhere;
    row.errorRemedy = m_state.errorRemedy;
    row.errorCode = m_state.errorCode;
    m_recorder.row(row);
}

// What a new watcher needs beyond the store: the state, what was voided, the points not yet written, and for every
// series the index up to which the store can be read.
std::vector<wire::Message> Supervisor::greeting() const {
    std::vector<wire::Message> messages{m_state};
    if (m_lowestRewind) messages.emplace_back(wire::Rewound{*m_lowestRewind});
    wire::MetricsDelta delta{m_recorder.unwritten()};
    for (const auto& [series, value] : m_series.lastValues()) {
        const bool has = std::any_of(delta.series.begin(), delta.series.end(),
                                     [&wanted = series](const auto& each) { return each.series == wanted; });
        if (!has) delta.series.push_back({series, m_series.count(series), {}});
    }
    if (!delta.series.empty()) messages.emplace_back(std::move(delta));
    return messages;
}

// What is needed to repeat the run, besides its run file.
std::string Supervisor::environmentJson() const {
    utsname system{};
    ::uname(&system);
    nlohmann::ordered_json json{{"trainyard", TRAINYARD_VERSION},
                                {"libtorch", m_libtorch},
                                {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
                                {"computer", system.nodename},
                                {"computed", m_computedBy}}; // averaging, layout, precision, kernels
    for (const auto& worker : m_state.workers)
        json["workers"].push_back({{"rank", worker.rank}, {"host", worker.host}, {"device", worker.device}});
    for (const auto& [host, entry] : m_hosts)
        if (entry.ranks > 0)
            json["hosts"].push_back({{"host", host}, {"cores", entry.place.cores}, {"ranks", entry.ranks}});
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace trainyard::run
