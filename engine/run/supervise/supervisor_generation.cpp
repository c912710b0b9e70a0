// SPDX-License-Identifier: GPL-3.0-or-later
// One generation of workers: prepared, launched, watched, judged and ended.
#include "engine/base/clock.h"
#include "engine/run/launch/child_environment.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/launch/room.h"
#include "engine/run/program/rank_plan.h"
#include "engine/run/record/run_code.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/spec/run/host_ranks.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kCalmSeconds = 2;      // between two looks at ranks here whose keepers tell all that happens
constexpr double kSettleSeconds = 0.06; // for the true cause to arrive behind its consequences
constexpr double kStackSeconds = 3;     // for a program to print its stacks and end
constexpr double kLastSavedSeconds = 5; // for keepers to tell what a program had saved when it was ended
constexpr double kLongSettle = 5;       // the same of a program: Python takes its time to end
constexpr double kWaysSeconds = 15;     // for a way between hosts that lets nothing through to be known
constexpr double kReapSeconds = 5;
constexpr double kLeaveSeconds = 2;      // for what ranks have started to be gone with them
constexpr double kKilledSeconds = 1;     // the same of a run that is to end at once: its host may be gone, too
constexpr double kTrialLinkSeconds = 20; // for the link to a trial of a sweep to be back

} // namespace

Result<void> Supervisor::launchGeneration(const std::string& resumeFrom) {
    m_workers.beginGeneration();
    m_failures.watch(endedForMemory(), monotonicSeconds());
    m_hosts.forgetStaged();
    m_journal.relaunched();
    m_stop.relaunched();
    m_size.relaunched();
    m_recovery.forgetNewcomers();
    m_savedAfter.reset();
    if (m_setup.task.spec.program) removeRankNotes(m_setup.task.folder.root);
    if (!resumeFrom.empty()) TY_TRY(m_hosts.stage(resumeFrom));
    const int ranks = m_size.wanted();
    m_hosts.deal(ranks);
    TY_TRY(launchRanks(ranks));
    m_journal.row().worldSize = ranks;
    if (const auto& program = m_setup.task.spec.program) m_journal.joinRanks(program->metrics.ranks, ranks);
    startHere();
    m_journal.publish();
    return {};
}

// Workers on this computer come from this build, so Start is sent without waiting for their Hello.
void Supervisor::startHere() {
    if (m_setup.task.launch.program) return; // may be another build
    for (auto& link : m_workers)
        if (link->placement.host.empty() && !link->started) sendStart(*link);
}

Cause Supervisor::notLaunched(const Error& error) const {
    return {FailureCode::NotLaunched, -1, {}, m_journal.state().step, "could not be launched", error};
}

void Supervisor::noteNotLaunched(const Error& error) {
    if (m_setup.task.spec.program) m_journal.log(-1, "warning", error.text());
    m_failures.add(notLaunched(error));
}

// On all hosts at the same time.
Result<void> Supervisor::launchRanks(int ranks) {
    std::vector<std::pair<WorkerLink::Placement, HostCalls::Answer<std::unique_ptr<WorkerProcess>>>> asked;
    std::map<HostName, int> next;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto host = m_hosts.hostOf({rank, ranks});
        const WorkerLink::Placement placement{rank, next[host]++, m_hosts.at(host).ranks, host};
        asked.emplace_back(placement, askToLaunch(placement));
        if (*asked.back().second && !(*asked.back().second)->ok()) break;
    }
    // None is served before all are there: it would be told of a group that is too small.
    std::vector<std::unique_ptr<WorkerLink>> links;
    for (const auto& [placement, answer] : asked) {
        TY_ASSIGN(auto link, linkTo(placement, launched(placement, answer)));
        links.push_back(std::move(link));
    }
    for (const auto& link : links) m_journal.state().workers.push_back(link->state);
    m_workers.add(std::move(links));
    return {};
}

HostCalls::Answer<std::unique_ptr<WorkerProcess>> Supervisor::askToLaunch(const WorkerLink::Placement& placement) {
    return m_calls.ask<std::unique_ptr<WorkerProcess>>(
        placement.host, [request = requestFor(placement)](Launcher& launcher) { return launcher.launch(request); });
}

