// SPDX-License-Identifier: GPL-3.0-or-later
// What arrives at a supervisor, and what it tells.
#include "engine/base/amounts.h"
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

constexpr std::int64_t kBriefMs = 1000; // of a trial: its files wait for no disk
constexpr double kAliveSeconds = 1;     // between two Alive

} // namespace

// Serves workers and watchers until something happens or the deadline passes. The only place that waits.
void Supervisor::pump(double deadline) {
    double now = monotonicSeconds();
    if (m_recorder.flushIfDue(now) && m_server) m_server->broadcast(wire::CheckpointListChanged{});
    if (!m_recorder.hasUnwrittenPoints()) m_alive.storedStep = m_state.newestPoint();
    if (now >= m_alive.due) sayAlive(now);
    if (now >= m_state.due()) publish();
    if (now >= m_evaluation.due()) writeEvaluation();
    if (now >= m_system.due()) recordSystem(now);

    std::vector<pollfd> entries{{m_setup.signals.get(), POLLIN, 0}};
    m_calls.addPollEntries(entries);
    if (m_server) m_server->addPollEntries(entries);
    for (const auto& link : m_links) {
        const auto events = static_cast<short>(link->hasUnsent() ? POLLIN | POLLOUT : POLLIN);
        if (!link->closed) entries.push_back({link->process().frameFd(), events, 0});
        if (!link->logClosed()) entries.push_back({link->process().logFd(), POLLIN, 0});
    }
    const double until =
        std::min({deadline, m_recorder.due(), m_evaluation.due(), m_state.due(), m_system.due(), m_alive.due});
    const double wait = std::clamp(until - monotonicSeconds(), 0.0, 1.0);
    ::poll(entries.data(), entries.size(), static_cast<int>(std::ceil(wait * 1000)));
    handleSignals();
    m_calls.deliver();
    if (m_server) m_server->handle();
    readWorkers();
}

void Supervisor::sayAlive(double now) {
    m_alive.due = now + std::min(kAliveSeconds, m_setup.spec.failure.linkSeconds / 4);
    for (auto& link : m_links)
        if (link->started) link->send(wire::Alive{m_alive.storedStep});
}

void Supervisor::readWorkers() {
    const double now = monotonicSeconds();
    for (auto& link : m_links) {
        for (auto& line : link->readLog()) logLine(link->rank(), "info", std::move(line));
        link->flush();
        const auto messages = link->receive(now);
        if (messages) {
            for (const auto& message : *messages) handle(*link, message);
        } else if (!link->failureNoted) {
            Error error = messages.error();
            error.kind = ErrorKind::Run;
            error.message = "broke the frame protocol: " + error.message;
            recordFailure(frameCause(*link, error.message, error));
        }
    }
}

void Supervisor::handleSignals() {
    signalfd_siginfo info{};
    while (::read(m_setup.signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo == SIGCHLD) continue; // it only had to wake the loop
        requestStop(m_stop ? wire::StopMode::StopNow : wire::StopMode::SaveAndStop);
    }
}

void Supervisor::handle(WorkerLink& link, const wire::Message& message) {
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (requires { content.key; })
                link.atRendezvous = link.atRendezvous || content.key.starts_with(wire::storePrefix(m_generation) + "/");
            if constexpr (requires { on(link, content); }) on(link, content);
            else if constexpr (std::is_same_v<Content, wire::StoreSet>) deliver(m_rendezvous.set(content));
            else if constexpr (std::is_same_v<Content, wire::StoreAdd>) deliver(m_rendezvous.add(link.rank(), content));
            else if constexpr (std::is_same_v<Content, wire::StoreGet>) deliver(m_rendezvous.get(link.rank(), content));
            else if constexpr (std::is_same_v<Content, wire::StoreCheck>)
                deliver(m_rendezvous.check(link.rank(), content));
            else if (!link.failureNoted)
                recordFailure(frameCause(link, "sent a message of the wrong kind",
                                         runError("broke the frame protocol: sent a message that is not a worker's")));
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
    m_state.setWorker(link.state);
    if (hello.protocol != wire::kProtocolVersion) return recordFailure(protocolCause(link, hello.protocol));
    if (m_workerVersion.empty()) m_workerVersion = hello.version;
    if (hello.version != m_workerVersion) return recordFailure(versionCause(link, hello.version, m_workerVersion));
    if (!link.started) sendStart(link);
}

