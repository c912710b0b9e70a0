// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/service_link.h"

#include "app/ctl/home.h"
#include "app/ctl/hosts/host_questions.h"
#include "engine/base/clock.h"
#include "engine/base/error_json.h"
#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/spawn.h"
#include "engine/serve/values/error_body.h"
#include "remote/hosts/connect.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace trainyard::ctl {
namespace {

using namespace trainyard::serve;

constexpr int kTurnMs = 250, kBusyTurnMs = 20, kForwardMs = 100;
constexpr std::chrono::milliseconds kPortTurn{10};
constexpr std::size_t kMostNews = 4u << 20;
constexpr double kAnswerSeconds = 150; // a version that is loaded and warmed up there

bool mayComeBack(ErrorCode code) { return code == ErrorCode::ConnectionLost || code == ErrorCode::HostUnreachable; }

// What a client hears while there is no link.
std::string unreachableAnswer(const std::string& host) {
    const std::string body = errorBody(
        environmentError("the service lives on " + host + ", and the link to it is lost", {}, "try again in a second"));
    return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: "
           "close\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

Result<Json> askThere(remote::Head& head, const Json& question) {
    remote::ExecOptions options;
    options.input = jsonText(question) + "\n";
    options.silenceSeconds = kAnswerSeconds;
    TY_ASSIGN(const auto called, head.call({"serve-there", "--json"}, options));
    const std::string& host = head.session().host().alias;
    if (!called.ok()) {
        Error error = programError("trainyardctl", called.status.code, called.out, called.err);
        error.where = error.where.empty() ? "on " + host : "on " + host + ", " + error.where;
        return error;
    }
    Json answer = parseJson(called.out);
    if (!answer.is_object()) return environmentError("its answer is no JSON object", "on " + host);
    return answer;
}

// A version that was not given from here.
ServedModel servedThere(const VersionStatus& version) {
    ServedModel model{.name = version.model, .file = version.file, .run = {}, .there = true};
    const auto at = version.name.rfind('@');
    if (at == std::string::npos) return model;
    const char* const end = version.name.data() + version.name.size();
    if (std::from_chars(version.name.data() + at + 1, end, model.step).ptr == end)
        model.run = version.name.substr(0, at);
    return model;
}

} // namespace

Result<void> ServiceLink::run() {
    for (const ServedModel& model : m_spec.models) m_given[model.version()] = model;
    m_status.name = m_spec.name;
    m_status.on = m_spec.on;
    m_status.startedAt = static_cast<double>(wallClockMs()) / 1e3;
    TY_ASSIGN(m_token, tokenOf(m_folder));
    TY_TRY(listen());
    TY_ASSIGN(m_control, ControlDesk::open(m_folder.controlSocket(),
                                           [this](const Json& question, auto done) { act(question, done); }));
    bool first = true;
    for (int failures = 0; !m_over && !m_asked;) {
        const auto connected = connect(first);
        if (connected) {
            first = false;
            failures = 0;
            follow();
            if (m_over || m_asked) break;
        } else if (first || !mayComeBack(connected.error().code)) {
            tell(ServiceState::Failed, connected.error().text());
            return connected.error();
        }
        const Error lost = connected ? remote::connectionLost("the link was lost", m_spec.on) : connected.error();
        const double pause = backoffSeconds(++failures);
        std::fprintf(stderr, "trainyardctl: %s; trying again in %.0f s\n", lost.text().c_str(), pause);
        tell(ServiceState::Unreachable, lost.text());
        waitAndRefuse(pause);
    }
    if (!m_over) tell(ServiceState::Unreachable, "its link was ended; trainyardctl serve resume " + m_spec.name);
    return {};
}

// The port is kept from then on, as that of a service here.
Result<void> ServiceLink::listen() {
    TY_ASSIGN(m_forward, remote::PortForward::open({{m_spec.port, 1}}));
    m_status.url = "http://127.0.0.1:" + std::to_string(m_forward->ports().front().local);
    if (m_spec.port != 0) return {};
    m_spec.port = m_forward->ports().front().local;
    return writeFileAtomic(m_folder.spec(), serviceJson(m_spec));
}

// What is served there: checkpoints of this computer are copied.
Result<ServiceSpec> ServiceLink::specThere(remote::Head& head) const {
    ServiceSpec there = m_spec;
    there.on.clear();
    there.port = 0; // that is for the host to choose
    there.forwardedFrom = m_spec.port;
    for (auto& model : there.models) {
        if (!model.there) {
            TY_ASSIGN(const auto staged, head.stage(model.file));
            model.file = staged.path;
        }
        model.there = false;
    }
    return there;
}

Result<void> ServiceLink::connect(bool first) {
    TY_ASSIGN(auto head, openHead(m_spec.on, remote::ConnectOptions{},
                                  [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }));
    Json question{{"do", "start"}, {"name", m_spec.name}, {"on", m_spec.on}, {"token", m_token}};
    TY_ASSIGN(Json answer, askThere(head, question));
    if (first && answer.value("attached", false) == false) {
        TY_ASSIGN(const auto spec, specThere(head));
        question["service"] = parseJson(serviceJson(spec));
        TY_ASSIGN(answer, askThere(head, question));
    }
    // One that has ended meanwhile tells so, too.
    TY_ASSIGN(auto news, head.start({"serve-there"}, {}));
    const std::string line = jsonText(Json{{"do", "watch"}, {"name", m_spec.name}}) + "\n";
    if (::send(news->dataFd(), line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
        return remote::connectionLost("the link was lost", m_spec.on);
    m_portThere = 0; // a server that was started again has another
    m_line.reset(new Line{.head = std::move(head), .news = std::move(news)});
    return {};
}

// Until the link or the service is gone.
void ServiceLink::follow() {
    std::jthread forwarding([this, line = m_line](const std::stop_token& over) {
        const auto complain = [](const Error& error) {
            std::fprintf(stderr, "trainyardctl: %s\n", error.text().c_str());
        };
        for (bool alive = true; alive && !over.stop_requested();) {
            if (m_portThere == 0) { // who connects waits until the service has told it
                std::this_thread::sleep_for(kPortTurn);
                continue;
            }
            m_forward->setRemote(0, m_portThere);
            alive = m_forward->serve(line->head.session(), kForwardMs, complain).ok();
        }
    });
    while (!m_over && !m_asked && takeNews()) turn(m_calls.empty() ? kTurnMs : kBusyTurnMs);
    forwarding.request_stop();
    forwarding.join();
    m_line.reset();
}

void ServiceLink::waitAndRefuse(double seconds) {
    const std::string answer = unreachableAnswer(m_spec.on);
    const double until = monotonicSeconds() + seconds;
    while (!m_asked && monotonicSeconds() < until) {
        m_forward->refuse(answer, kForwardMs);
        turn(0);
    }
}

// Signals, questions and answers.
void ServiceLink::turn(int milliseconds) {
    std::vector<pollfd> entries{{m_signals.get(), POLLIN, 0}, {m_line ? m_line->news->dataFd() : -1, POLLIN, 0}};
    for (const int fd : m_control->descriptors()) entries.push_back({fd, POLLIN, 0});
    ::poll(entries.data(), entries.size(), milliseconds);
    m_asked = m_asked || entries[0].revents != 0;
    m_control->turn();
    takeAnswers();
}

// False: the link is lost. Once the service has ended, its last words have been taken.
bool ServiceLink::takeNews() {
    std::array<char, 1 << 16> bytes;
    for (;;) {
        const ssize_t got = ::recv(m_line->news->dataFd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) break;
        if (got <= 0 || m_line->text.size() > kMostNews) return m_over;
        m_line->text.append(bytes.data(), static_cast<std::size_t>(got));
        for (std::size_t end = 0; (end = m_line->text.find('\n')) != std::string::npos; m_line->text.erase(0, end + 1))
            takeStatus(std::string_view(m_line->text).substr(0, end));
    }
    return m_line->head.session().alive();
}

void ServiceLink::takeStatus(std::string_view line) {
    auto status = statusFromJson(line, "on " + m_spec.on);
    if (!status) return;
    const std::string there = status->url, here = m_status.url;
    if (const auto colon = there.rfind(':'); colon != std::string::npos)
        m_portThere = std::atoi(there.c_str() + colon + 1);
    m_status = std::move(*status);
    m_status.url = here;
    m_status.on = m_spec.on;
    m_over = m_status.state == ServiceState::Stopped || m_status.state == ServiceState::Failed;
    if (m_status.state == ServiceState::Ready) keepVersions();
    m_figures.add(m_status, wallClockMs());
    (void)writeState(m_folder, m_status); // a full disk: it goes on
}

// The next link begins with what serves there now, whoever has taken it.
void ServiceLink::keepVersions() {
    bool isOther = false;
    for (const VersionStatus& each : m_status.versions)
        for (ServedModel& model : m_spec.models) {
            if (each.role != VersionRole::Current || model.name != each.model) continue;
            const auto given = m_given.find(each.name);
            ServedModel now = given != m_given.end() ? given->second : servedThere(each);
            now.name = model.name;
            if (now.info.empty()) now.info = model.info;
            if (now == model) continue;
            model = std::move(now);
            isOther = true;
        }
    if (isOther) (void)writeFileAtomic(m_folder.spec(), serviceJson(m_spec));
}

void ServiceLink::tell(ServiceState state, const std::string& reason) {
    m_status.state = state;
    m_status.reason = reason;
    m_status.qps = m_status.p50Ms = m_status.p99Ms = 0;
    (void)writeState(m_folder, m_status);
}

void ServiceLink::act(const Json& question, const ControlDesk::Done& done) {
    const Json verb = question.value("do", Json());
    if (verb == "status") return done(statusToJson(m_status));
    if (!m_line)
        return done(environmentError("cannot be reached: " + m_status.reason,
                                     "service " + m_spec.name + " on " + m_spec.on,
                                     "it goes on there; ask again once the host is there")
                        .withCode(ErrorCode::HostUnreachable));
    if (verb == "scale" && question.contains("min") && question["min"].is_number_integer() &&
        question.contains("max") && question["max"].is_number_integer()) { // kept for the next start
        ServiceSpec scaled = m_spec;
        scaled.minReplicas = question["min"].get<int>();
        scaled.maxReplicas = question["max"].get<int>();
        if (checkService(scaled)) {
            m_spec = std::move(scaled);
            (void)writeFileAtomic(m_folder.spec(), serviceJson(m_spec));
        }
    }
    if (question.contains("model"))
        if (const auto model = servedModelFrom(question["model"]); !model.file.empty())
            m_given[model.version()] = model;
    auto ask = [line = m_line, question = Json(question), name = m_spec.name]() mutable -> Result<Json> {
        if (question.contains("model")) {
            ServedModel model = servedModelFrom(question["model"]);
            if (!model.there) {
                const MutexLock lock(line->staging);
                TY_ASSIGN(const auto staged, line->head.stage(model.file));
                model.file = staged.path;
            }
            model.there = false;
            question["model"] = servedModelJson(model);
        }
        return askThere(line->head, Json{{"do", "ask"}, {"name", name}, {"question", std::move(question)}});
    };
    m_calls.push_back({std::async(std::launch::async, std::move(ask)), done});
}

void ServiceLink::takeAnswers() {
    std::erase_if(m_calls, [](Call& call) {
        if (call.answer.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
        call.done(call.answer.get());
        return true;
    });
}

namespace {

Result<void> linkFolder(const ServiceFolder& folder) {
    TY_ASSIGN(const auto lock, run::lockOfSupervisor(folder.root));
    TY_ASSIGN(const std::string text, readFile(folder.spec()));
    TY_ASSIGN(ServiceSpec spec, parseServiceSpec(text, folder.spec().string()));
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT}) sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    ::signal(SIGHUP, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    // Never destroyed: a call to a host that does not answer may still be under way.
    auto* const link = new ServiceLink(folder, std::move(spec), UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC)));
    auto ended = link->run();
    std::error_code ignored;
    std::filesystem::remove(folder.controlSocket(), ignored);
    return ended;
}

} // namespace

int linkService(const std::string& folder) {
    const auto ended = linkFolder({folder});
    if (ended) return 0;
    std::fprintf(stderr, "trainyardctl: %s\n", ended.error().text().c_str());
    return exitCode(ended.error().kind);
}

Result<void> signInToServiceHost(const Session& session, const std::string& name) {
    TY_ASSIGN(const auto book, remote::HostBook::load());
    TY_ASSIGN(const auto host, book.resolve(name));
    TY_TRY(openHead(session, name)); // the programs are there from now on
    return remote::signInForSupervisor(host, askingOptions(false));
}

Result<ServedModel> servedModelThere(const Session& session, const HostName& host, const std::string& given) {
    TY_ASSIGN(auto head, openHead(session, host));
    TY_ASSIGN(const Json model, askThere(head, Json{{"do", "model"}, {"given", given}}));
    return servedModelFrom(model);
}

} // namespace trainyard::ctl