// A host that has lost what was brought there gets it again: its disk is a new one, or its cache was emptied.
Result<std::unique_ptr<WorkerProcess>>
Supervisor::launched(const WorkerLink::Placement& placement,
                     const HostCalls::Answer<std::unique_ptr<WorkerProcess>>& answer, double until) {
    const auto& host = placement.host;
    auto process = m_calls.answerOf(host, answer, until);
    if (process || host.empty() || process.error().code != ErrorCode::FileMissing) return process;
    TY_TRY(m_hosts.prepareAgain(host));
    return m_calls.answerOf(host, askToLaunch(placement), until);
}

Result<std::unique_ptr<WorkerLink>> Supervisor::startLink(const WorkerLink::Placement& placement, double until) {
    return linkTo(placement, launched(placement, askToLaunch(placement), until));
}

Result<std::unique_ptr<WorkerLink>> Supervisor::linkTo(const WorkerLink::Placement& placement,
                                                       Result<std::unique_ptr<WorkerProcess>> process) {
    if (!process) return std::move(process).error();
    if (placement.host.empty()) m_workers.noteStarted((*process)->pid());
    m_hosts.noteHeard(placement.host);
    return std::make_unique<WorkerLink>(placement, std::move(*process), m_setup.task.folder.rankLog(placement.rank),
                                        monotonicSeconds());
}

// Those that the ranks there see; empty: all. On this computer the slot keeps its own, so that ranks may stay.
CudaDevices Supervisor::devicesOn(const HostName& host) const {
    const auto& terms = m_setup.terms;
    const bool onCpu = m_setup.task.spec.scaling.device == "cpu";
    const auto& entry = m_hosts.at(host);
    const auto devicesThere = [&] { return host.empty() ? knownRoom().devices : entry.info.devices; };
    const auto& dealt = m_setup.task.launch.devices;
    const auto place = m_hosts.pool().placeOf(host);
    if (const auto found = dealt.find(place); found != dealt.end() && !onCpu)
        return place == host ? found->second
                             : devicesOfSpare(found->second, {.ranks = entry.ranks, .devices = devicesThere()});
    if (terms.place < 0) return host.empty() ? terms.devices : CudaDevices{};
    return onCpu ? CudaDevices{} : devicesOfPlace(terms.place, {.ranks = entry.ranks, .devices = devicesThere()});
}

LaunchRequest Supervisor::requestFor(const WorkerLink::Placement& placement) const {
    const auto& entry = m_hosts.at(placement.host);
    const int given = m_setup.task.spec.scaling.threadsPerWorker;
    const auto threads =
        std::to_string(given > 0 ? given : std::max(1, entry.info.cores / (entry.ranks * m_setup.terms.sharing)));
    // Read by the libraries when they are loaded, so they have to be there before the program starts.
    LaunchRequest request{
        placement.host,
        {"rank"},
        {{"OMP_NUM_THREADS", threads}, {"OPENBLAS_NUM_THREADS", threads}, {"MKL_NUM_THREADS", threads}},
        {}};
    request.run = m_setup.task.launch.run;
    if (const auto devices = devicesOn(placement.host); !devices.empty())
        request.environment[kVisibleDevices] =
            valueFor(devices, placement.host.empty() ? std::getenv(kVisibleDevices) : nullptr);
    request.endsItself = !m_setup.task.launch.program || m_setup.task.spec.program; // a keeper ends its program
    // A trial of a sweep is begun on another host when its own stays away.
    const double linkSeconds = m_setup.task.spec.failure.linkSeconds;
    if (request.endsItself)
        request.linkSeconds = m_journal.sharesStore() ? std::min(kTrialLinkSeconds, linkSeconds) : linkSeconds;
    request.environment.merge(m_setup.task.launch.program ? openMpVariables() : workerVariables());
    request.runJson = entry.runJson;
    if (m_setup.reuse == Reuse::Yes && placement.host.empty()) {
        request.lasting = m_setup.task.spec.scaling.device + (m_setup.task.spec.deterministic ? " deterministic" : "");
        request.fresh = m_fresh;
    }
    describeProgram(request, placement);
    return request;
}

