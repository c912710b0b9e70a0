// SPDX-License-Identifier: GPL-3.0-or-later
// What arrives at a supervisor, and what it tells.
#include "engine/base/clock.h"
#include "engine/base/machine/resident_memory.h"
#include "engine/base/text/amounts.h"
#include "engine/run/record/kernel_choices.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/wire/messages.h"

#include <sys/signalfd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr double kAliveSeconds = 1;       // between two Alive
constexpr double kStillAliveSeconds = 10; // the same to a program's ranks, where nothing more is stored
constexpr double kLongestWait = 5;        // of the loop
constexpr double kCopyLookSeconds = 0.25; // the same while a checkpoint is copied

// When a checkpoint of this computer was written last; nothing for those of other hosts.
std::optional<std::int64_t> changedHere(const HostName& host, const std::string& path) {
    struct stat info{};
    if (!host.empty() || ::stat(path.c_str(), &info) != 0) return std::nullopt;
    return std::int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
}

// Whether a rank that says this trains, or has.
bool isOfTraining(const auto&) { return false; }
bool isOfTraining(const wire::PhaseChange& change) { return change.phase >= wire::Phase::Train; }
bool isOfTraining(const wire::Metrics&) { return true; }
bool isOfTraining(const wire::Evaluation&) { return true; }
bool isOfTraining(const wire::Tested&) { return true; }
bool isOfTraining(const wire::CheckpointSaved&) { return true; }
bool isOfTraining(const wire::RolledBack&) { return true; }
bool isOfTraining(const wire::Finished&) { return true; }

const char* askedTo(wire::StopMode mode) {
    switch (mode) {
    case wire::StopMode::SaveAndStop: break;
    case wire::StopMode::StopNow: return "asked to stop at once";
    case wire::StopMode::Kill: return "asked to kill the ranks";
    case wire::StopMode::AtCheckpoint: return "asked to stop at the next checkpoint";
    }
    return "asked to save and stop";
}

} // namespace

// Serves workers and watchers until something happens or the deadline passes. The only place that waits.
void Supervisor::pump(double deadline) {
    double now = monotonicSeconds();
    m_journal.serve(now);
    m_checkpoints.serve(now);
    if (now >= m_alive.due) sayAlive(now);

    std::vector<pollfd> entries{{m_setup.signals.get(), POLLIN, 0}};
    m_calls.addPollEntries(entries);
    m_journal.addPollEntries(entries);
    for (const auto& link : m_workers) {
        const auto events = static_cast<short>(link->hasUnsent() ? POLLIN | POLLOUT : POLLIN);
        if (!link->closed) entries.push_back({link->process().frameFd(), events, 0});
        if (!link->logClosed()) entries.push_back({link->process().logFd(), POLLIN, 0});
    }
    const double until = std::min({deadline, m_journal.due(), m_alive.due});
    const double longest = m_checkpoints.isCopying() ? kCopyLookSeconds : kLongestWait;
    const double wait = std::clamp(until - monotonicSeconds(), 0.0, longest);
    ::poll(entries.data(), entries.size(), static_cast<int>(std::ceil(wait * 1000)));
    handleSignals();
    m_calls.deliver();
    m_hosts.tellSaid();
    m_journal.handleWatchers();
    readWorkers();
}

void Supervisor::sayAlive(double now) {
    const auto& spec = m_setup.task.spec;
    const bool isStill = spec.program && std::exchange(m_alive.told, m_journal.storedStep()) == m_journal.storedStep();
    m_alive.due = now + std::min(isStill ? kStillAliveSeconds : kAliveSeconds, spec.failure.linkSeconds / 4);
    for (auto& link : m_workers)
        if (link->started) link->send(wire::Alive{m_journal.storedStep()});
}

void Supervisor::readWorkers() {
    const double now = monotonicSeconds();
    for (auto& link : m_workers) {
        for (auto& line : link->readLog()) m_journal.log(link->rank(), "info", std::move(line));
        link->flush();
        const auto since = link->process().awaySince();
        if (link->awaySince >= 0 && !since && !link->exit) link->exit = link->process().exitStatus();
        link->noteLink(since, now, since ? link->process().awayError() : std::nullopt);
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
            if (isOfTraining(content)) voidRepeated();
            if constexpr (requires { content.key; })
                link.atRendezvous =
                    link.atRendezvous || content.key.starts_with(wire::storePrefix(m_workers.generation()) + "/");
            if constexpr (requires { on(link, content); }) on(link, content);
            else if constexpr (requires { m_workers.serve(link, content); }) m_workers.serve(link, content);
            else if (!link.failureNoted)
                recordFailure(frameCause(link, "sent a message of the wrong kind",
                                         runError("broke the frame protocol: sent a message that is not a worker's")));
        },
        message);
}

