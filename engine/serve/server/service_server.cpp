// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/service_server.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/cores.h"
#include "engine/run/launch/process_check.h"
#include "engine/run/launch/programs.h"
#include "engine/run/launch/spawn.h"
#include "engine/serve/control/service_folder.h"
#include "engine/serve/server/control_desk.h"
#include "engine/serve/server/held_models.h"
#include "engine/serve/server/request_desk.h"
#include "engine/serve/server/service_files.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace trainyard::serve {
namespace {

constexpr int kLooksOfState = 4; // between two writes of the state
constexpr double kLookSeconds = 0.25, kLingerSeconds = 1;
constexpr double kEndSeconds = 5; // for killed replicas to be gone
constexpr double kGatherSeconds = 3e-4;
constexpr std::int64_t kEnough = 4; // requests in one look
constexpr int kFirstInherited = 3;
constexpr int kFirstTries = 5; // to hold a checkpoint of a run that goes on to train

// A socket that systemd or another starter has opened for this process; -1: none.
int inheritedSocket() {
    const char* pid = std::getenv("LISTEN_PID");
    const char* count = std::getenv("LISTEN_FDS");
    const bool ours = pid && count && std::atol(pid) == ::getpid() && std::atoi(count) >= 1;
    return ours ? kFirstInherited : -1;
}

// What the loop goes by.
struct Pace {
    bool news = true;                    // a replica, a control client or a signal
    bool http = true;                    // the front
    bool hasRead = false;                // several requests
    UniqueFd seldom;                     // an epoll of what has news
    double lookedAt = 0, drainUntil = 0; // the latter: 0 until it drains
    int looks = 0;
};

class Server final : public LaneListener {
public:
    Server(ServiceFolder folder, ServiceSpec spec);
    Result<void> serve();
    void leaveState(const std::string& reason);

private:
    void jobDone(VersionLane& lane, const SlotJob& job) override { m_desk.jobDone(lane, job); }
    void jobExpired(VersionLane&, const SlotJob& job) override { m_desk.jobExpired(job); }
    void jobLost(VersionLane&, const SlotJob& job, const Error& error) override { m_desk.jobLost(job, error); }
    void laneReady(VersionLane& lane) override {
        m_versions.laneReady(lane);
        if (m_state == ServiceState::Starting && m_versions.isReady()) m_state = ServiceState::Ready;
    }
    void laneFailed(VersionLane& lane, const Error& error) override;

    std::unique_ptr<HeldModel> holdFirst();
    Result<void> listen();
    void loop();
    void turnLanes(double now, bool news);
    bool isFull(double now);
    void wait();
    void watch();
    void readSignals();
    void act(const Json& question, ControlDesk::Done done);
    void tryVersion(const Json& question, VersionRole goal, ControlDesk::Done done);
    void beginDrain();
    bool isOver(double now) const;
    void look(double now);
    void takeNews();
    void keepVersions();
    ServiceStatus status() const;
    std::vector<std::int64_t> pids();

