// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/keeper.h"

#include "engine/base/clock.h"
#include "engine/base/machine/resident_memory.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/quoted.h"
#include "engine/run/program/program_end.h"
#include "engine/run/record/series/source_series.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kBeatSeconds = 0.5, kSampleSeconds = 1;
constexpr double kIdleBeatSeconds = 1, kQuietBeatSeconds = 4; // while no step is told: each beat wakes its supervisor
constexpr double kQuietness = 0.2;                            // of a program's quiet time, between two beats
constexpr double kFollowSeconds = 0.05;
constexpr double kIdleCores = 0.02; // less is what threads take that only wait
constexpr double kAbortSeconds = 5; // for Python to print its stacks
constexpr double kStraySeconds = 5; // for what the program has left to be ended
constexpr int kSameSignalMs = 500;  // from a signal to the program to the same one to its keeper
constexpr double kLastWords = 5;    // to tell the supervisor how it ended
constexpr int kLaterGeneration = 1; // rank 0 has noted when the first one began

wire::Hello helloOfKeeper() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    wire::Hello hello;
    hello.pid = ::getpid();
    hello.host = name.data();
    hello.version = TRAINYARD_VERSION;
    return hello;
}

UniqueFd heldSignals() {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCHLD, SIGCONT}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

UniqueFd watchOf(const std::filesystem::path& folder) {
    UniqueFd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (watch) ::inotify_add_watch(watch.get(), folder.c_str(), IN_MODIFY | IN_CREATE);
    return watch;
}

void drain(int fd) {
    std::array<char, 4096> buffer;
    while (fd >= 0 && ::read(fd, buffer.data(), buffer.size()) > 0) {}
}

// The parent sees the end that the program had.
[[noreturn]] void dieOf(int signal) {
    const rlimit noCore{0, 0}; // it would be of this process
    ::setrlimit(RLIMIT_CORE, &noCore);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    ::_exit(128 + signal);
}

} // namespace

int keepProgram() {
    adoptOrphans();
    dropOwnVariables();
    return Keeper(0, 1).run();
}

Keeper::Running::Running(KeptRank its, RankStart itsStart, RankProcess itsProcess, PrintedOutput itsOutput,
                         std::unique_ptr<MetricFeed> itsMetrics)
    : rank(std::move(its)), start(std::move(itsStart)), process(std::move(itsProcess)), printed(std::move(itsOutput)),
      cap(rank.files.printed()), metrics(std::move(itsMetrics)),
      stopping(rank.spec.program->stop, rank.place.trial.empty() ? kNowSeconds : kTrialNowSeconds),
      hang(rank.spec.failure.heartbeatSeconds, monotonicSeconds()),
      supervisor(rank.spec.failure.linkSeconds, monotonicSeconds()), watch(watchOf(rank.files.program())) {}

Keeper::Keeper(int readFd, int writeFd)
    : m_bond(readFd, writeFd), m_signals(heldSignals()), m_begun(monotonicSeconds()) {}

int Keeper::run() {
    m_bond.channel().send(helloOfKeeper());
    const auto start = waitForStart();
    if (!start) return fail(start.error());
    if (const auto begun = begin(*start); !begun) return fail(begun.error());
    letGoOfCode();
    for (;;) {
        const double now = monotonicSeconds();
        // While it has no supervisor, all waits in files.
        const bool isHeard = !m_bond.isAlone() || m_bond.isGivenUp();
        const bool hasMore = isHeard && !attend(now);
        m_running->cap.look(now);
        stop(now);
        if (isHeard && m_running->process.exitStatus() && !startAgain()) return end();
        if (isHeard) m_running->start.look(m_running->process, now);
        wait(hasMore ? now : nextDue(now), m_running->process.fd());
        readSignals();
        readChannel();
        if (const auto over = serveBond()) return *over;
    }
}

// True when all that the program has printed by now was read.
bool Keeper::attend(double now) {
    const bool all = follow(now);
    beat(now);
    watchForHang(now);
    if (const auto missing = m_store ? m_store->missing(now) : std::string(); !missing.empty())
        m_bond.channel().send(wire::Notice{0, missing});
    return all;
}