void Supervisor::on(WorkerLink& link, const wire::Ready& ready) {
    link.state.device = link.placement.host.empty() ? nameHere(ready.device, m_setup.terms.devices) : ready.device;
    link.rejoins = ready.rejoins;
    link.threads = ready.threads;
    link.state.status = wire::RankStatus::Running;
    m_state.setWorker(link.state);
    if (!ready.note.empty()) logLine(link.rank(), "warning", ready.note);
    if (link.rank() == 0 && m_state.notice.empty()) m_state.notice = ready.note;
    const bool all = std::all_of(m_links.begin(), m_links.end(),
                                 [](const auto& each) { return each->state.status == wire::RankStatus::Running; });
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
    const bool begins = m_state.applyPhase(change);
    if (change.phase == wire::Phase::Checkpoint) m_recorder.soon(); // durable before the file is
    if (change.phase == wire::Phase::FirstStep && !change.detail.empty()) {
        m_computedBy = change.detail;
        m_setup.row.environmentJson = environmentJson();
    }
    if (!change.detail.empty()) logLine(0, "info", std::string(wire::toString(change.phase)) + ": " + change.detail);
    if (begins) enterTraining();
    publish();
}

void Supervisor::enterTraining() {
    auto& row = m_setup.row;
    mark(m_events.training(static_cast<int>(m_links.size()), wallClockMs()));
    const std::int64_t origin = row.startedMs == m_startedWallMs ? row.createdMs : m_startedWallMs;
    if (row.launchToFirstStep < 0) row.launchToFirstStep = static_cast<double>(wallClockMs() - origin) / 1000;
    if (!m_stop) setStatus(m_commands.isPaused() ? wire::RunStatus::Paused : wire::RunStatus::Running);
}

void Supervisor::on(WorkerLink& link, const wire::Metrics& metrics) {
    if (link.rank() != 0) return;
    auto delta = m_series.accept(metrics);
    if (delta.series.empty()) return;
    m_state.applyPoints(delta.series);
    m_system.trained(m_state.trainSeconds, monotonicSeconds());
    m_server->broadcast(delta);
    if (m_board) m_board->add(delta);
    m_recorder.points(std::move(delta.series));
}

void Supervisor::on(WorkerLink& link, const wire::Heartbeat& beat) {
    FailureDetector::noteBeat(link, beat, monotonicSeconds());
    link.state.beat = beat;
    m_state.setWorker(link.state);
    if (link.rank() != 0) return;
    m_recovery.noteStep(beat.step);
    double samples = 0;
    for (const auto& each : m_links) samples += each->state.beat.samplesPerSecond;
    if (samples > 0) m_setup.row.samplesPerSecond = samples;
    m_state.applyBeat(beat, samples, m_commands.isPaused(), monotonicSeconds());
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSaved& saved) {
    if (link.rank() != 0) return;
    if (link.placement.host.empty()) recordCheckpoint(saved, saved.path);
    else fetchCheckpoint(link.placement.host, saved);
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSkipped& skipped) {
    saveFailed(skipped.step,
               {errorKindFromString(skipped.kind), skipped.message, link.name(), skipped.remedy, skipped.code});
}

void Supervisor::on(WorkerLink& link, const wire::Evaluation& evaluation) {
    if (link.rank() == 0) m_evaluation.validated(evaluation);
}

void Supervisor::on(WorkerLink& link, const wire::Tested& tested) {
    if (link.rank() == 0) m_evaluation.tested(tested);
}

// What took less than a wait for the disk costs can be trained again as soon.
Outlives Supervisor::filesOutlive() const {
    const bool brief = m_setup.store && wallClockMs() - m_startedWallMs < kBriefMs;
    return brief ? Outlives::Process : Outlives::PowerLoss;
}