    const ServiceFolder m_folder;
    ServiceSpec m_spec;
    std::unique_ptr<run::Launcher> m_launcher;
    UniqueFd m_bell, m_signals;
    ReplicaStarter m_starter;
    HeldModels m_models;
    LaneHouse m_house;
    AccessLog m_log;
    ServiceFiles m_files;
    ServedVersions m_versions;
    RequestDesk m_desk;
    std::optional<ControlDesk> m_control;
    std::unique_ptr<HttpFront> m_front;
    ServiceState m_state = ServiceState::Starting;
    std::string m_reason;
    Pace m_pace;
    double m_startedAt;
    std::vector<std::int64_t> m_everyPid;
};

Server::Server(ServiceFolder folder, ServiceSpec spec)
    : m_folder(std::move(folder)), m_spec(std::move(spec)),
      m_launcher(run::makeLocalLauncher(run::workerProgram(), run::StartBy::Pool)),
      m_bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_starter(*m_launcher, m_bell.get()),
      m_models(m_folder.models()),
      m_house{m_starter, m_models, m_spec, m_bell.get(),
              m_spec.threads > 0 ? m_spec.threads : std::max(1, availableCores() / std::max(1, m_spec.maxReplicas))},
      m_files(m_folder, m_spec.follow, m_bell.get()),
      m_versions(m_house, *this,
                 [this](VersionLane& lane, const StoredSample& sample, ServedVersions::Verdict verdict) {
                     m_desk.check(lane, sample, std::move(verdict));
                 }),
      m_desk(m_versions, m_spec, m_log), m_startedAt(static_cast<double>(wallClockMs()) / 1e3) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGHUP, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN); // a file size limit is an error of write(), not a death
    m_signals.reset(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

Result<void> Server::listen() {
    TY_ASSIGN(const std::string token, tokenOf(m_folder));
    HttpOptions options;
    options.host = m_spec.host;
    options.port = m_spec.port;
    options.unixSocket = m_spec.socket;
    options.inheritedFd = inheritedSocket();
    options.tls = {m_spec.certificate, m_spec.key};
    options.limits.bodyBytes = static_cast<std::size_t>(m_spec.bodyMb) << 20;
    options.token = token;
    if (m_spec.forwardedFrom != 0)
        for (const char* name : {"127.0.0.1:", "localhost:"})
            options.allowedHosts.push_back(name + std::to_string(m_spec.forwardedFrom));
    TY_TRY(checkHttpOptions(options, m_spec.plaintext));
    TY_ASSIGN(m_front, HttpFront::open(std::move(options), m_desk));
    m_desk.setFront(m_front.get());
    if (m_spec.port != 0 || !m_spec.socket.empty()) return {};
    m_spec.port = m_front->port(); // and again after a restart
    return writeFileAtomic(m_folder.spec(), serviceJson(m_spec));
}

// The run that is followed may delete the checkpoint at any moment: it has kept better ones then.
std::unique_ptr<HeldModel> Server::holdFirst() {
    ServedModel& first = m_spec.models.front();
    auto held = std::make_unique<HeldModel>(m_models, first.file);
    for (int tries = 1; tries < kFirstTries && !held->isThere() && !m_spec.follow.empty(); ++tries) {
        auto best = RunWatch(m_folder.root.parent_path().parent_path(), m_spec.follow).look(monotonicSeconds());
        if (!best) break;
        best->name = first.name;
        first = std::move(*best);
        held = std::make_unique<HeldModel>(m_models, first.file);
    }
    return held;
}

Result<void> Server::serve() {
    if (!m_bell || !m_signals) return systemError("the server cannot begin", {}, limitRemedy(errno));
    std::vector<std::unique_ptr<HeldModel>> held; // until their lanes hold them
    held.push_back(holdFirst());
    for (std::size_t i = 1; i < m_spec.models.size(); ++i)
        held.push_back(std::make_unique<HeldModel>(m_models, m_spec.models[i].file));
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]->isThere())
            return inputError("there is no such file", m_spec.models[i].file, "serve a checkpoint that is there")
                .withCode(ErrorCode::FileMissing);
    TY_TRY(listen());
    TY_ASSIGN(m_control,
              ControlDesk::open(m_folder.controlSocket(), [this](const Json& question, ControlDesk::Done done) {
                  act(question, std::move(done));
              }));
    m_versions.begin();
    held.clear();
    m_models.removeLeftovers();
    loop();
    m_front.reset();
    if (m_state == ServiceState::Failed) return runError(m_reason);
    return {};
}

void Server::laneFailed(VersionLane& lane, const Error& error) {
    const LaneEntry* const entry = m_versions.entryOf(lane);
    const bool isOnlyOne = entry && entry->role == VersionRole::Current && m_state == ServiceState::Starting;
    m_versions.laneFailed(lane, error);
    if (!isOnlyOne) return;
    m_state = ServiceState::Failed;
    m_reason = error.text();
}