// Ranks that are not trainyard-worker but a program on the library learn their place from its environment, in
// the words of torchrun, so that what reads them elsewhere reads them here. There is no MASTER_PORT: the ranks of this
// library meet over their supervisor.
void Supervisor::describeProgram(LaunchRequest& request, const WorkerLink::Placement& placement) const {
    const auto& program = m_setup.task.launch.program;
    if (!program) return;
    request.arguments = program->arguments;
    for (const auto& [name, value] : program->environment) request.environment[name] = value;
    const auto node = m_hosts.nodeOf(placement.host, m_size.wanted());
    const auto& first = m_hosts.at(m_hosts.hostOf({.rank = 0, .ranks = m_size.wanted()})).info;
    const auto& spec = m_setup.task.spec;
    request.environment.insert_or_assign("RANK", std::to_string(placement.rank));
    request.environment.insert_or_assign("WORLD_SIZE", std::to_string(spec.scaling.workers));
    request.environment.insert_or_assign("LOCAL_RANK", std::to_string(placement.localRank));
    request.environment.insert_or_assign("LOCAL_WORLD_SIZE", std::to_string(placement.localWorldSize));
    request.environment.insert_or_assign("GROUP_RANK", std::to_string(node.index));
    request.environment.insert_or_assign("GROUP_WORLD_SIZE", std::to_string(node.count));
    request.environment.insert_or_assign("MASTER_ADDR", m_hosts.isOne() ? std::string("127.0.0.1") : first.address);
    request.environment.insert_or_assign("TORCHELASTIC_RESTART_COUNT", std::to_string(m_workers.generation()));
    request.environment.insert_or_assign("TORCHELASTIC_RUN_ID", m_setup.task.launch.run);
    request.environment.insert_or_assign("TRAINYARD_RUN", m_setup.task.launch.run);
}

void Supervisor::sendStart(WorkerLink& link) {
    link.started = true;
    const auto& placement = link.placement;
    const auto& host = m_hosts.at(placement.host).info;
    wire::Start start;
    start.runJson = m_setup.task.runJson;
    start.paths = m_hosts.at(placement.host).paths;
    start.rank = placement.rank;
    start.worldSize = static_cast<int>(m_journal.state().workers.size());
    start.localRank = placement.localRank;
    start.localWorldSize = placement.localWorldSize;
    start.generation = m_workers.generation();
    start.interfaceAddress = m_hosts.isOne() ? "127.0.0.1" : host.address;
    start.checkpointFolder = (std::filesystem::path(host.folder) / "checkpoints").string();
    start.mayStay = link.process().canStay();
    start.sharing = m_setup.terms.sharing;
    start.mayRejoin = start.worldSize > 1 || m_setup.task.spec.scaling.elastic.max > 1;
    start.joining = link.joining;
    const auto* staged = link.joining ? nullptr : m_hosts.staged(placement.host);
    if (staged) start.resumeFrom = *staged;
    start.isFork = staged && m_from.isFork;
    start.secondsBefore = link.joining ? std::max(m_from.seconds, m_journal.state().trainSeconds) : m_from.seconds;
    describeStart(start, placement);
    link.send(start);
    if (m_stop.awaitsCheckpoint()) link.send(wire::Stop{wire::StopMode::AtCheckpoint});
    const auto begins = std::max<std::int64_t>(m_from.repeats.value_or(m_journal.state().step), 0);
    if (placement.rank == 0 || m_setup.task.spec.program) repeatCommands(link, begins);
}

// What the keeper of a program's rank is told besides. On this computer it inherits the secrets.
void Supervisor::describeStart(wire::Start& start, const WorkerLink::Placement& placement) const {
    const auto& program = m_setup.task.spec.program;
    if (!program) return;
    if (!m_journal.row().sweep.empty()) start.trial = std::to_string(m_journal.row().trial);
    if (const auto& code = m_setup.task.launch.code) {
        const auto& there = m_hosts.at(placement.host).program.code; // empty: it is seen at the same path
        start.codeFolder = there.empty() ? codeStore(m_setup.task.workspace).tree(code->digest).string() : there;
        start.paths[kCodeProject] = code->project;
    }
    if (placement.host.empty()) return;
    for (const auto& name : program->secrets)
        if (const char* value = std::getenv(name.c_str())) start.secrets[name] = value;
}