// A disk that is full costs the file, not the run.
void Supervisor::writeEvaluation() {
    if (const auto written = m_evaluation.write(filesOutlive()); !written)
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
    RunMoment back = moment();
    back.seconds = m_series.secondsAt(rolledBack.toStep);
    mark({m_events.rolledBack(rolledBack.message, back)});
    on(link, wire::Notice{rolledBack.toStep, rolledBack.message});
}

void Supervisor::on(WorkerLink& link, const wire::Failed& failed) {
    if (link.failureNoted) return;
    link.state.beat.step = std::max(link.state.beat.step, failed.step);
    recordFailure(reportedCause(link, failed));
}

void Supervisor::on(WorkerLink& link, const wire::PeerLost& lost) {
    if (lost.generation != m_generation || link.lostPeerAt >= 0) return; // of a group that is being replaced already
    link.lostPeerAt = monotonicSeconds();
    link.state.beat.step = std::max(link.state.beat.step, lost.step);
    logLine(link.rank(), "warning", "has lost a peer: " + lost.message);
}

void Supervisor::on(WorkerLink& link, const wire::Finished& finished) {
    link.finished = finished;
    link.state.status = wire::RankStatus::Finished;
    m_state.setWorker(link.state);
    m_state.trainSeconds = std::max(m_state.trainSeconds, finished.trainSeconds);
    if (link.rank() == 0) {
        m_state.step = finished.step;
        m_state.epoch = finished.epoch;
    }
    m_state.change();
}

void Supervisor::on(WorkerLink& link, const wire::Free& free) {
    link.free = link.finished.has_value();
    link.state.beat.residentBytes = free.residentBytes;
}

RunMoment Supervisor::moment() const { return {m_state.step, m_state.trainSeconds, wallClockMs()}; }

void Supervisor::mark(const std::vector<store::RunEventRow>& events) {
    for (const auto& event : events) m_recorder.event(event);
}

void Supervisor::markWorkers(std::string reason) {
    if (const auto changed = m_events.workers(static_cast<int>(m_links.size()), std::move(reason), moment()))
        mark({*changed});
}

// A failed rank is reported once, whatever its channel still holds.
void Supervisor::recordFailure(Cause cause) {
    WorkerLink* blamed = blamesRank(cause.code) ? m_links[static_cast<std::size_t>(cause.rank)].get() : nullptr;
    if (blamed) blamed->failureNoted = true;
    if (!m_failures.watching()) return;
    if (blamed) {
        blamed->state.status = endsProcess(cause.code) ? wire::RankStatus::Lost : wire::RankStatus::Failed;
        m_state.setWorker(blamed->state);
    }
    const auto& noted = m_failures.add(located(std::move(cause)));
    logLine(noted.rank, "error", noted.error.text());
    m_state.step = std::max(m_state.step, noted.step);
    m_state.change();
}

void Supervisor::logLine(int rank, const char* level, std::string text) {
    wire::LogLine line{rank, level, std::move(text), wallClockMs()};
    if (m_server) m_server->broadcast(line);
    m_recorder.log(std::move(line));
}

void Supervisor::requestStop(wire::StopMode mode) {
    if (!m_stop.request(mode)) return;
    logLine(-1, "info", std::string("asked to stop: ") + wire::toString(mode));
    setStatus(wire::RunStatus::Stopping);
}

void Supervisor::setStatus(wire::RunStatus status) {
    m_state.status = status;
    syncRow();
    publish();
}

void Supervisor::publish() {
    const bool intoStore = m_state.send(monotonicSeconds());
    if (m_server) m_server->broadcast(m_state);
    if (!intoStore) return;
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
    for (const auto& link : m_links)
        json["workers"].push_back({{"rank", link->rank()},
                                   {"host", link->state.host},
                                   {"device", link->state.device},
                                   {"threads", link->threads}});
    for (const auto& [host, entry] : m_hosts)
        if (entry.ranks > 0)
            json["hosts"].push_back({{"host", host}, {"cores", entry.info.cores}, {"ranks", entry.ranks}});
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace trainyard::run