double Keeper::nextDue(double now) const {
    const auto due = m_running->stopping.due();
    if (m_bond.isAlone() && !m_bond.isGivenUp()) return std::min(due.value_or(m_bond.due(now)), m_bond.due(now));
    return std::min(
        {m_running->beatDue, m_running->sampleDue, m_running->start.lookDue(), due.value_or(m_running->beatDue)});
}

std::optional<int> Keeper::serveBond() {
    const double now = monotonicSeconds();
    switch (m_bond.serve(now)) {
    case SupervisorBond::Event::None: break;
    case SupervisorBond::Event::Lost: m_aloneSince = now; break;
    case SupervisorBond::Event::Adopted: greet(now); break;
    case SupervisorBond::Event::GivenUp:
        print("the supervisor of this run is gone: the program is asked to end");
        m_running->stopping.request(wire::StopMode::SaveAndStop, now);
        break;
    case SupervisorBond::Event::Superseded:
        m_running->process.signal(SIGKILL, true);
        m_running->process.endFamily(kStraySeconds);
        return exitCode(ErrorKind::Run);
    }
    return std::nullopt;
}

// To another supervisor in the place of a killed one.
void Keeper::greet(double now) {
    auto& running = *m_running;
    if (const double since = std::exchange(m_aloneSince, 0); since > 0) running.hang.passOver(now - since);
    m_bond.channel().send(helloOfKeeper());
    m_bond.channel().send(wire::Ready{deviceOf(running.rank), 0, {}, false});
    enter(wire::Phase::Train);
    if (running.stopping.isRequested()) enter(wire::Phase::Checkpoint);
    running.supervisor.heard(now);
    m_bond.retell();
    if (running.requests.isPaused())
        m_bond.channel().send(wire::CommandDone{{}, wire::CommandKind::Pause, 0, running.metrics->step(), {}});
}

void Keeper::wait(double until, int fd) {
    for (bool isForStore = true; isForStore;) {
        auto& channel = m_bond.channel();
        std::vector<pollfd> all{{channel.isOver() ? -1 : channel.readFd(), POLLIN, 0},
                                {m_signals.get(), POLLIN, 0},
                                {m_running ? m_running->watch.get() : -1, POLLIN, 0},
                                {channel.hasUnsent() ? channel.writeFd() : -1, POLLOUT, 0},
                                {m_bond.doorFd(), POLLIN, 0},
                                {fd, POLLIN, 0}};
        const std::size_t own = all.size();
        if (m_store) m_store->addTo(all);
        const double seconds = std::clamp(until - monotonicSeconds(), 0.0, 60.0);
        const int ready = ::poll(all.data(), all.size(), static_cast<int>(std::ceil(seconds * 1000)));
        if (m_store) m_store->serve(all.data() + own, all.size() - own);
        if (m_running && all[2].revents != 0) drain(m_running->watch.get());
        // What ranks tell one another at the store needs nothing else that is done here.
        const auto isStill = [](const pollfd& entry) { return entry.revents == 0; };
        isForStore = ready > 0 && monotonicSeconds() < until &&
                     std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(own), isStill);
    }
    m_bond.channel().flush();
}

void Keeper::readSignals() {
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        if (info.ssi_signo == SIGQUIT)
            m_running->process.signal(SIGABRT, false); // another rank hangs: where is this one?
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
            m_running->stopping.request(m_running->stopping.isRequested() ? wire::StopMode::StopNow
                                                                          : wire::StopMode::SaveAndStop,
                                        monotonicSeconds());
    }
}

// Slurm signals all processes of a step, so the program may have ended of a request that has yet to come here.
void Keeper::hearRequest() {
    readSignals();
    const auto status = m_running->process.exitStatus();
    if (m_running->stopping.isRequested() || !status->signalled || status->code != SIGTERM) return;
    pollfd signals{m_signals.get(), POLLIN, 0};
    ::poll(&signals, 1, kSameSignalMs);
    readSignals();
}

void Keeper::readChannel() {
    if (auto messages = m_bond.channel().receive())
        m_unread.insert(m_unread.end(), std::make_move_iterator(messages->begin()),
                        std::make_move_iterator(messages->end()));
    else m_bond.channel().close(); // what comes is no frame any more
    const double now = monotonicSeconds();
    if (!m_unread.empty()) m_running->supervisor.heard(now);
    for (const auto& message : std::exchange(m_unread, {})) take(message);
    if (!outlivesSupervisor(*m_running) && m_running->supervisor.isGone(now)) m_bond.channel().close();
}