Supervisor::End Supervisor::watchGeneration() {
    for (;;) {
        double now = monotonicSeconds();
        if (m_stop && applyStop(now)) return End::Stopped;
        pump(now + (m_stop ? 0.1 : m_setup.task.spec.program && m_setup.task.spec.hosts.empty() ? kCalmSeconds : 0.5));
        now = monotonicSeconds();
        heedValues();
        findFailures(now);
        if (!m_failures.causes().empty()) {
            if (!endsProcess(m_failures.causes().front().code)) settle();
            if (!m_stop && !m_savedAfter && !m_workers.anyHasTrained() && regroup()) continue;
            if (saveBySurvivors()) continue;
            tellStacks();
            m_failures.stopWatching();
            if (!m_stop) return End::Failed;
            const auto& cause = m_failures.causes().front();
            m_journal.state().notice = cause.name() + " " + cause.what + " while stopping";
            return End::Stopped;
        }
        if (!m_stop && !m_savedAfter) resizeWhenPossible(now);
        if (!m_workers.allFinished()) continue;
        m_failures.stopWatching();
        if (m_savedAfter) return endAfterSurvivors();
        const bool stopped = m_workers.anyStopped();
        if (stopped && !m_stop)
            m_journal.state().notice =
                "a rank was asked to end (SIGTERM), or the ranks heard nothing from this supervisor for "
                "failure.linkSeconds: saved, and ready to be resumed";
        return stopped ? End::Stopped : End::Finished;
    }
}

// A rank that reports a failure may only have noticed that another one is gone, a moment before this program does.
void Supervisor::settle() {
    const double until = monotonicSeconds() + kSettleSeconds;
    while (monotonicSeconds() < until && m_failures.causes().size() < m_workers.size()) {
        pump(until);
        checkExits();
    }
    const double ended = monotonicSeconds() + kLongSettle;
    while (m_setup.task.spec.program && m_failures.onlyPeersLost() && m_failures.causes().size() < m_workers.size() &&
           monotonicSeconds() < ended) {
        pump(monotonicSeconds() + kSettleSeconds);
        checkExits();
    }
    // What ranks say that did not meet comes from their library, and names no way out; the ways between hosts do.
    const double known = monotonicSeconds() + kWaysSeconds;
    while (!m_stop && m_failures.mayNotHaveMet() && !m_workers.anyHasStepped() && m_hosts.triesWays() &&
           monotonicSeconds() < known) {
        pump(monotonicSeconds() + kSettleSeconds);
        findBlockedWay();
    }
    m_failures.preferTrueCause();
}

// One rank of a program hangs; where the others stand tells who waits for whom.
void Supervisor::tellStacks() {
    if (!m_setup.task.spec.program || m_failures.causes().front().error.code != ErrorCode::WorkerSilent) return;
    for (auto& link : m_workers)
        if (!link->exit && !link->failureNoted) link->process().signal(SIGQUIT);
    const double until = monotonicSeconds() + kStackSeconds;
    const auto isOver = [](const auto& link) { return link->exit || link->failureNoted; };
    while (monotonicSeconds() < until && !std::all_of(m_workers.begin(), m_workers.end(), isOver)) {
        pump(monotonicSeconds() + 0.05);
        m_workers.lookForExits();
    }
}

bool Supervisor::applyStop(double now) {
    const bool training = std::any_of(m_workers.begin(), m_workers.end(),
                                      [](const auto& link) { return link->phase >= wire::Phase::Train; });
    switch (m_stop.next(now, {training, m_workers.empty() ? wire::Phase::Start : m_workers.first().phase})) {
    case StopSequence::Action::Wait: return false;
    case StopSequence::Action::Ask: m_workers.sendAll(wire::Stop{m_stop.mode()}); return false;
    case StopSequence::Action::Terminate:
        for (auto& link : m_workers) link->process().signal(SIGTERM);
        m_journal.state().notice = "the workers did not stop when asked; they were ended";
        return false;
    case StopSequence::Action::End: return true;
    }
    return true;
}

