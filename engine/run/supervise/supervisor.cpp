// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence of a run: begin, one generation after another, conclude.
#include "engine/run/supervise/supervisor.h"

#include "engine/base/clock.h"
#include "engine/base/machine/program.h"
#include "engine/base/text/amounts.h"
#include "engine/run/launch/private_socket.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/program/facts/program_recorder.h"
#include "engine/run/program/program_stop.h"
#include "engine/run/record/ranks_at_work.h"
#include "engine/store/kept_store.h"
#include "engine/store/last_words.h"
#include "engine/store/run_query.h"

#include <sys/signalfd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kFinishGrace = 10; // for workers to end by themselves after their last frame
constexpr double kSyncSeconds = 1;  // between two waits for the disk, of one run after another
constexpr double kReadSeconds = 10; // for a store that cannot be read when the run begins
constexpr const char* kUnrecorded = "the end of the run cannot be recorded";
constexpr double kLastFlushSeconds = 20; // to get the end of the run into a store that cannot be written

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

// One run with what its supervisor needs.
struct Begun {
    Supervisor::Setup setup;
    store::RunRow row;
    std::shared_ptr<store::KeptStore> shared; // none: the run has its own
};

Begun begun(RunTask task, store::RunRow row, const LauncherFor& launcherFor) {
    return {{std::move(task), launcherFor, claimSignals()}, std::move(row), nullptr};
}

Result<Begun> readAlone(const RunFolder& folder, const LauncherFor& launcherFor) {
    TY_ASSIGN(auto task, RunTask::read(folder));
    TY_ASSIGN(const auto query, store::RunQuery::open(task.workspace));
    TY_ASSIGN(auto row, query->run(task.launch.run));
    return begun(std::move(task), std::move(row), launcherFor);
}

// All runs of a sweep are in one workspace.
Result<Begun> readInSlot(const RunFolder& folder, const LauncherFor& launcherFor, const SlotTerms& terms,
                         std::shared_ptr<store::KeptStore>& kept) {
    TY_ASSIGN(auto task, RunTask::read(folder));
    if (!kept) kept = RunRecorder::storeFor(task.workspace, kSyncSeconds);
    TY_ASSIGN(store::RunQuery * query, kept->reader());
    TY_ASSIGN(auto row, query->run(task.launch.run));
    auto one = begun(std::move(task), std::move(row), launcherFor);
    one.setup.reuse = terms.reuse ? Reuse::Yes : Reuse::No;
    one.setup.terms = terms;
    one.shared = kept;
    return one;
}

// A program has the grace that its run file gives it, and its keeper some seconds more.
StopSequence::Settings stopSettings(const spec::RunSpec& spec, bool isTrial) {
    if (!spec.program) return {};
    const double grace = spec.program->stop.graceSeconds + kSaveSeconds;
    return {grace, grace + kGrowSeconds, isTrial ? kTrialNowSeconds + kStopNowSeconds : kStopNowSeconds};
}

// 0 is of a program that may hang for ever; its keeper may not.
double silenceLimit(const spec::RunSpec& spec) {
    constexpr double kOfKeeper = 600;
    const double given = spec.failure.heartbeatSeconds;
    return given > 0 ? given : kOfKeeper;
}

int sayAndFail(const Error& error) {
    std::fprintf(stderr, "trainyardctl: %s\n", error.text().c_str());
    return exitCode(error.kind);
}

// What ends the supervisor itself, such as memory that is refused, is to be found where the run is.
int failed(const RunFolder& folder, const Error& error) {
    store::leaveLastWords(folder.root, error);
    return sayAndFail(error);
}

int superviseBegun(const RunFolder& folder, Result<Begun> one) {
    if (!one) return failed(folder, one.error());
    const auto& setup = one->setup;
    const auto& sweep = one->row.sweep;
    const auto sweepFolder = sweep.empty() ? std::filesystem::path() : setup.task.workspace.sweepFolder(sweep);
    const ProgramRecorder recorder(folder, setup.task.spec, setup.task.launch, sweepFolder);
    try {
        return Supervisor(std::move(one->setup), std::move(one->row), std::move(one->shared)).run();
    } catch (const std::bad_alloc&) {
        return failed(folder, outOfMemoryError());
    } catch (const std::exception& thrown) { return failed(folder, environmentError(thrown.what())); }
}

} // namespace