void Keeper::take(const wire::Message& message) {
    const double now = monotonicSeconds();
    if (const auto* stop = std::get_if<wire::Stop>(&message)) {
        const bool isOfRun = stop->mode != wire::StopMode::Kill; // a program that has diverged may start again
        if (isOfRun) m_bond.noteStop({stop->mode, m_running->metrics->step(), wallClockMs()});
        m_running->stopping.request(stop->mode, now);
    } else if (const auto* alive = std::get_if<wire::Alive>(&message)) {
        m_bond.stored(alive->storedStep, now);
    } else if (const auto* command = std::get_if<wire::Command>(&message)) {
        carryOut(*command, now);
    }
}

// Each rank does it; the answer is of rank 0.
void Keeper::carryOut(const wire::Command& command, double now) {
    auto& requests = m_running->requests;
    const bool wasPaused = requests.isPaused();
    const auto done = requests.carryOut(command.kind, m_running->process);
    if (!wasPaused && requests.isPaused()) m_pausedSince = now;
    if (wasPaused && !requests.isPaused()) m_running->hang.passOver(now - m_pausedSince);
    if (!done) print(done.error().text());
    m_bond.channel().send(wire::answerTo(command, m_running->metrics->step(), done));
}

// Everything that the program has told by now, to the supervisor.
// False when more is there: of a flood a part, so that its supervisor hears of the rank, and a stop is heard.
bool Keeper::follow(double now) {
    auto& metrics = *m_running->metrics;
    const auto log = [this](std::string_view line) { print(m_running->rank.code, line); };
    const auto told = [&](const program::GrownLine& line) {
        metrics.printed(line.text);
        m_running->hang.printed(now);
    };
    bool more = true;
    while (more && monotonicSeconds() < now + kFollowSeconds) more = m_running->printed.look(now, told, log);
    tell(metrics.look(now), now);
    return !more;
}

void Keeper::tell(MetricNews&& news, double now) {
    const auto& metrics = *m_running->metrics;
    for (const auto& line : news.lines) print(line);
    if (!news.points.series.empty()) {
        m_running->hang.reported(now);
        if (!std::exchange(m_running->hasPoint, true)) m_running->start.prove(&m_running->process);
        tellOfStart();
    }
    const bool joined = m_running->rank.spec.program->metrics.ranks != "0"; // the supervisor joins those of all ranks
    if (m_running->rank.place.rank != 0) {
        if (joined && !news.points.series.empty()) m_bond.tell(std::move(news.points), now);
        return;
    }
    if (news.setAside && !joined) m_bond.channel().send(wire::Metrics{{{sourceSeries(*news.setAside, {}), 0, {}}}});
    if (news.rewoundTo)
        m_bond.tell(
            wire::RolledBack{*news.rewoundTo, "the program went back to step " + std::to_string(*news.rewoundTo)}, now);
    for (auto* points : {&news.points, &news.beside})
        if (!points->series.empty()) m_bond.tell(std::move(*points), now);
    for (auto& notice : news.notices) m_bond.channel().send(wire::Notice{metrics.step(), std::move(notice)});
    for (const auto& path : news.checkpoints) m_running->checkpoints->named(path);
    followCheckpoints(now);
}

void Keeper::followCheckpoints(double now) {
    const auto& metrics = *m_running->metrics;
    tellSaved(m_running->checkpoints->look(now, metrics.step(), metrics.epoch()), now);
}

void Keeper::tellSaved(std::vector<wire::CheckpointSaved> all, double now) {
    for (auto& saved : all) {
        m_running->metrics->saved(saved);
        m_bond.tell(std::move(saved), now);
    }
}

void Keeper::lookForLastCheckpoints(double now, bool well) {
    const auto& metrics = *m_running->metrics;
    if (m_running->rank.place.rank != 0) return;
    tellSaved(m_running->checkpoints->lookAtTheEnd(now, well, metrics.step(), metrics.epoch()), now);
}