void Supervisor::on(WorkerLink& link, const wire::Hello& hello) {
    link.greeted = true;
    if (hello.pid > 0) link.state.pid = hello.pid;
    m_environment.libtorch = hello.libtorchVersion;
    m_journal.state().setWorker(link.state);
    if (hello.protocol != wire::kProtocolVersion) return recordFailure(protocolCause(link, hello.protocol));
    if (const auto& version = m_workers.commonVersion(hello.version); hello.version != version)
        return recordFailure(versionCause(link, hello.version, version));
    if (!link.started) sendStart(link);
}

void Supervisor::on(WorkerLink& link, const wire::Ready& ready) {
    link.state.device = nameHere(ready.device, devicesOn(link.placement.host));
    link.rejoins = ready.rejoins;
    link.threads = ready.threads;
    link.state.status = wire::RankStatus::Running;
    m_journal.state().setWorker(link.state);
    if (!ready.note.empty()) m_journal.log(link.rank(), "warning", ready.note);
    if (link.rank() == 0 && m_journal.state().notice.empty()) m_journal.state().notice = ready.note;
    const bool all = std::all_of(m_workers.begin(), m_workers.end(),
                                 [](const auto& each) { return each->state.status == wire::RankStatus::Running; });
    if (all) noteEnvironment();
    m_journal.storeWorkers();
    m_journal.publish();
}

void Supervisor::on(WorkerLink& link, const wire::PhaseChange& change) {
    link.phase = change.phase;
    if (change.phase == wire::Phase::Train) {
        link.trained = true;
        noteRegrouped();
    }
    if (link.rank() != 0) return;
    const bool starting = m_journal.state().phase < wire::Phase::Train;
    const bool begins = m_journal.state().applyPhase(change);
    if (change.phase == wire::Phase::Checkpoint) m_journal.soon(); // durable before the file is
    if (change.phase == wire::Phase::FirstStep && !change.detail.empty()) {
        m_environment.computed = change.detail;
        noteEnvironment();
    }
    if (!change.detail.empty())
        m_journal.log(0, "info", std::string(wire::toString(change.phase)) + ": " + change.detail);
    if (begins) enterTraining();
    if (starting || change.phase == wire::Phase::Done) m_journal.publish();
    else m_journal.state().change(); // short epochs have hundreds of phases a second
}

void Supervisor::enterTraining() {
    m_journal.trains(m_workers.count());
    if (m_setup.task.spec.program && !m_journal.sharesStore()) letGoOfCode(); // it waits from now on
    if (!m_stop) m_journal.setStatus(statusOfTraining());
}

wire::RunStatus Supervisor::statusOfTraining() const {
    if (m_stop.awaitsCheckpoint()) return wire::RunStatus::Stopping;
    return m_commands.isPaused() ? wire::RunStatus::Paused : wire::RunStatus::Running;
}

void Supervisor::on(WorkerLink& link, const wire::Metrics& metrics) { m_journal.points(link.rank(), metrics); }

void Supervisor::on(WorkerLink& link, const wire::SystemSample& sample) {
    const bool trains = link.phase >= wire::Phase::Train && link.phase < wire::Phase::Done;
    if (trains) m_journal.sampled(link.rank(), link.placement.host, sample);
}

void Supervisor::on(WorkerLink& link, const wire::Heartbeat& beat) {
    FailureDetector::noteBeat(link, beat, monotonicSeconds());
    link.state.beat = beat;
    m_journal.state().setWorker(link.state);
    if (link.rank() != 0) return;
    m_recovery.noteStep(beat.step);
    const double samples = m_workers.samplesPerSecond();
    if (samples > 0) m_journal.row().samplesPerSecond = samples;
    m_journal.state().applyBeat(beat, samples, m_commands.isPaused(), monotonicSeconds());
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSaved& saved) {
    if (link.rank() != 0) return;
    m_checkpoints.saved(link.placement.host, saved);
    if (m_stop.isAwaited(saved.step, changedHere(link.placement.host, saved.path), wallClockMs()))
        requestStop(wire::StopMode::SaveAndStop);
}

void Supervisor::on(WorkerLink& link, const wire::CheckpointSkipped& skipped) {
    Error error = skipped.error;
    error.where = link.name();
    m_checkpoints.notSaved(skipped.step, std::move(error));
}

void Supervisor::on(WorkerLink& link, const wire::Evaluation& evaluation) {
    if (link.rank() == 0) m_journal.evaluated(evaluation);
}

void Supervisor::on(WorkerLink& link, const wire::Tested& tested) {
    if (link.rank() == 0) m_journal.tested(tested);
}

void Supervisor::on(WorkerLink& link, const wire::DataRead& read) {
    if (link.rank() == 0) m_journal.dataRead(read);
}