void Server::loop() {
    for (;;) {
        const double now = monotonicSeconds();
        if (m_pace.news) m_control->turn();
        // What came back is answered and what waits is given away before anything is read: replicas come first.
        turnLanes(now, m_pace.news);
        const auto before = m_desk.taken();
        if (m_pace.http || m_front->nextTimeout() <= 0) m_front->run();
        m_pace.hasRead = m_desk.taken() - before >= kEnough;
        turnLanes(monotonicSeconds(), false);
        if (m_files.hasNews()) takeNews();
        m_versions.turn(now);
        m_desk.expire(monotonicSeconds());
        if (now >= m_pace.lookedAt + kLookSeconds) look(now);
        if (isOver(now)) return;
        wait();
        if (m_pace.news) readSignals();
    }
}

void Server::turnLanes(double now, bool news) {
    for (const auto& name : m_versions.all())
        for (std::size_t i = 0; i < name->entries.size(); ++i) name->entries[i]->lane->turn(now, news);
}

// Whether nothing that is read now could be computed at once.
bool Server::isFull(double now) {
    bool isAny = false;
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries) {
            if (each->role != VersionRole::Current && each->role != VersionRole::Canary) continue;
            if (!each->lane->isFull(now)) return false;
            isAny = true;
        }
    return isAny;
}

void Server::wait() {
    double due = m_pace.lookedAt + kLookSeconds;
    bool more = false;
    if (m_pace.news || std::exchange(m_house.hasChanged, false)) watch();
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries) {
            due = std::min(due, each->lane->nextDue());
            more = each->lane->fallAsleep() || more;
        }
    const double now = monotonicSeconds();
    due = std::min({due, m_desk.nextDeadline(), now + m_front->nextTimeout()});
    // Where requests come one by one while all replicas compute brief batches, they are read together once one of them
    // is done. A server that has always more to read goes on reading.
    const bool isGathering = !m_pace.hasRead && due > now && isFull(now);
    if (isGathering) due = std::min(due, now + kGatherSeconds);
    std::array<pollfd, 3> entries{
        {{isGathering ? -1 : m_front->fd(), POLLIN, 0}, {m_bell.get(), POLLIN, 0}, {m_pace.seldom.get(), POLLIN, 0}}};
    const double left = more ? 0 : std::max(0.0, due - now);
    const timespec patience{static_cast<time_t>(left), static_cast<long>((left - std::floor(left)) * 1e9)};
    (void)::ppoll(entries.data(), entries.size(), &patience, nullptr);
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries) each->lane->wakeUp();
    m_pace.http = isGathering || entries[0].revents != 0;
    m_pace.news = entries[2].revents != 0;
    std::uint64_t rung = 0;
    if (entries[1].revents != 0) (void)!::read(m_bell.get(), &rung, sizeof rung);
}

// What seldom has news is one descriptor for those who wait; it changes with replicas and clients only.
void Server::watch() {
    m_pace.seldom.reset(::epoll_create1(EPOLL_CLOEXEC));
    const auto add = [this](int fd) {
        epoll_event event{};
        event.events = EPOLLIN;
        ::epoll_ctl(m_pace.seldom.get(), EPOLL_CTL_ADD, fd, &event);
    };
    add(m_signals.get());
    for (const int fd : m_control->descriptors()) add(fd);
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries)
            for (const int fd : each->lane->descriptors()) add(fd);
}

void Server::readSignals() {
    signalfd_siginfo info{};
    if (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) beginDrain();
}

void Server::beginDrain() {
    if (m_pace.drainUntil > 0) return;
    m_pace.drainUntil = monotonicSeconds() + m_spec.drainSeconds;
    if (m_state != ServiceState::Failed) m_state = ServiceState::Draining;
    m_desk.drain();
    m_front->stopListening();
}

bool Server::isOver(double now) const {
    if (m_state == ServiceState::Failed) return true;
    if (m_pace.drainUntil <= 0) return false;
    if (now > m_pace.drainUntil) return true;
    if (m_desk.pending() > 0 || m_front->pending() > 0) return false;
    // Answers are on their way to who reads slowly.
    return m_front->connections() == 0 || now > m_pace.drainUntil - m_spec.drainSeconds + kLingerSeconds;
}