// One that does nothing is looked at less and less often, until it does something.
double Keeper::idleBeat(double now) const {
    const auto& running = *m_running;
    const double limit = running.rank.spec.failure.heartbeatSeconds;
    const double longest = limit > 0 ? std::min(kQuietBeatSeconds, limit / 4) : kQuietBeatSeconds;
    const bool isSaving = running.checkpoints && running.checkpoints->isWriting();
    const double quiet = isSaving || running.stopping.isRequested() ? 0 : running.hang.quietSeconds(now);
    return std::clamp(kQuietness * quiet, std::min(kIdleBeatSeconds, longest), longest);
}

void Keeper::beat(double now) {
    if (now < m_running->beatDue && now < m_running->sampleDue) return;
    const auto& metrics = *m_running->metrics;
    const double idle = idleBeat(now);
    if (now >= m_running->beatDue) {
        const bool isIdle = metrics.step() == std::exchange(m_running->beatenStep, metrics.step());
        m_running->beatDue = now + (isIdle ? idle : kBeatSeconds);
        wire::Heartbeat beat;
        beat.step = metrics.step();
        beat.epoch = metrics.epoch();
        beat.doing = m_running->stopping.isRequested() ? "stop" : "run";
        m_bond.channel().send(beat);
    }
    if (now >= m_running->sampleDue) {
        m_running->sampleDue = std::max(now + kSampleSeconds, idle > kIdleBeatSeconds ? m_running->beatDue : 0);
        const auto sample = m_running->meter.take(m_running->process.family(), m_running->rank.place.localRank == 0);
        if (sample.cpuCores > kIdleCores) m_running->hang.computed(now);
        m_bond.channel().send(sample);
    }
}

void Keeper::stop(double now) {
    auto& process = m_running->process;
    auto& checkpoints = m_running->checkpoints;
    if (checkpoints && m_running->stopping.isRequested()) followCheckpoints(now);
    switch (m_running->stopping.next(now, checkpoints && checkpoints->isWriting())) {
    case ProgramStopping::Action::None: break;
    case ProgramStopping::Action::Terminate:
        enter(wire::Phase::Checkpoint, "SIGTERM was sent; the program may save"); // the supervisor waits for it
        // Every rank waits for one that grows, whoever writes it.
        if (!checkpoints) checkpoints = std::make_unique<CheckpointFeed>(m_running->rank, kLaterGeneration);
        process.signal(SIGTERM, m_running->rank.spec.program->stop.group);
        process.signal(SIGCONT, m_running->rank.spec.program->stop.group); // one that is stopped could not end
        m_running->requests.goOn(process);
        break;
    case ProgramStopping::Action::Kill: process.signal(SIGKILL, true); break;
    }
}

// A hung program prints the stack of each thread when it is aborted, and ends.
void Keeper::watchForHang(double now) {
    auto& running = *m_running;
    if (running.abortedAt && now >= *running.abortedAt + kAbortSeconds) running.process.signal(SIGKILL, true);
    if (running.abortedAt || running.stopping.isRequested() || running.requests.isPaused()) return;
    switch (running.hang.look(now)) {
    case HangWatch::Verdict::Fine: return;
    case HangWatch::Verdict::Warn:
        m_bond.channel().send(wire::Notice{0, "has printed, reported and computed nothing for " +
                                                  durationText(running.hang.stillSeconds(now)) +
                                                  ", and no metric before"});
        return;
    case HangWatch::Verdict::Hung:
        print("the program stands still: it is aborted, and says where it stood");
        running.abortedAt = now;
        running.process.signal(SIGABRT, false);
    }
}