int supervise(const std::filesystem::path& folder, const LauncherFor& launcherFor) {
    const auto lock = lockOfSupervisor(folder); // it ends here, after all else
    if (!lock) return sayAndFail(lock.error());
    const RunFolder its{folder};
    return superviseBegun(its, store::patiently(kReadSeconds, [&] { return readAlone(its, launcherFor); }));
}

int supervise(const std::filesystem::path& folder, store::RunLock lock, const LauncherFor& launcherFor,
              const SlotTerms& terms, std::shared_ptr<store::KeptStore>& kept) {
    const auto held = std::move(lock); // it ends here, after all else
    const RunFolder its{folder};
    return superviseBegun(its,
                          store::patiently(kReadSeconds, [&] { return readInSlot(its, launcherFor, terms, kept); }));
}

Supervisor::Supervisor(Setup setup, store::RunRow row, std::shared_ptr<store::KeptStore> shared)
    : m_setup(std::move(setup)),
      m_journal(m_setup.task.folder, m_setup.task.workspace, std::move(row), std::move(shared)),
      m_calls(m_setup.launcherFor, {[this](double until) { pump(until); }, [this] { return bool(m_stop); }}),
      m_checkpoints(m_setup.task, m_calls, m_journal,
                    {[this](std::int64_t step) { return m_commands.isSaving(step); },
                     [this](std::int64_t step, const Result<void>& saved) { settleSaves(step, saved); }}),
      m_hosts(m_setup.task, m_calls, m_journal),
      m_failures({silenceLimit(m_setup.task.spec), m_setup.task.launch.program.has_value()}),
      m_recovery({m_setup.task.spec.failure.maxRestarts, m_setup.task.spec.scaling.elastic.min,
                  m_setup.task.launch.program.has_value()}),
      m_size({m_setup.task.spec.scaling.workers, m_setup.task.spec.scaling.elastic.min,
              m_setup.task.spec.scaling.elastic.max, m_setup.task.launch.program.has_value()}),
      m_stop(stopSettings(m_setup.task.spec, !m_journal.row().sweep.empty())) {
    m_journal.state().totalEpochs = m_setup.task.spec.epochs.value_or(0);
    if (m_setup.task.spec.program) m_journal.values() = ValueWatch(m_setup.task.spec);
    m_journal.state().totalSteps = m_setup.task.spec.steps.value_or(m_journal.row().totalSteps); // one that goes on
}