void Supervisor::checkExits() {
    for (auto& link : m_workers) {
        if (!link->exit) link->exit = link->process().exitStatus();
        if ((!link->exit && !link->closed) || link->finished || link->failureNoted) continue;
        awaitExit(*link);
        readWorkers(); // its last words
        if (link->finished || link->failureNoted) continue;
        const bool killed = link->exit && link->exit->signalled && link->exit->code == SIGKILL;
        const bool forMemory = killed && link->placement.host.empty() && m_failures.claimMemoryKill(endedForMemory());
        const auto& lines = link->lastLines();
        recordFailure(
            exitCause(*link, m_journal.state().newestPoint(), lines.empty() ? std::string() : lines.back(), forMemory));
    }
}

// The end of the channel is seen a moment before the process can be waited for.
void Supervisor::awaitExit(WorkerLink& link) {
    const double until = monotonicSeconds() + 0.2;
    while (!link.exit && monotonicSeconds() < until) {
        ::poll(nullptr, 0, 1);
        link.exit = link.process().exitStatus();
    }
}

// Ranks that are not heard are waited for while they may train on; else they read as lost with their hosts.
void Supervisor::watchLinks(double now) {
    m_workers.lookForExits(); // one that was given up is no longer away, and not back either
    for (auto* rank : m_failures.findForsaken(m_workers.records(), pace(), now))
        m_workers.at(rank->rank()).process().giveUp();
    for (auto& word : m_hostLinks.look(m_workers.records(), now)) {
        m_journal.log(-1, word.isBack ? "info" : "warning", word.text);
        m_journal.hostNotice(std::move(word.text));
    }
    tellAway(now);
}

FailureDetector::Pace Supervisor::pace() const {
    return {m_journal.state().newestPoint(), m_journal.state().trainSeconds, m_commands.isPaused(), bool(m_stop)};
}

// Before the ranks give up to meet, which takes them long and names nobody.
void Supervisor::findBlockedWay() {
    auto blocked = m_hosts.judgeWays();
    if (!blocked || m_workers.anyHasStepped()) return;
    m_journal.log(-1, "error", blocked->text());
    m_failures.add({FailureCode::NoWay, -1, {}, m_journal.state().step, "cannot meet", std::move(*blocked)});
}

// At once, since a program that saves when it is asked to end would save what has diverged. Its keepers still tell the
// checkpoints that it has saved just before, which are not complete for some seconds while it runs.
void Supervisor::endDiverged() {
    m_workers.sendAll(wire::Stop{wire::StopMode::Kill});
    const auto isOver = [](const auto& link) { return link->exit || link->finished || link->failureNoted; };
    const double until = monotonicSeconds() + kLastSavedSeconds;
    while (monotonicSeconds() < until && !std::ranges::all_of(m_workers, isOver)) {
        pump(monotonicSeconds() + 0.05);
        m_workers.lookForExits();
    }
    readWorkers();
}

void Supervisor::heedValues() {
    while (const auto found = m_stop ? std::nullopt : m_journal.values().take()) {
        if (found->what == ValueWatch::What::StopsEarly) {
            m_journal.warn(-1, found->text);
            requestStop(wire::StopMode::SaveAndStop);
        } else if (found->what == ValueWatch::What::NotFinite) {
            m_journal.warn(0, found->text);
            m_journal.publish();
        } else {
            endDiverged();
            const bool goesBack =
                m_setup.task.spec.failure.nonFinite == "rollback" && m_checkpoints.passOver(found->step, found->text);
            auto error = runError(found->text, "step " + std::to_string(found->step),
                                  "lower its learning rate, or clip its gradients");
            if (!goesBack) error.code = ErrorCode::LossNotFinite; // which is not tried again
            const auto& first = m_workers.first();
            return recordFailure({FailureCode::Reported, 0, first.placement.host, found->step,
                                  "reported that " + found->text, std::move(error)});
        }
    }
}