int Keeper::end() {
    auto& running = *m_running;
    hearRequest();
    const double now = monotonicSeconds();
    if (const int strays = running.process.endFamily(kStraySeconds); strays > 0)
        print(std::to_string(strays) + (strays == 1 ? " process that the program had left was ended"
                                                    : " processes that the program had left were ended"));
    for (double at = now; !follow(at); at = monotonicSeconds()) {
        beat(at);
        wait(at); // what is to be sent is sent
    }
    running.printed.end([&](const program::GrownLine& line) { running.metrics->printed(line.text); },
                        [this](std::string_view line) { print(m_running->rank.code, line); });
    tell(running.metrics->end(now), now);
    const auto status = *running.process.exitStatus();
    const bool stopped = running.stopping.isRequested();
    m_bond.noteEnd(status);
    lookForLastCheckpoints(now, !status.signalled && status.code == 0);
    running.metrics->keepRecord(now);
    if (stopped || (!status.signalled && status.code == 0)) {
        if (!stopped) running.start.prove();
        tellOfStart();
        tellEnd(wire::Finished{
            running.metrics->step(), running.metrics->epoch(), running.metrics->seconds(now), stopped, {}});
        return stopped ? exitCode(ErrorKind::Stopped) : 0;
    }
    auto error = running.failure();
    if (running.abortedAt) return fail(error, running.metrics->step());
    if (!running.process.forked()) {
        running.start.fail();
    } else if (error.code != ErrorCode::PeerLost &&
               mayBlameForking(status, running.hasPoint, running.start.secondsSince(now))) {
        running.start.doubt(status.signalled ? status.text() : error.message, running.rank.place.hasStore);
        if (error.kind == ErrorKind::Input) error.kind = ErrorKind::Run; // so that all ranks start again
    }
    tellOfStart();
    if (status.signalled) {
        tellEnd(std::nullopt);
        dieOf(status.code);
    }
    return fail(error, running.metrics->step());
}

Error Keeper::Running::failure() const {
    const std::string said = rank.code.named(printed.tail());
    const ProgramEnd ending{.exitCode = process.ended().code,
                            .printed = said,
                            .project = rank.code.areCopies() ? rank.code.project() : rank.command.folder,
                            .interpreter = rank.interpreter,
                            .hasPeers = rank.place.worldSize > 1};
    return abortedAt ? hangOf(ending, rank.spec.failure.heartbeatSeconds) : errorOf(ending);
}

// A forked rank that cannot be one is started as a program; one that forking may have broken is so once, here where it
// has no peers, which would not wait for it.
bool Keeper::startAgain() {
    auto& running = *m_running;
    const auto* forked = running.process.forked();
    if (!forked || running.stopping.isRequested() || running.abortedAt) return false;
    const auto status = running.process.ended();
    const double now = monotonicSeconds();
    if (!forked->unfit().empty()) {
        running.start.refuse(forked->unfit());
    } else if (running.rank.place.worldSize == 1 &&
               mayBlameForking(status, running.hasPoint, running.start.secondsSince(now))) {
        follow(now); // the cause may be the last that it has printed
        running.start.doubt(status.signalled ? status.text() : running.failure().message, false);
    } else {
        return false;
    }
    running.process.endFamily(kStraySeconds);
    auto process = running.start.startAsProgram(running.rank);
    tellOfStart();
    if (!process) return false;
    running.process = std::move(*process);
    return true;
}

void Keeper::tellOfStart() {
    for (const auto& line : m_running->start.takeLines()) print(line);
    for (auto& notice : m_running->start.takeNotices())
        m_bond.channel().send(wire::Notice{m_running->metrics->step(), std::move(notice)});
}

// A supervisor that is killed meanwhile is followed by one that hears it.
void Keeper::tellEnd(const std::optional<wire::Message>& word) {
    for (;;) {
        if (word) m_bond.channel().send(*word);
        m_bond.channel().drain(kLastWords);
        if (!m_running || !m_bond.channel().isHungUp()) return;
        m_bond.channel().close();
        auto event = SupervisorBond::Event::None;
        while (event == SupervisorBond::Event::None || event == SupervisorBond::Event::Lost) {
            event = m_bond.serve(monotonicSeconds());
            if (m_bond.isGivenUp()) return;
            if (event == SupervisorBond::Event::None) wait(m_bond.due(monotonicSeconds()));
        }
        if (event != SupervisorBond::Event::Adopted) return;
        greet(monotonicSeconds());
    }
}

int Keeper::fail(const Error& error, std::int64_t step) {
    tellEnd(wire::Failed{error, step});
    return exitCode(error.kind);
}

void Keeper::enter(wire::Phase phase, const std::string& detail) {
    m_bond.channel().send(wire::PhaseChange{phase, monotonicSeconds() - m_begun, detail});
}

void Keeper::print(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fputc('\n', stderr);
}

// Under the names of the user's own files.
void Keeper::print(const CodePaths& code, std::string_view line) {
    code.names(line) ? print(code.named(line)) : print(line);
}

} // namespace trainyard::run