// What is done some times a second.
void Server::look(double now) {
    m_pace.lookedAt = now;
    m_pace.news = true; // what was missed, if anything
    for (const auto pid : pids())
        if (std::find(m_everyPid.begin(), m_everyPid.end(), pid) == m_everyPid.end()) m_everyPid.push_back(pid);
    if (m_everyPid.size() > 4096) m_everyPid.erase(m_everyPid.begin(), m_everyPid.begin() + 2048);
    keepVersions();
    if (++m_pace.looks % kLooksOfState != 0) return;
    m_files.tell(m_log.take());
    m_files.tell(status());
}

void Server::takeNews() {
    const auto news = m_files.news();
    if (news.token) m_front->useToken(*news.token);
    if (news.trouble && m_state != ServiceState::Failed) m_reason = *news.trouble; // a full disk: it goes on
    if (news.better && m_state == ServiceState::Ready) {
        ServedModel model = *news.better;
        model.name = m_spec.models.front().name;
        (void)m_versions.tryVersion(model, VersionRole::Current, 0, [](const Result<void>&) {});
    }
}

// The next server begins with the versions that serve now.
void Server::keepVersions() {
    bool isOther = false;
    for (ServedModel& each : m_spec.models) {
        ServedName* const name = m_versions.find(each.name);
        const LaneEntry* const current = name ? name->current() : nullptr;
        if (current == nullptr || current->lane->model() == each) continue;
        each = current->lane->model();
        isOther = true;
    }
    if (isOther) m_files.keep(m_spec);
}

std::vector<std::int64_t> Server::pids() {
    std::vector<std::int64_t> all;
    for (const auto& name : m_versions.all())
        for (const auto& each : name->entries)
            for (const auto pid : each->lane->pids()) all.push_back(pid);
    return all;
}

ServiceStatus Server::status() const {
    const double now = monotonicSeconds();
    ServiceStatus status;
    status.name = m_spec.name;
    status.state = m_state;
    status.reason = m_reason.empty() ? m_versions.lastReason() : m_reason;
    status.url = m_front ? m_front->url() : m_spec.url();
    status.pid = ::getpid();
    status.startedAt = m_startedAt;
    status.qps = m_desk.latency().perSecond(now);
    status.p50Ms = m_desk.latency().quantileMs(now, 0.5);
    status.p99Ms = m_desk.latency().quantileMs(now, 0.99);
    status.codes = m_desk.codes();
    status.latency = m_desk.latency().counts();
    for (const auto& name : const_cast<ServedVersions&>(m_versions).all())
        for (const auto& each : name->entries) {
            status.waiting += each->lane->jobs() - each->lane->jobsInFlight();
            status.inFlight += each->lane->jobsInFlight();
            status.restarts += each->lane->restarts();
            // What is wrong now goes before what went wrong.
            if (const auto trouble = each->lane->trouble(); m_reason.empty() && !trouble.empty())
                status.reason = trouble;
            for (const auto& replica : each->lane->status()) status.replicas.push_back(replica);
            if (each->role == VersionRole::Current && each->lane->signature())
                status.signatures.push_back(*each->lane->signature());
        }
    for (const auto& [code, count] : status.codes) status.answered += count;
    status.versions = m_versions.status(now);
    return status;
}

void Server::tryVersion(const Json& question, VersionRole goal, ControlDesk::Done done) {
    ServedModel model = servedModelFrom(question.value("model", Json::object()));
    for (const ServedModel& each : m_spec.models)
        if (each.name == model.name && model.info.empty()) model.info = each.info; // what the version before takes
    const Json share = question.value("share", Json(0.0));
    const auto begun = m_versions.tryVersion(model, goal, share.is_number() ? share.get<double>() : 0.0,
                                             [this, done](const Result<void>& verdict) {
                                                 keepVersions();
                                                 if (verdict) done(Json{{"done", true}});
                                                 else done(verdict.error());
                                             });
    if (!begun) done(begun.error());
}