void Supervisor::findFailures(double now) {
    watchLinks(now);
    checkExits();
    findBlockedWay();
    if (m_failures.memoryLookDue(now)) m_failures.noteMemoryKills(endedForMemory(), now);
    for (auto& cause : m_failures.look(m_workers.records(), pace(), now)) recordFailure(std::move(cause));
    if (m_journal.state().phase != wire::Phase::Train) return;
    for (auto& straggler : FailureDetector::findStragglers(m_workers.records(), now)) {
        m_journal.warn(straggler.rank->rank(), std::move(straggler.notice));
        m_journal.publish();
    }
}

// After this no process of the generation is left but ranks that are free, or countProcesses() tells how many.
void Supervisor::endGeneration(double graceSeconds) {
    m_failures.stopWatching();
    const bool mayStay = graceSeconds > 0;
    const auto allGone = [&] {
        m_workers.lookForExits();
        return std::all_of(m_workers.begin(), m_workers.end(),
                           [&](const auto& link) { return link->exit || (mayStay && link->free); });
    };
    const auto waitFor = [&](double seconds) {
        const double until = monotonicSeconds() + seconds;
        while (!allGone() && monotonicSeconds() < until) pump(std::min(until, monotonicSeconds() + 0.05));
    };
    waitFor(graceSeconds);
    for (auto& link : m_workers)
        if (!mayStay || !link->free) link->process().signal(SIGKILL);
    waitFor(isKilled() ? kKilledSeconds : kReapSeconds);
    readWorkers();
    for (auto& link : m_workers) {
        if (!link->finished && link->state.status != wire::RankStatus::Failed)
            link->state.status = wire::RankStatus::Lost;
        link->state.beat.samplesPerSecond = 0;
        m_journal.state().setWorker(link->state);
    }
}

// For the next run. They are no longer this one's: they do not count as left behind.
void Supervisor::putBackFree() {
    for (auto& link : m_workers) {
        if (!link->free || link->exit) continue;
        m_workers.forget(link->process().pid());
        link->process().putBack();
        link->exit = ExitStatus{};
    }
}

void Supervisor::checkDigests() {
    if (m_workers.empty()) return;
    const auto& first = m_workers.first();
    for (const auto& link : m_workers) {
        if (link->finished->parameterDigest == first.finished->parameterDigest) continue;
        Error error =
            runError("the parameters of rank " + std::to_string(link->rank()) + " (" + link->finished->parameterDigest +
                         ") differ from those of rank 0 (" + first.finished->parameterDigest + ") after training",
                     link->name(), "the result cannot be trusted; please report this with the run file")
                .withCode(ErrorCode::ReplicasDiffer);
        m_failures.add({FailureCode::ResultsDiffer, link->rank(), link->placement.host, link->finished->step,
                        "differs from rank 0", std::move(error)});
        return;
    }
}

void Supervisor::countProcesses() {
    std::map<HostName, int> running;
    const double until = monotonicSeconds() + kLeaveSeconds;
    // A keeper leaves nothing behind, unless it was killed itself.
    const auto livingHere = [this] {
        std::size_t count = m_workers.livingHere();
        if (!m_setup.task.spec.program) return count;
        for (const auto pid : livingMarked(kRunVariable, m_setup.task.launch.run)) {
            ::kill(static_cast<pid_t>(pid), SIGKILL);
            ++count;
        }
        return count;
    };
    while (livingHere() > 0 && monotonicSeconds() < until) pump(monotonicSeconds() + 0.02);
    for (const auto& link : m_workers)
        if (!link->exit) ++running[link->placement.host];
        else if (link->exit->hostLost) m_hosts.noteLost(link->placement.host);
    const auto left = m_hosts.endLeft(running, isKilled());
    m_journal.state().processesLeft = static_cast<int>(livingHere()) + left.processes;
    m_journal.state().unseenOn = left.unseenOn;
}

// What was saved is where the run goes on, or its result. Those who cannot wait stop once more.
void Supervisor::waitForCopies() {
    const auto wanted = [this] { return !m_stop || m_stop.mode() == wire::StopMode::SaveAndStop; };
    if (!m_checkpoints.isCopying() || !wanted()) return;
    m_journal.notice("waiting until the newest checkpoint is copied here");
    while (m_checkpoints.isCopying() && wanted()) pump(monotonicSeconds() + 0.5);
    m_journal.state().notice.clear();
}

} // namespace trainyard::run