int Supervisor::run() {
    if (auto begun = begin(); !begun) {
        m_recovery.noteFirstCause({FailureCode::NotBegun, -1, {}, 0, {}, begun.error()});
        return conclude(m_stop ? End::Stopped : End::Failed);
    }
    std::string notice;
    bool adopted = adoptRanks(notice);
    std::string resumeFrom = adopted ? std::string() : chooseCheckpoint(notice);
    for (;;) {
        const auto launched = std::exchange(adopted, false) ? Result<void>() : launchGeneration(resumeFrom);
        End end = End::Failed;
        beginGuard();
        if (launched) end = watchGeneration();
        else noteNotLaunched(launched.error());
        const bool byThemselves = end != End::Failed && m_failures.causes().empty() && !m_stop.isForced();
        endGeneration(byThemselves ? kFinishGrace : 0);
        if (!m_failures.causes().empty()) m_checkpoints.noteProgramEnd(m_failures.causes().front().endedItself());
        m_checkpoints.waitForLinks(end != End::Failed); // what goes on takes them from their hosts
        waitForCopies();
        m_checkpoints.waitForLinks(true);
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
    const auto& [folder, launch, workspace, spec, runJson] = m_setup.task;
    std::error_code failure;
    std::filesystem::create_directories(folder.checkpoints(), failure);
    if (!m_journal.sharesStore()) std::filesystem::create_directories(folder.logs(), failure);
    if (failure) return environmentError("cannot create the run's folders: " + failure.message(), folder.root.string());
    TY_ASSIGN(const auto socket, socketPath(launch.run));
    if (!m_journal.sharesStore()) removeDeadSockets(socket.parent_path());
    TY_TRY(m_journal.listen(
        socket, [this](wire::StopMode mode) { requestStop(mode); },
        [this](const wire::Command& command) { requestCommand(command); }));
    m_journal.begin(m_size.wanted());
    // A watcher must find the socket of a run that is still connecting to hosts. Local ranks start faster than the
    // disk writes: the row is written meanwhile.
    if (!spec.hosts.empty()) (void)m_journal.flush();
    if (m_journal.goesOn()) {
        waitForRanksOfBefore();
        TY_TRY(loadHistory());
    }
    if (spec.tensorBoard) m_journal.openTensorBoard();
    m_hosts.notePlaces();
    TY_TRY(m_hosts.prepare());
    if (!m_journal.goesOn()) return {};
    m_hosts.takeFromEarlier(m_checkpoints); // one that is gone for good must not keep the run from others
    m_checkpoints.adopt();
    return {};
}

Result<void> Supervisor::loadHistory() {
    return store::patiently(kReadSeconds, [&]() -> Result<void> {
        TY_ASSIGN(const auto query, store::RunQuery::open(m_setup.task.workspace));
        TY_TRY(m_journal.load(*query));
        TY_ASSIGN(auto rows, query->checkpoints(m_setup.task.launch.run));
        m_checkpoints.load(std::move(rows));
        return {};
    });
}

// Those on this computer know at once that their supervisor is gone, and end by themselves.
void Supervisor::waitForRanksOfBefore() {
    const double until = monotonicSeconds() + kSaveLimit;
    while (!m_stop && !RanksAtWork::areGone(m_setup.task.folder.checkpoints()) && monotonicSeconds() < until) {
        if (m_journal.state().notice.empty()) m_journal.notice("waiting for earlier ranks of this run to save and end");
        pump(monotonicSeconds() + 0.01);
    }
    m_journal.state().notice.clear();
}

// Decides where the next generation begins.
std::string Supervisor::chooseCheckpoint(std::string& notice) {
    std::string damage;
    const auto checkpoint = m_checkpoints.newestGood(damage);
    const std::int64_t step = checkpoint ? checkpoint->step : -1;
    if (!damage.empty()) notice = notice.empty() ? damage : notice + "; " + damage;
    if (!damage.empty() && !checkpoint) notice += "; no other checkpoint is left";
    const bool hasPast = !m_journal.series().lastValues().empty() || m_workers.generation() >= 0;
    if (hasPast) m_from.repeats = step;
    m_from.seconds = m_journal.series().secondsAt(step);
    const auto again = m_workers.generation() >= 0 ? store::RunEventKind::Restarted : store::RunEventKind::Resumed;
    m_journal.events().launched(hasPast ? again : store::RunEventKind::Started, notice,
                                {std::max<std::int64_t>(step, 0), m_from.seconds, 0});
    m_recovery.beginGroup({});
    if (!notice.empty()) {
        m_journal.warn(-1, notice + (checkpoint ? "; restarted from step " + std::to_string(step)
                                                : "; restarted from the beginning"));
        notice.clear();
        m_journal.publish();
    }
    m_from.isFork = !checkpoint;
    return checkpoint ? checkpoint->path : m_setup.task.launch.resumeFrom;
}

// Not before the generation trains: one that cannot start leaves the curve as it was.
void Supervisor::voidRepeated() {
    if (const auto step = std::exchange(m_from.repeats, {})) m_journal.rewind(*step);
}

bool Supervisor::recover(std::string& notice) {
    const Cause cause = m_failures.causes().front();
    if (m_stop) return false;
    const auto decision = m_recovery.decide(cause, {});
    if (!cause.canRetry()) return false;
    const std::string who = cause.rank < 0 ? "the workers" : cause.name();
    notice = who + " " + cause.what + " at step " + grouped(cause.step);
    m_journal.state().notice = notice;
    if (decision.action == RecoveryPolicy::Action::GiveUp) {
        const int used = m_recovery.restartsUsed();
        if (decision.isCertain) m_journal.state().notice += "; not tried again, as it would end the same way";
        else if (used > 0) m_journal.state().notice += "; all " + std::to_string(used) + " restarts are used";
        // Its ranks have no state of their own: what keeps them from starting is why the run ends.
        if (m_setup.task.spec.program && cause.code == FailureCode::NotLaunched) m_recovery.endWith(cause);
        return false;
    }
    m_recovery.spendRestart();
    ++m_journal.state().restarts;
    m_journal.setStatus(wire::RunStatus::Restarting);
    const double heard = m_workers.lastHeard(monotonicSeconds()), until = monotonicSeconds() + decision.pause;
    while (!m_stop && monotonicSeconds() < until) pump(until);
    if (!m_hosts.takeFromLast(m_checkpoints, heard)) return false;
    m_checkpoints.adopt();
    return !m_stop;
}

// It may lie in what another run has left in the process, so it does not count.
bool Supervisor::takeFresh(std::string& notice) {
    if (m_stop || m_fresh || !m_workers.anyHasTrained()) return false;
    m_fresh = true;
    const Cause& cause = m_failures.causes().front();
    notice = (cause.rank < 0 ? std::string("the workers") : cause.name()) + " " + cause.what +
             " in a process that had trained before; tried once more in a fresh one";
    m_journal.warn(cause.rank, notice);
    m_journal.setStatus(wire::RunStatus::Restarting);
    return true;
}

int Supervisor::conclude(End end) {
    m_guard.dismiss();
    end = endAfterSaves(end);
    if (end == End::Stopped && m_journal.values().stoppedEarly()) end = End::Finished;
    auto& state = m_journal.state();
    state.etaSeconds = -1;
    state.samplesPerSecond = 0;
    countProcesses();
    if (end == End::Failed) {
        const auto& cause = *m_recovery.firstCause();
        state.error = cause.error;
        m_journal.log(cause.rank, "error", cause.error.text());
    }
    if (end == End::Failed && !m_journal.hasTrained() && !m_setup.task.launch.finishedAs.empty())
        m_journal.endAsBefore(m_setup.task.launch.finishedAs);
    else
        m_journal.end(end == End::Finished  ? wire::RunStatus::Finished
                      : end == End::Stopped ? wire::RunStatus::Stopped
                                            : wire::RunStatus::Failed);
    const auto lost = flushAtTheEnd();
    if (lost) {
        state.status = wire::RunStatus::Failed;
        if (end != End::Failed) state.error = *lost; // a failure before it tells more
        store::leaveLastWords(m_setup.task.folder.root, state.error);
    }
    m_journal.publish();
    const double deadline = monotonicSeconds() + 1;
    while (m_journal.hasUnsent() && monotonicSeconds() < deadline) pump(deadline);
    if (lost) return exitCode(state.error.kind);
    if (end == End::Failed) return exitCode(m_recovery.firstCause()->error.kind);
    return end == End::Stopped ? exitCode(ErrorKind::Stopped) : 0;
}

// Watchers hear of the end only once the store has everything. Returns why it has not, once that was tried for long.
std::optional<Error> Supervisor::flushAtTheEnd() {
    const double deadline = monotonicSeconds() + kLastFlushSeconds;
    for (;;) {
        const auto written = m_journal.flush();
        if (written) {
            if (m_journal.state().notice.starts_with(kUnrecorded)) m_journal.state().notice.clear();
            return std::nullopt;
        }
        const auto& cause = written.error();
        if (monotonicSeconds() > deadline) {
            std::fprintf(stderr, "trainyardctl: %s\n", cause.text().c_str());
            return environmentError("the end of the run could not be recorded: " + cause.message, cause.where,
                                    (cause.remedy.empty() ? "" : cause.remedy + ", then ") + "resume the run")
                .withCode(cause.code);
        }
        m_journal.notice(kUnrecorded + (": " + cause.text()));
        pump(monotonicSeconds() + 0.5);
    }
}

} // namespace trainyard::run