void Server::act(const Json& question, ControlDesk::Done done) {
    const auto text = [&](const char* key) {
        return question.contains(key) && question[key].is_string() ? question[key].get<std::string>() : std::string();
    };
    const auto number = [&](const char* key) {
        return question.contains(key) && question[key].is_number() ? question[key].get<double>() : -1.0;
    };
    const auto tell = [&](const Result<void>& result) {
        keepVersions();
        if (result) done(Json{{"done", true}});
        else done(result.error());
    };
    const std::string verb = text("do");
    if (verb == "status") return done(statusToJson(status()));
    if (verb == "swap") return tryVersion(question, VersionRole::Current, std::move(done));
    if (verb == "canary") return tryVersion(question, VersionRole::Canary, std::move(done));
    if (verb == "shadow") return tryVersion(question, VersionRole::Shadow, std::move(done));
    if (verb == "share") return tell(m_versions.setShare(text("name"), number("share")));
    if (verb == "promote") return tell(m_versions.promote(text("name")));
    if (verb == "rollback") return tell(m_versions.rollback(text("name")));
    if (verb == "scale") {
        const auto scaled = m_versions.scale(static_cast<int>(number("min")), static_cast<int>(number("max")));
        if (scaled) { // kept for the next start
            m_spec.minReplicas = static_cast<int>(number("min"));
            m_spec.maxReplicas = static_cast<int>(number("max"));
            m_files.keep(m_spec);
        }
        return tell(scaled);
    }
    if (verb == "kill") {
        for (const auto& name : m_versions.all())
            for (const auto& each : name->entries)
                if (each->lane->kill(static_cast<int>(number("replica")))) return tell({});
        return tell(inputError("has no such replica", "replica", "see: trainyardctl serve status"));
    }
    if (verb == "drain" || verb == "stop") {
        beginDrain();
        return tell({});
    }
    done(inputError("is not known to this server", "do", "use programs of one version"));
}

// The last words: what is left of its processes, after they were ended.
void Server::leaveState(const std::string& reason) {
    keepVersions();
    m_files.tell(m_log.take());
    ServiceStatus last = status();
    for (const auto pid : pids()) m_everyPid.push_back(pid);
    m_versions.all().clear();
    const double deadline = monotonicSeconds() + kEndSeconds;
    auto left = run::livingInGroups(m_everyPid);
    while (!left.empty() && monotonicSeconds() < deadline) {
        ::usleep(5000);
        left = run::livingInGroups(m_everyPid);
    }
    last.processesLeft = static_cast<int>(left.size());
    last.state = reason.empty() ? ServiceState::Stopped : ServiceState::Failed;
    last.reason = reason;
    last.waiting = last.inFlight = 0;
    last.qps = last.p50Ms = last.p99Ms = 0;
    for (auto& each : last.replicas) each.state = ReplicaState::Ended;
    m_files.finish();
    (void)writeState(m_folder, last);
    std::fprintf(stderr, "trainyardctl: service %s has stopped; %zu processes left\n", m_spec.name.c_str(),
                 left.size());
}

Result<void> superviseFolder(const ServiceFolder& folder) {
    TY_ASSIGN(const auto lock, run::lockOfSupervisor(folder.root));
    TY_ASSIGN(const std::string text, readFile(folder.spec()));
    TY_ASSIGN(ServiceSpec spec, parseServiceSpec(text, folder.spec().string()));
    Server server(folder, std::move(spec));
    auto served = server.serve();
    server.leaveState(served ? "" : served.error().text());
    std::error_code ignored;
    std::filesystem::remove(folder.controlSocket(), ignored);
    return served;
}

} // namespace

int superviseService(const std::filesystem::path& folder) {
    const auto served = superviseFolder({folder});
    if (served) return 0;
    std::fprintf(stderr, "trainyardctl: %s\n", served.error().text().c_str());
    return exitCode(served.error().kind);
}

} // namespace trainyard::serve
