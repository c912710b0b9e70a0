// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence of a run: begin, one generation after another, conclude.
#include "engine/run/supervise/supervisor.h"

#include "engine/base/amounts.h"
#include "engine/base/atomic_file.h"
#include "engine/base/clock.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/launch/spawn.h"
#include "engine/store/patience.h"
#include "engine/store/run_query.h"

#include <sys/signalfd.h>

#include <csignal>
#include <cstdio>

namespace trainyard::run {
namespace {

constexpr double kFinishGrace = 10;      // for workers to end by themselves after their last frame
constexpr double kSyncSeconds = 1;       // between two waits for the disk, of one run after another
constexpr double kReadSeconds = 10;      // for a store that cannot be read when the run begins
constexpr double kLastFlushSeconds = 60; // to get the end of the run into a store that cannot be written

UniqueFd claimSignals() {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN); // a file size limit is an error of write(), not a death
    ::signal(SIGHUP, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGCHLD}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

struct Begun {
    RunFolder folder;
    LaunchRecord launch;
    store::Workspace workspace;
    spec::RunSpec spec;
};

Result<Begun> readBegun(const RunFolder& folder) {
    TY_ASSIGN(auto launch, readLaunchRecord(folder));
    TY_ASSIGN(auto workspace, store::Workspace::open(launch.workspace));
    TY_ASSIGN(auto spec, spec::readRunSpec(folder.runFile()));
    return Begun{folder, std::move(launch), std::move(workspace), std::move(spec)};
}

Supervisor::Setup setupOf(Begun begun, store::RunRow row, const LauncherFor& launcherFor, Reuse reuse,
                          std::shared_ptr<store::KeptStore> store) {
    return {std::move(begun.folder),
            std::move(begun.launch),
            std::move(begun.workspace),
            std::move(begun.spec),
            std::move(row),
            launcherFor,
            claimSignals(),
            reuse,
            std::move(store),
            {}};
}

Result<Supervisor::Setup> readSetup(const RunFolder& folder, const LauncherFor& launcherFor) {
    TY_ASSIGN(auto begun, readBegun(folder));
    TY_ASSIGN(const auto query, store::RunQuery::open(begun.workspace));
    TY_ASSIGN(auto row, query->run(begun.launch.run));
    return setupOf(std::move(begun), std::move(row), launcherFor, Reuse::No, nullptr);
}

// All runs of a sweep are in one workspace.
Result<Supervisor::Setup> readSetup(const RunFolder& folder, const LauncherFor& launcherFor, const SlotTerms& terms,
                                    std::shared_ptr<store::KeptStore>& kept) {
    TY_ASSIGN(auto begun, readBegun(folder));
    if (!kept) kept = RunRecorder::storeFor(begun.workspace, kSyncSeconds);
    TY_ASSIGN(store::RunQuery * query, kept->reader());
    TY_ASSIGN(auto row, query->run(begun.launch.run));
    auto setup = setupOf(std::move(begun), std::move(row), launcherFor, terms.reuse ? Reuse::Yes : Reuse::No, kept);
    setup.terms = terms;
    return setup;
}

int sayAndFail(const Error& error) {
    std::fprintf(stderr, "trainyardctl: %s\n", error.text().c_str());
    return exitCode(error.kind);
}

} // namespace

int supervise(const std::filesystem::path& folder, const LauncherFor& launcherFor) {
    const auto lock = lockOfSupervisor(folder); // it ends here, after all else
    if (!lock) return sayAndFail(lock.error());
    auto setup = store::patiently(kReadSeconds, [&] { return readSetup(RunFolder{folder}, launcherFor); });
    return setup ? Supervisor(std::move(*setup)).run() : sayAndFail(setup.error());
}

int supervise(const std::filesystem::path& folder, store::RunLock lock, const LauncherFor& launcherFor,
              const SlotTerms& terms, std::shared_ptr<store::KeptStore>& kept) {
    const auto held = std::move(lock); // it ends here, after all else
    auto setup = store::patiently(kReadSeconds, [&] { return readSetup(RunFolder{folder}, launcherFor, terms, kept); });
    return setup ? Supervisor(std::move(*setup)).run() : sayAndFail(setup.error());
}

Supervisor::Supervisor(Setup setup)
    : m_setup(std::move(setup)),
      m_recorder(m_setup.store ? m_setup.store : RunRecorder::storeFor(m_setup.workspace, 0), m_setup.row.id),
      m_evaluation(m_setup.folder.evaluationFile()), m_checkpoints(m_setup.spec.checkpoint),
      m_calls(m_setup.launcherFor,
              [this](double until) {
                  pump(until);
                  return !m_stop;
              }),
      m_failures({m_setup.spec.failure.heartbeatSeconds, m_setup.launch.program.has_value()}),
      m_recovery(
          {m_setup.spec.failure.maxRestarts, m_setup.spec.scaling.elastic.min, m_setup.launch.program.has_value()}),
      m_size({m_setup.spec.scaling.workers, m_setup.spec.scaling.elastic.min, m_setup.spec.scaling.elastic.max,
              m_setup.launch.program.has_value()}),
      m_startedWallMs(wallClockMs()) {
    m_state.restarts = m_setup.row.restarts;
    m_state.totalEpochs = m_setup.spec.epochs.value_or(0);
    m_state.totalSteps = m_setup.spec.steps.value_or(0);
    m_state.step = m_setup.row.step;
    m_state.epoch = m_setup.row.epoch;
}

int Supervisor::run() {
    if (auto begun = begin(); !begun) {
        m_recovery.noteFirstCause({FailureCode::NotBegun, -1, {}, 0, {}, begun.error()});
        return conclude(m_stop ? End::Stopped : End::Failed);
    }
    std::string notice;
    std::string resumeFrom = chooseCheckpoint(notice);
    for (;;) {
        const auto launched = launchGeneration(resumeFrom);
        End end = End::Failed;
        if (launched) end = watchGeneration();
        else m_failures.add(notLaunched(launched.error()));
        const bool byThemselves = end != End::Failed && m_failures.causes().empty() && !m_stop.isForced();
        endGeneration(byThemselves ? kFinishGrace : 0);
        waitForCopies();
        if (end == End::Finished) checkDigests();
        if (!m_failures.causes().empty() && end == End::Finished) end = End::Failed;
        if (end != End::Failed && byThemselves) putBackFree();
        if (end == End::Failed && takeFresh(notice)) {
            resumeFrom = chooseCheckpoint(notice);
            continue;
        }
        if (end != End::Failed || !recover(notice)) return conclude(m_stop && end == End::Failed ? End::Stopped : end);
        resumeFrom = chooseCheckpoint(notice);
    }
}

Result<void> Supervisor::begin() {
    std::error_code failure;
    std::filesystem::create_directories(m_setup.folder.checkpoints(), failure);
    std::filesystem::create_directories(m_setup.folder.logs(), failure);
    if (failure)
        return environmentError("cannot create the run's folders: " + failure.message(), m_setup.folder.root.string());
    TY_ASSIGN(const auto socket, socketPath(m_setup.row.id));
    AttachServer::Handlers handlers{[this] { return greeting(); }, [this](wire::StopMode mode) { requestStop(mode); },
                                    [this](const wire::Command& command) { requestCommand(command); }};
    TY_ASSIGN(m_server, AttachServer::listen(socket, std::move(handlers)));
    auto& row = m_setup.row;
    row.supervisorPid = ::getpid();
    row.socketPath = socket.string();
    row.startedMs = row.startedMs ? row.startedMs : m_startedWallMs;
    row.finishedMs = 0;
    row.worldSize = m_size.wanted();
    row.error.clear();
    row.errorKind.clear();
    row.errorWhere.clear();
    row.errorRemedy.clear();
    row.errorCode = ErrorCode::General;
    setStatus(wire::RunStatus::Starting);
    // A watcher must find the socket of a run that is still connecting to hosts. Local ranks start faster than the
    // disk writes: the row is written meanwhile.
    if (!m_setup.spec.hosts.empty()) (void)m_recorder.flush();
    const bool resumes = row.startedMs != m_startedWallMs;
    if (resumes) {
        waitForRanksOfBefore();
        TY_TRY(loadHistory());
    }
    if (m_setup.spec.tensorBoard) openTensorBoard();
    TY_TRY(prepareHosts());
    if (!resumes) return {};
    (void)takeFromHosts(hostsOfBefore()); // one that is gone for good must not keep the run from others; it is logged
    adoptCheckpoints();
    return {};
}

// A convenience: a run without it is as good.
void Supervisor::openTensorBoard() {
    auto opened = TensorBoardLog::open(m_setup.folder.tensorBoard(), m_setup.row.id);
    if (opened) m_board = std::move(*opened);
    else logLine(-1, "warning", "no TensorBoard event file is written: " + opened.error().text());
}

// Decides where the next generation begins, and voids what it will repeat.
std::string Supervisor::chooseCheckpoint(std::string& notice) {
    const auto before = m_checkpoints.rows().size();
    std::string damage;
    const auto checkpoint = m_checkpoints.newestGood(damage);
    const std::int64_t step = checkpoint ? checkpoint->step : -1;
    if (!damage.empty()) {
        logLine(-1, "warning", damage);
        notice = notice.empty() ? damage : notice + "; " + damage;
    }
    if (before != m_checkpoints.rows().size()) m_recorder.checkpoints(m_checkpoints.rows(), {});
    const bool hasPast = !m_series.lastValues().empty() || m_generation >= 0;
    if (hasPast) rewindTo(step);
    m_secondsBefore = m_series.secondsAt(step);
    const auto again = m_generation >= 0 ? store::RunEventKind::Restarted : store::RunEventKind::Resumed;
    m_events.launched(hasPast ? again : store::RunEventKind::Started, notice,
                      {std::max<std::int64_t>(step, 0), m_secondsBefore, 0});
    m_recovery.beginGroup({});
    if (!notice.empty()) {
        m_state.notice =
            notice + (checkpoint ? "; restarted from step " + std::to_string(step) : "; restarted from the beginning");
        logLine(-1, "warning", m_state.notice);
        notice.clear();
        publish();
    }
    return checkpoint ? checkpoint->path : m_setup.launch.resumeFrom;
}

void Supervisor::rewindTo(std::int64_t step) {
    m_series.rewind(step);
    m_events.rewind(step);
    m_recorder.rewind(step);
    m_lowestRewind = std::min(m_lowestRewind.value_or(step), step);
    m_server->broadcast(wire::Rewound{step});
    if (m_board) m_board->rewind(step);
    m_state.rewind(step);
    m_system.relaunched();
}

bool Supervisor::recover(std::string& notice) {
    const Cause cause = m_failures.causes().front();
    if (m_stop) return false;
    const auto decision = m_recovery.decide(cause, {});
    if (!cause.canRetry()) return false;
    const std::string who = cause.rank < 0 ? "the workers" : cause.name();
    notice = who + " " + cause.what + " at step " + std::to_string(cause.step);
    m_state.notice = notice;
    if (decision.action == RecoveryPolicy::Action::GiveUp) {
        const int used = m_recovery.restartsUsed();
        if (used > 0) m_state.notice += "; all " + std::to_string(used) + " restarts are used";
        return false;
    }
    m_recovery.spendRestart();
    ++m_state.restarts;
    setStatus(wire::RunStatus::Restarting);
    const double until = monotonicSeconds() + decision.pause;
    while (!m_stop && monotonicSeconds() < until) pump(until);
    return takeFromLastRanks() && !m_stop;
}

// It may lie in what another run has left in the process, so it does not count.
bool Supervisor::takeFresh(std::string& notice) {
    if (m_stop || m_fresh || !anyHasTrained()) return false;
    m_fresh = true;
    const Cause& cause = m_failures.causes().front();
    notice = (cause.rank < 0 ? std::string("the workers") : cause.name()) + " " + cause.what +
             " in a process that had trained before; tried once more in a fresh one";
    m_state.notice = notice;
    logLine(cause.rank, "warning", notice);
    setStatus(wire::RunStatus::Restarting);
    return true;
}

int Supervisor::conclude(End end) {
    end = endAfterSaves(end);
    m_state.etaSeconds = -1;
    m_state.samplesPerSecond = 0;
    m_state.processesLeft = countProcesses();
    if (end == End::Failed) {
        const auto& cause = *m_recovery.firstCause();
        m_state.setFailure(cause.error);
        logLine(cause.rank, "error", cause.error.text());
    }
    auto& row = m_setup.row;
    row.finishedMs = wallClockMs();
    row.supervisorPid = 0;
    row.socketPath.clear();
    const auto status = end == End::Finished  ? wire::RunStatus::Finished
                        : end == End::Stopped ? wire::RunStatus::Stopped
                                              : wire::RunStatus::Failed;
    if (end == End::Finished) m_state.phase = wire::Phase::Done;
    m_state.status = status;
    syncRow();
    m_recorder.workers(m_state.workers);
    writeEvaluation();
    logLine(-1, "info", endText());
    flushAtTheEnd();
    publish();
    const double deadline = monotonicSeconds() + 1;
    while (m_server && m_server->hasUnsent() && monotonicSeconds() < deadline) pump(deadline);
    if (end == End::Failed) return exitCode(m_recovery.firstCause()->error.kind);
    return end == End::Stopped ? exitCode(ErrorKind::Stopped) : 0;
}

std::string Supervisor::endText() const {
    return std::string(wire::toString(m_state.status)) + " at step " + grouped(m_state.step) + " after " +
           durationText(static_cast<double>(m_setup.row.finishedMs - m_startedWallMs) / 1000) + "; " +
           std::to_string(m_state.processesLeft) + (m_state.processesLeft == 1 ? " process left" : " processes left");
}

// Watchers hear of the end only once the store has everything, or has failed to take it.
void Supervisor::flushAtTheEnd() {
    const double deadline = monotonicSeconds() + kLastFlushSeconds;
    for (;;) {
        const auto written = m_recorder.flush();
        if (written) return;
        m_state.notice = "the end of the run cannot be recorded: " + written.error().text();
        if (monotonicSeconds() > deadline) {
            std::fprintf(stderr, "trainyardctl: %s\n", m_state.notice.c_str());
            return;
        }
        pump(monotonicSeconds() + 0.5);
    }
}

} // namespace trainyard::run