void Supervisor::on(WorkerLink& link, const wire::KernelChoice& wish) {
    const auto kept = keepKernelChoice(m_setup.task.workspace, wish.key, wish.choice);
    if (!kept) m_journal.log(link.rank(), "warning", "the choice of kernels is not kept: " + kept.error().text());
    const bool isKept = kept && *kept;
    link.send(wire::StoreReply{wish.request, isKept ? **kept : std::string(), isKept ? 1 : 0});
}

void Supervisor::on(WorkerLink& link, const wire::Notice& notice) {
    m_journal.warn(link.rank(), notice.message);
    m_journal.publish();
}

void Supervisor::on(WorkerLink& link, const wire::RolledBack& rolledBack) {
    if (link.rank() != 0) return;
    m_journal.rewind(rolledBack.toStep);
    RunMoment back = m_journal.moment();
    back.seconds = m_journal.series().secondsAt(rolledBack.toStep);
    m_journal.mark(m_journal.events().rolledBack(rolledBack.message, back));
    on(link, wire::Notice{rolledBack.toStep, rolledBack.message});
}

void Supervisor::on(WorkerLink& link, const wire::Failed& failed) {
    if (link.failureNoted) return;
    link.state.beat.step = std::max(link.state.beat.step, failed.step);
    recordFailure(reportedCause(link, failed));
}

void Supervisor::on(WorkerLink& link, const wire::PeerLost& lost) {
    if (lost.generation != m_workers.generation() || link.lostPeerAt >= 0)
        return; // of a group that is being replaced already
    link.lostPeerAt = monotonicSeconds();
    link.state.beat.step = std::max(link.state.beat.step, lost.step);
    m_journal.log(link.rank(), "warning", "has lost a peer: " + lost.message);
}

void Supervisor::on(WorkerLink& link, const wire::Finished& finished) {
    link.finished = finished;
    link.state.status = wire::RankStatus::Finished;
    m_journal.state().setWorker(link.state);
    m_journal.state().trainSeconds = std::max(m_journal.state().trainSeconds, finished.trainSeconds);
    if (link.rank() == 0) {
        m_journal.state().step = finished.step;
        m_journal.state().epoch = finished.epoch;
    }
    m_journal.state().change();
}

void Supervisor::on(WorkerLink& link, const wire::Free& free) {
    link.free = link.finished.has_value();
    link.state.beat.residentBytes = free.residentBytes;
}

// A failed rank is reported once, whatever its channel still holds.
void Supervisor::recordFailure(Cause cause) {
    WorkerLink* blamed = blamesRank(cause.code) ? &m_workers.at(cause.rank) : nullptr;
    if (blamed) blamed->failureNoted = true;
    if (!m_failures.watching()) return;
    if (blamed) {
        blamed->state.status = endsProcess(cause.code) ? wire::RankStatus::Lost : wire::RankStatus::Failed;
        m_journal.state().setWorker(blamed->state);
    }
    const auto& noted = m_failures.add(located(std::move(cause)));
    m_journal.log(noted.rank, "error", noted.error.text());
    m_journal.state().step = std::max(m_journal.state().step, noted.step);
    m_journal.state().change();
}

void Supervisor::requestStop(wire::StopMode mode) {
    if (mode == wire::StopMode::AtCheckpoint && m_setup.task.spec.program) return stopAtCheckpoint();
    if (mode == wire::StopMode::AtCheckpoint) mode = wire::StopMode::SaveAndStop; // which loses no step either
    if (!m_stop.request(mode)) return;
    m_guard.dismiss(); // it is not started again
    m_journal.log(-1, "info", askedTo(mode));
    m_journal.setStatus(wire::RunStatus::Stopping);
}

void Supervisor::stopAtCheckpoint() {
    const auto step = m_journal.state().step;
    if (!m_stop.awaitCheckpoint({step, wallClockMs()})) return;
    m_journal.log(-1, "info", askedTo(wire::StopMode::AtCheckpoint));
    for (auto& link : m_workers) // whose keepers note it for another supervisor
        if (link->started) link->send(wire::Stop{wire::StopMode::AtCheckpoint});
    tellAwaited(step);
}

// The run goes on until then, and says what it waits for.
void Supervisor::tellAwaited(std::int64_t step) {
    m_journal.state().notice = "stops at the next checkpoint; asked at step " + grouped(step);
    m_journal.setStatus(wire::RunStatus::Stopping);
}

void Supervisor::noteEnvironment() {
    m_environment.workers.clear();
    m_environment.hosts.clear();
    for (const auto& link : m_workers)
        m_environment.workers.push_back({link->rank(), link->state.host, link->state.device, link->threads});
    for (const auto& [host, entry] : m_hosts.all())
        if (entry.ranks > 0) m_environment.hosts.push_back({host, entry.info.cores, entry.ranks});
    m_journal.row().environmentJson = toJson(m_environment);
}

} // namespace trainyard::run
